// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recordings whose warps do a number of instructions that do not wait for each
// other, on machines whose cycles can be counted by hand.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_MANAGE_HANDMADEWARPS_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_MANAGE_HANDMADEWARPS_H

#include "Machine.h"
#include "blockmaestro/Recording.h"

#include <memory>
#include <vector>

namespace blockmaestro::sim {

/// One scheduler on each SM, which issues an instruction a cycle. A block of
/// one warp alone on an SM takes a cycle for each of its instructions.
inline Machine plainMachine(uint32_t Sms) {
  Machine M;
  M.Sms = Sms;
  M.ClockMHz = 1000;
  M.BlockIssueNs = 0;
  M.ThreadsPerSm = 128;
  M.BlocksPerSm = 4;
  M.Warps.Schedulers = 1;
  return M;
}

/// Adds a launch of blocks of one warp, with so many threads each on the
/// machine.
inline void addLaunch(Recording &To, uint32_t Blocks, uint32_t Instructions,
                      uint32_t Warps = 1) {
  auto Code = std::make_shared<WarpCode>();
  Code->Registers = 1;
  Code->Steps.resize(1);
  Code->Steps[0].Instructions.assign(Instructions,
                                     {WarpClass::Integer, NoRegister, {}});
  auto Route = std::make_shared<WarpRoute>();
  Route->Visits = {{0, ~0u}};
  auto Path = std::make_shared<WarpPath>();
  Path->Route = Route;
  RecordedLaunch Launch;
  Launch.Id = To.Launches.size();
  Launch.Kernel = "plain";
  Launch.Block = {32 * Warps, 1, 1};
  Launch.Grid = {Blocks, 1, 1};
  To.WarpsOneIn = 1;
  for (uint32_t I = 0; I < Blocks; ++I) {
    BlockTrace Trace;
    Trace.Launch = Launch.Id;
    Trace.Block = I;
    Trace.Code = Code;
    Trace.Warps.assign(Warps, Path);
    To.Traces.push_back(Trace);
  }
  To.Launches.push_back(Launch);
}

/// Adds a launch of one block of one warp, which reads these sectors one after
/// the other.
inline void addReading(Recording &To, const std::vector<uint64_t> &Sectors) {
  addLaunch(To, 1, 1);
  auto Code = std::make_shared<WarpCode>();
  Code->Registers = 1;
  Code->Steps.resize(1);
  Code->Steps[0].Instructions.assign(Sectors.size(), {WarpClass::Read, 0, {0}});
  auto Route = std::make_shared<WarpRoute>();
  Route->Visits = {{0, ~0u}};
  Route->Accesses.assign(Sectors.size(), {false, 1});
  auto Path = std::make_shared<WarpPath>();
  Path->Route = Route;
  Path->Sectors = Sectors;
  To.Traces.back().Code = Code;
  To.Traces.back().Warps = {Path};
}

inline Recording plainRecording(uint32_t Blocks, uint32_t Instructions,
                                uint32_t Warps = 1) {
  Recording Out;
  addLaunch(Out, Blocks, Instructions, Warps);
  return Out;
}

} // namespace blockmaestro::sim

#endif
