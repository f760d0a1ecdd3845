// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LanePosition.h"

#include <algorithm>

namespace blockmaestro {

namespace {

constexpr uint32_t None = ~0u;

/// How many loops two steps are in together.
size_t sharedLoops(const StepPlace &A, const StepPlace &B) {
  const auto [End, Ignored] = std::ranges::mismatch(A.Loops, B.Loops);
  return size_t(End - A.Loops.begin());
}

} // namespace

void LanePosition::visit(uint32_t Step, const std::vector<StepPlace> &Places) {
  const StepPlace &To = Places[Step];
  if (Frames.empty() || To.IsEntry)
    Frames.push_back({Parts.size(), None});
  Frame &In = Frames.back();
  const size_t Kept = In.Step == None ? 0 : sharedLoops(Places[In.Step], To);
  Parts.resize(In.Begin + 2 * Kept);
  if (Kept > 0 && Kept == To.Loops.size() && To.Loops.back() == Step)
    ++Parts.back();
  for (size_t I = Kept; I < To.Loops.size(); ++I) {
    Parts.push_back(To.Loops[I]);
    Parts.push_back(0);
  }
  Parts.push_back(Step);
  In.Step = Step;
}

void LanePosition::leave() {
  if (Frames.size() < 2)
    return;
  Parts.resize(Frames.back().Begin);
  Frames.pop_back();
}

void LanePosition::clear() {
  Parts.clear();
  Frames.clear();
}

} // namespace blockmaestro
