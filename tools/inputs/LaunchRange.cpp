// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchRange.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

static std::optional<uint64_t> numberIn(StringRef Text) {
  uint64_t Number = 0;
  if (Text.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

Expected<LaunchRange> parseLaunchRange(StringRef Text) {
  LaunchRange Out;
  auto [Low, High] = Text.split("..");
  const bool IsRange = Text.contains("..") && Text != "..";
  Out.FromEnd = Low.consume_front("-");
  const bool Open = Low.empty() && !Out.FromEnd;
  const std::optional<uint64_t> First = Open ? 0 : numberIn(Low);
  Out.First = First.value_or(0);
  Out.Last = numberIn(High);
  const bool Right = IsRange && First && (Out.Last || High.empty());
  const bool Empty = Out.FromEnd ? Out.Last || Out.First == 0
                                 : Out.Last && *Out.Last < Out.First;
  if (!Right || Empty)
    return createStringError("launches must be A..B, A.., ..B or -N.. (the "
                             "last N), not '" +
                             Text + "'");
  return Out;
}

Expected<std::pair<uint64_t, uint64_t>> launchesIn(const LaunchRange &Range,
                                                   uint64_t Count) {
  if (Count == 0)
    return createStringError("the recording has no launches");
  if (Range.FromEnd && Range.First > Count)
    return createStringError("the recording has " + Twine(Count) +
                             " launches, not " + Twine(Range.First));
  const uint64_t First = Range.FromEnd ? Count - Range.First : Range.First;
  const uint64_t Last = Range.Last.value_or(Count - 1);
  if (First >= Count || Last >= Count)
    return createStringError("the recording has launches 0 to " +
                             Twine(Count - 1) + ", not " +
                             Twine(std::max(First, Last)));
  return std::make_pair(First, Last);
}

} // namespace blockmaestro
