// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingTables.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>
#include <utility>

namespace blockmaestro::python {
namespace {

const PackedBlocks<Event> &blocksOf(const Recording &Of, const Event *) {
  return Of.Events;
}
const PackedBlocks<RecordedCost> &blocksOf(const Recording &Of,
                                           const RecordedCost *) {
  return Of.Costs;
}

uint64_t firstStart(const PackedBlocks<Event> &Of) {
  uint64_t Out = ~uint64_t(0);
  for (const Event &Each : Of)
    Out = std::min(Out, Each.Start);
  return Out;
}

/// The names of the numbers of a row, without launch and block.
std::vector<std::string> namesOf(const Event *) {
  return {"start_ns", "end_ns", "where"};
}
std::vector<std::string> namesOf(const RecordedCost *) {
  std::vector<std::string> Out;
  for (const CostField &Each : CostFields)
    Out.emplace_back(Each.Name);
  return Out;
}

/// Times are told from the first start of the recording.
NumbersOf<Event>::Row rowOf(const Event &E, uint64_t Origin) {
  return {E.Launch, E.Block, E.Start - Origin, E.End - Origin, E.Where};
}
NumbersOf<RecordedCost>::Row rowOf(const RecordedCost &C, uint64_t) {
  return NumbersOf<RecordedCost>::of(C);
}

} // namespace

template <typename T>
BlockCursor<T>::BlockCursor(std::shared_ptr<const Recording> What)
    : Of(std::move(What)),
      At(blocksOf(*Of, static_cast<const T *>(nullptr)).begin()),
      End(blocksOf(*Of, static_cast<const T *>(nullptr)).end()) {
  if constexpr (std::is_same_v<T, Event>)
    Origin = firstStart(Of->Events);
}

template <typename T> Table BlockCursor<T>::next(size_t Most) {
  constexpr size_t Count = NumbersOf<T>::Count;
  std::array<std::vector<uint64_t>, Count> Values;
  for (size_t Rows = 0; Rows < Most && At != End; ++Rows, ++At) {
    const typename NumbersOf<T>::Row Row = rowOf(*At, Origin);
    for (size_t I = 0; I < Count; ++I)
      Values[I].push_back(Row[I]);
  }
  std::vector<std::string> Names = {"launch", "block"};
  for (std::string &Each : namesOf(static_cast<const T *>(nullptr)))
    Names.push_back(std::move(Each));
  Table Out;
  for (size_t I = 0; I < Count; ++I)
    Out.add(Names[I], std::move(Values[I]));
  return Out;
}

template class BlockCursor<Event>;
template class BlockCursor<RecordedCost>;

} // namespace blockmaestro::python
