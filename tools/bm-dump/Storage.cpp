// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Storage.h"

#include <cstring>

namespace blockmaestro {

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

StorageBytes Storage::add(const RecordedRelation &What, Dim3 ConsumerGrid) {
  const PatternFacts Facts = patternOf(viewOf(What, ConsumerGrid));
  const uint32_t *Grid = What.Header.ProducerGrid;
  const Dim3 Producers = {Grid[0], Grid[1], Grid[2]};
  StorageBytes One;
  One.Stored = What.Stored.Bytes;
  One.Form = What.Stored.Form;
  One.Paper = paperBytes(Facts, Producers.count(), ConsumerGrid.count());
  One.List = listBytes(ConsumerGrid.count(), Facts.Edges);
  for (auto Field : {&StorageBytes::Stored, &StorageBytes::Form,
                     &StorageBytes::Paper, &StorageBytes::List})
    Total.*Field += One.*Field;
  Forms += What.Stored.IsShared ? 0 : 1;
  return One;
}

} // namespace blockmaestro
