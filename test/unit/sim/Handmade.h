// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recordings made by hand for the simulator's tests.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_HANDMADE_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_HANDMADE_H

#include "Simulator.h"
#include "blockmaestro/BlockGraph.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace blockmaestro::sim {

/// Bytes that take 100 ns from the host of tinyMachine(), or to it.
inline constexpr uint64_t HostBytes = 1575;

/// Two SMs with one block each, 15 ns launch overhead.
inline Machine tinyMachine() {
  Machine M;
  M.Name = "tiny";
  M.Sms = 2;
  M.BlocksPerSm = 1;
  M.LaunchOverheadNs = 15;
  M.LaunchesAtOnce = 1;
  M.BlockIssueNs = 0;
  return M;
}

/// Adds a launch of one-dimensional blocks with these durations.
inline void addLaunch(Recording &To, const std::vector<uint64_t> &Ns) {
  RecordedLaunch L;
  L.Id = To.Launches.size();
  L.Kernel = "k" + std::to_string(L.Id);
  L.Grid = {uint32_t(Ns.size()), 1, 1};
  L.Block = {32, 1, 1};
  To.Launches.push_back(L);
  for (uint64_t B = 0; B < Ns.size(); ++B)
    To.Events.add({L.Id, B, 1000, 1000 + Ns[B], 0});
}

/// Adds a copy before the next launch; the bytes of each range that is the
/// device's. Where one is missing that side is the host's.
inline RecordedCopy &addCopy(Recording &To, const char *Call, uint64_t Read,
                             uint64_t Written) {
  RecordedCopy C;
  C.Id = To.Copies.size();
  C.Before = To.Launches.size();
  C.Call = Call;
  C.Bytes = std::max(Read, Written);
  C.From = Read ? MemoryPlace::Device : MemoryPlace::Pageable;
  C.To = Written ? MemoryPlace::Device : MemoryPlace::Pageable;
  if (Read)
    C.Ranges.push_back({0x1000, Read, false});
  if (Written)
    C.Ranges.push_back({0x9000, Written, true});
  To.Copies.push_back(C);
  return To.Copies.back();
}

/// A relation without pieces: independent, or full.
inline RecordedRelation &addRelation(Recording &To, uint64_t Producer,
                                     uint64_t Consumer,
                                     RelationKind Kind = RelationKind::Closed) {
  RecordedRelation R;
  R.Producer = Producer;
  R.Consumer = Consumer;
  R.Hazards = HazardRAW;
  Dim3 Grid = To.Launches[Producer].Grid;
  R.Header = {uint32_t(Kind), 0, {Grid.X, Grid.Y, Grid.Z}};
  To.Relations.push_back(R);
  return To.Relations.back();
}

/// Parents of block c: c + Low to c + High.
inline void addDelta(Recording &To, uint64_t Producer, uint64_t Consumer,
                     int32_t Low, int32_t High) {
  RecordedRelation &R = addRelation(To, Producer, Consumer);
  EncodedPiece P{};
  P.ConsumerHigh[0] = int32_t(To.Launches[Consumer].Grid.X) - 1;
  P.ProducerHigh[0] = int32_t(To.Launches[Producer].Grid.X) - 1;
  P.Rows[0] = {{1, 0, 0}, 1, Low, High};
  P.Rows[1] = P.Rows[2] = {{0, 0, 0}, 1, 0, 0};
  R.Pieces.push_back(P);
  R.PieceHazards.push_back(HazardRAW);
  R.Header.PieceCount = 1;
}

/// Two launches of four blocks, 1-to-1.
inline Recording pairOfLaunches() {
  Recording R;
  R.Window = 3;
  addLaunch(R, {10, 20, 30, 10});
  addLaunch(R, {10, 10, 10, 10});
  addDelta(R, 0, 1, 0, 0);
  return R;
}

inline Workload workloadOf(const Recording &R, const Machine &On,
                           HostSource Host = HostSource::None) {
  Result<Workload> W = makeWorkload(R, On, {DurationSource::Events, 0}, Host);
  return W.ok() ? std::move(*W) : Workload();
}

inline SimulationReport run(const Recording &R, const Machine &On,
                            std::string_view Scheduler,
                            HostSource Host = HostSource::None) {
  SimulationOptions Options;
  Options.Timeline = true;
  return simulate(workloadOf(R, On, Host), On, *findScheduler(Scheduler),
                  Options);
}

/// Start of every block of one launch.
inline std::vector<uint64_t> startsOf(const SimulationReport &Report,
                                      uint32_t Launch) {
  std::vector<uint64_t> Starts;
  for (const BlockTimes &T : Report.Timeline)
    if (T.Launch == Launch) {
      Starts.resize(std::max<size_t>(Starts.size(), T.Block + 1));
      Starts[T.Block] = T.Start;
    }
  return Starts;
}

} // namespace blockmaestro::sim

#endif
