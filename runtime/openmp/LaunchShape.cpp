// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchShape.h"

#include <algorithm>

namespace blockmaestro::openmp {
namespace {

constexpr uint32_t UsualThreads = 128;
constexpr uint64_t WidestGrid = 0x7fffffff;

template <typename T> T limited(T Value, int32_t Limit) {
  return Limit > 0 ? std::min(Value, T(Limit)) : Value;
}

uint64_t usualTeams(const RegionRequest &Asked, const KernelEnvironment &Of,
                    uint32_t Threads, uint32_t Processors) {
  if (Asked.TripCount == 0)
    return Processors;
  // In generic mode a team's threads share an iteration of the outer loop.
  const uint64_t Each = Of.Mode & SpmdMode ? Threads : 1;
  return (Asked.TripCount - 1) / Each + 1;
}

} // namespace

LaunchShape shapeOf(const RegionRequest &Asked, const KernelEnvironment &Of,
                    uint32_t Processors, int32_t MostTeams) {
  LaunchShape Out;
  Out.Threads = Asked.Threads > 0 ? uint32_t(Asked.Threads) : UsualThreads;
  Out.Threads = limited(Out.Threads, Of.MostThreads);
  if (Asked.Teams != 0) {
    Out.Teams = Asked.Teams > 0 ? uint32_t(Asked.Teams) : 1;
    Out.Teams = limited(Out.Teams, Of.MostTeams);
    return Out;
  }
  uint64_t Teams = usualTeams(Asked, Of, Out.Threads, Processors);
  Teams = limited(limited(Teams, Of.MostTeams), MostTeams);
  if (Of.ReductionBytes > 0)
    Teams = limited(Teams, Of.ReductionLength);
  Out.Teams = uint32_t(std::clamp<uint64_t>(Teams, 1, WidestGrid));
  return Out;
}

} // namespace blockmaestro::openmp
