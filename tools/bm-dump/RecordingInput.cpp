// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingInput.h"

#include "Reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {

Expected<LaunchSpan> spanOf(const LaunchRange &Range, uint64_t Count) {
  if (Range.isAll())
    return LaunchSpan();
  auto Wanted = launchesIn(Range, Count);
  if (!Wanted)
    return Wanted.takeError();
  return LaunchSpan{Wanted->first, Wanted->second, false};
}

int showRecording(Error (*Show)(const DumpView &), const DumpOptions &Given) {
  Result<Recording> Read = readRecording(Given.File);
  if (!Read.ok())
    return fail(Read.status().message());
  Expected<LaunchSpan> Span = spanOf(Given.Launches, Read->Launches.size());
  if (!Span)
    return fail(Given.File + ": " + toString(Span.takeError()));
  if (Error Wrong = Show({*Read, Given, *Span}))
    return fail(toString(std::move(Wrong)));
  return 0;
}

bool DumpView::isAsked(const RecordedRelation &R) const {
  const auto Has = [&](uint64_t Number, bool IsCopy) {
    return IsCopy ? isShown(In.Copies[Number]) : Launches.has(Number);
  };
  return Has(R.Producer, R.ProducerIsCopy) && Has(R.Consumer, R.ConsumerIsCopy);
}

uint64_t DumpView::hiddenCount() const {
  auto Hidden = [&](const RecordedRelation &R) {
    return R.Implied && !How.All && isAsked(R);
  };
  return count_if(In.Relations, Hidden) + count_if(In.CopyRelations, Hidden);
}

} // namespace blockmaestro
