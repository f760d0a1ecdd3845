// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SortedBlocks.h"

#include "ToolErrors.h"

#include <algorithm>
#include <tuple>
#include <utility>

using namespace llvm;

namespace blockmaestro {

Expected<SortedBlocks> SortedBlocks::read(const DumpOptions &Given,
                                          uint64_t Held) {
  Result<RecordingStream> Stream = RecordingStream::open(Given.File);
  if (!Stream.ok())
    return toError(Stream.status());
  SortedBlocks Out(std::move(*Stream));
  Out.Most = Held;
  if (Error Wrong = Out.readOnce())
    return std::move(Wrong);
  auto Span = spanOf(Given.Launches, Out.From.grids().size());
  if (!Span)
    return createStringError(Given.File + ": " + toString(Span.takeError()));
  Out.Launches = *Span;
  return Out;
}

Error SortedBlocks::readOnce() {
  for (;;) {
    const uint64_t At = From.position();
    Recording Part;
    Result<bool> More = From.next(Part);
    if (!More.ok())
      return toError(More.status());
    if (!*More)
      return Error::success();
    if (!Part.Events.empty())
      note(At, Part.Events);
  }
}

void SortedBlocks::note(uint64_t At, const PackedBlocks<Event> &Blocks) {
  Counts.resize(From.grids().size());
  const Event &First = *Blocks.begin();
  Chunk New{At, {{First.Launch, First.Block}, {First.Launch, First.Block}}};
  for (const Event &Each : Blocks) {
    const Key Mine{Each.Launch, Each.Block};
    New.Keys.Least = std::min(New.Keys.Least, Mine);
    New.Keys.Most = std::max(New.Keys.Most, Mine);
    FirstStart = std::min(FirstStart, Each.Start);
    ++Counts[Each.Launch];
    if (!From.isSeekable())
      Kept.Events.add(Each);
  }
  Chunks.push_back(New);
}

/// A launch of too many blocks, in parts of its grid.
void SortedBlocks::splitLaunch(uint64_t Launch,
                               std::vector<KeyRange> &Into) const {
  const uint64_t Blocks = From.grids()[Launch].count();
  const uint64_t Parts = (Counts[Launch] + Most - 1) / Most;
  const uint64_t Each = std::max<uint64_t>(1, Blocks / Parts);
  for (uint64_t First = 0; First < Blocks; First += Each)
    Into.push_back({{Launch, First}, {Launch, First + (Each - 1)}});
}

/// In which order what is asked for is read; each part has few enough.
std::vector<SortedBlocks::KeyRange> SortedBlocks::parts() const {
  std::vector<KeyRange> Out;
  uint64_t Held = 0;
  bool IsOpen = false;
  for (uint64_t L = 0; L < Counts.size(); ++L) {
    if (!Launches.has(L) || Counts[L] == 0)
      continue;
    if (Counts[L] > Most) {
      splitLaunch(L, Out);
      IsOpen = false;
      continue;
    }
    if (!IsOpen || Held + Counts[L] > Most) {
      Out.push_back({{L, 0}, {}});
      Held = 0;
      IsOpen = true;
    }
    Held += Counts[L];
    Out.back().Most = {L, ~uint64_t(0)};
  }
  return Out;
}

Error SortedBlocks::readPart(const KeyRange &Of, std::vector<Event> &Out) {
  const auto Take = [&](const PackedBlocks<Event> &All) {
    for (const Event &Each : All) {
      const Key Mine{Each.Launch, Each.Block};
      if (Of.Least <= Mine && Mine <= Of.Most)
        Out.push_back(Each);
    }
  };
  Out.clear();
  Take(Kept.Events);
  for (const Chunk &Each : Chunks) {
    if (!From.isSeekable() || Each.Keys.Most < Of.Least ||
        Of.Most < Each.Keys.Least)
      continue;
    Recording Part;
    if (Status Wrong = From.blocksAt(Each.At, Part); !Wrong.ok())
      return toError(Wrong);
    Take(Part.Events);
  }
  std::sort(Out.begin(), Out.end(), [](const Event &A, const Event &B) {
    return std::tie(A.Launch, A.Block, A.Start, A.End, A.Where) <
           std::tie(B.Launch, B.Block, B.Start, B.End, B.Where);
  });
  return Error::success();
}

Error SortedBlocks::forEach(function_ref<void(const Event &)> Call) {
  std::vector<Event> Part;
  for (const KeyRange &Each : parts()) {
    if (Error Wrong = readPart(Each, Part))
      return Wrong;
    for (Event Block : Part) {
      Block.Start -= FirstStart;
      Block.End -= FirstStart;
      Call(Block);
    }
  }
  return Error::success();
}

} // namespace blockmaestro
