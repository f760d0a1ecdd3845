// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Profile.h"

#include "Jobs.h"
#include "Needs.h"
#include "Policies.h"

#include <algorithm>

namespace blockmaestro::sim {

static double over(double A, double B) { return B > 0 ? A / B : 0; }

double throughputOf(const WarpCounts &Of) {
  return over(double(Of.Executed.Instructions), double(Of.Cycles));
}

double spUse(const WarpCounts &Of, const Machine &On) {
  const auto &Kept = Of.Executed.Kept;
  const double Pipes = On.Warps.Integer.Count + On.Warps.Single.Count;
  return over(double(Kept[size_t(Unit::Integer)] + Kept[size_t(Unit::Single)] +
                     Kept[size_t(Unit::Product)]),
              double(Of.Cycles) * On.Sms * Pipes);
}

double memoryUse(const WarpCounts &Of, const Machine &On) {
  return over(double(Of.Executed.Kept[size_t(Unit::Memory)]),
              double(Of.Cycles) * On.Sms * On.Warps.Memory.Count);
}

uint32_t mostBlocks(const Application &Of, const Machine &On) {
  uint32_t Out = 1;
  for (const RecordedLaunch &Each : Of.Of->Launches)
    Out = std::max(Out, blocksPerSm(Each, On));
  return Out;
}

/// With how many blocks on an SM at most a run is still another one: with more,
/// each launch has all its blocks on the SMs at once, or as many as fit.
static uint32_t mostThatDiffer(const Application &Of, const Machine &On) {
  uint64_t Out = 1;
  for (const RecordedLaunch &Each : Of.Of->Launches)
    Out = std::max(Out, std::min<uint64_t>(blocksPerSm(Each, On),
                                           ceilDiv(Each.Grid.count(), On.Sms)));
  return uint32_t(Out);
}

static bool isAsGood(double Throughput, double Most) {
  return Throughput >= 0.99 * Most;
}

void categorize(Profile &Of) {
  double Most = 0;
  for (const ProfilePoint &Each : Of.Points)
    Most = std::max(Most, throughputOf(Each.Counts));
  const auto IsBest = [&](const ProfilePoint &Point) {
    return isAsGood(throughputOf(Point.Counts), Most);
  };
  if (IsBest(Of.Points.back())) {
    Of.Type = KernelType::Up;
    Of.Best = Of.Points.back().Blocks;
    return;
  }
  Of.Best = std::find_if(Of.Points.begin(), Of.Points.end(), IsBest)->Blocks;
  Of.Type = Of.Best == 1 ? KernelType::Down : KernelType::Optimal;
}

Profile profileOf(const Application &Of, const Machine &On,
                  const RunOptions &How, unsigned Jobs) {
  Profile Out;
  Out.Points.resize(mostBlocks(Of, On));
  Out.Runs = mostThatDiffer(Of, On);
  inParallel(Out.Runs, Jobs, [&](size_t I) {
    ProfilePoint &Point = Out.Points[I];
    Point.Blocks = uint32_t(I + 1);
    const std::unique_ptr<BlockPolicy> By = makeShares({{Point.Blocks, 0}});
    Point.Counts = simulateTogether({&Of, 1}, On, *By, How).All;
  });
  for (size_t I = Out.Runs; I < Out.Points.size(); ++I)
    Out.Points[I] = {uint32_t(I + 1), Out.Points[Out.Runs - 1].Counts};
  categorize(Out);
  return Out;
}

bool gainsFromL1(const Application &Of, const Profile &Is, const Machine &On,
                 const RunOptions &How) {
  const std::unique_ptr<BlockPolicy> By = makeShares({{Is.Best, Is.Best}});
  const WarpCounts Past = simulateTogether({&Of, 1}, On, *By, How).All;
  return !isAsGood(throughputOf(Past), throughputOf(Is.best().Counts));
}

} // namespace blockmaestro::sim
