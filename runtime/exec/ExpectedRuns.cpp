// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExpectedRuns.h"

#include <algorithm>

namespace blockmaestro {

bool ExpectedRuns::Run::is(std::span<const HeldWork> Other) const {
  return Stream == streamOf(Other.front().work()) &&
         std::equal(Kinds.begin(), Kinds.end(), Other.begin(), Other.end(),
                    [](const NodeKind &Mine, const HeldWork &Theirs) {
                      return Mine == kindOf(Theirs.work());
                    });
}

void ExpectedRuns::begin() {
  Length = 0;
  for (Run &Each : Runs)
    Each.Matches = true;
}

bool ExpectedRuns::goesOn(const GpuWork &With) {
  bool Any = false;
  for (Run &Each : Runs) {
    Each.Matches = Each.Matches && Each.Kinds.size() > Length &&
                   Each.Kinds[Length] == kindOf(With) &&
                   Each.Stream == streamOf(With);
    Any |= Each.Matches;
  }
  ++Length;
  return Any;
}

bool ExpectedRuns::isComplete() const {
  return std::none_of(Runs.begin(), Runs.end(), [this](const Run &Each) {
    return Each.Matches && Each.Kinds.size() > Length;
  });
}

void ExpectedRuns::ended(std::span<const HeldWork> Like, bool Wanted) {
  const NodeKind First = kindOf(Like.front().work());
  Run Known;
  std::erase_if(Runs, [&](Run &Each) {
    if (Each.is(Like)) {
      Known = std::move(Each);
      return true;
    }
    Each.Missed += Each.Kinds.front() == First;
    return Each.Missed > MostMissed;
  });
  if (!Wanted)
    return;
  Known.Missed = 0;
  if (Known.Kinds.empty()) {
    Known.Stream = streamOf(Like.front().work());
    for (const HeldWork &Each : Like)
      Known.Kinds.push_back(kindOf(Each.work()));
  }
  if (Runs.size() == MostRuns)
    Runs.erase(Runs.begin());
  Runs.push_back(std::move(Known));
}

} // namespace blockmaestro
