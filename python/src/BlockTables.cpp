// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingTables.h"

#include "Error.h"
#include "RecordingStream.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
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

/// The blocks of a recording in memory, one after the other.
template <typename T> class MemoryBlocks {
public:
  explicit MemoryBlocks(std::shared_ptr<const Recording> What)
      : Of(std::move(What)),
        At(blocksOf(*Of, static_cast<const T *>(nullptr)).begin()),
        Left(blocksOf(*Of, static_cast<const T *>(nullptr)).size()) {}

  const T *next() {
    if (Left == 0)
      return nullptr;
    if (std::exchange(Begun, true))
      ++At;
    --Left;
    return &*At;
  }

private:
  std::shared_ptr<const Recording> Of;
  typename PackedBlocks<T>::Iterator At;
  size_t Left;
  bool Begun = false;
};

/// Those of a file, chunk by chunk.
template <typename T> class FileBlocks {
public:
  explicit FileBlocks(const std::string &Path) : File(opened(Path)) {}

  const T *next() {
    for (;;) {
      if (Blocks)
        if (const T *Found = Blocks->next())
          return Found;
      auto Chunk = std::make_shared<Recording>();
      const Result<bool> More = File.next(*Chunk);
      throwIfWrong(More.status());
      if (!*More)
        return nullptr;
      Blocks.emplace(std::move(Chunk));
    }
  }

private:
  static RecordingStream opened(const std::string &Path) {
    Result<RecordingStream> Out = RecordingStream::open(Path);
    throwIfWrong(Out.status());
    return std::move(*Out);
  }

  RecordingStream File;
  std::optional<MemoryBlocks<T>> Blocks; ///< Of the chunk at hand.
};

/// What calls Blocks, which it owns.
template <typename T, typename Blocks>
std::function<const T *()> nextOf(std::shared_ptr<Blocks> Of) {
  return [Of] { return Of->next(); };
}

/// Of events; others have no times.
template <typename T>
uint64_t originOf(const std::function<const T *()> &NextBlock) {
  uint64_t Out = ~uint64_t(0);
  if constexpr (std::is_same_v<T, Event>)
    while (const Event *Each = NextBlock())
      Out = std::min(Out, Each->Start);
  return Out;
}

} // namespace

template <typename T>
BlockCursor<T>::BlockCursor(std::shared_ptr<const Recording> Of)
    : NextBlock(nextOf<T>(std::make_shared<MemoryBlocks<T>>(Of))),
      Origin(originOf(nextOf<T>(std::make_shared<MemoryBlocks<T>>(Of)))) {}

template <typename T>
BlockCursor<T>::BlockCursor(const std::string &Path)
    : NextBlock(nextOf<T>(std::make_shared<FileBlocks<T>>(Path))),
      Origin(originOf(nextOf<T>(std::make_shared<FileBlocks<T>>(Path)))) {}

template <typename T> Table BlockCursor<T>::next(size_t Most) {
  constexpr size_t Count = NumbersOf<T>::Count;
  std::array<std::vector<uint64_t>, Count> Values;
  for (size_t Rows = 0; Rows < Most; ++Rows) {
    const T *Block = NextBlock();
    if (!Block)
      break;
    const typename NumbersOf<T>::Row Row = rowOf(*Block, Origin);
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
