// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Storage.h"

#include "Pack.h"

#include <cstring>

namespace blockmaestro {

/// Of a relation's number of its form.
static constexpr uint64_t ReferenceBytes = 2;

uint64_t listBytes(uint64_t Consumers, uint64_t Edges) {
  return 4 * (Consumers + 1 + Edges);
}

uint64_t paperBytes(const PatternFacts &Of, uint64_t Producers,
                    uint64_t Consumers) {
  constexpr uint64_t Word = 32, Counter = 6;
  const uint64_t N = Producers, M = Consumers, Counters = M * Counter;
  const struct {
    const char *Name;
    uint64_t Bits;
  } Table[] = {
      {"independent", 1},
      {"full", 1},
      {"n-group", (M + N) * Word + Counters},
      {"1-to-1", N * Word + Counters},
      {"1-to-n", (M + N) * Word + Counters},
      {"n-to-1", N * Word + Counters},
      {"overlapped", (N + M * Of.MostProducers) * Word + Counters},
      {"irregular", (N + Of.Edges) * Word + Counters},
  };
  uint64_t Bits = 1;
  for (const auto &Row : Table)
    if (Of.MostProducers <= PaperDegree && std::strcmp(Row.Name, Of.Name) == 0)
      Bits = Row.Bits;
  return (Bits + 7) / 8;
}

StorageBytes Storage::add(const EncodingView &Of) {
  const PatternFacts Facts = patternOf(Of);
  const Dim3 Producers = {Of.Header.ProducerGrid[0], Of.Header.ProducerGrid[1],
                          Of.Header.ProducerGrid[2]};
  const std::vector<uint8_t> Form = pack(Of);
  StorageBytes One;
  One.Packed = Form.size();
  One.Kept = ReferenceBytes + (Forms.insert(Form).second ? Form.size() : 0);
  One.Paper = paperBytes(Facts, Producers.count(), Of.ConsumerGrid.count());
  One.List = listBytes(Of.ConsumerGrid.count(), Facts.Edges);
  for (auto Field : {&StorageBytes::Kept, &StorageBytes::Packed,
                     &StorageBytes::Paper, &StorageBytes::List})
    Total.*Field += One.*Field;
  return One;
}

} // namespace blockmaestro
