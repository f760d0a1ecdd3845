// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how much of a machine a block needs, by its recorded cost.
// On the data's way: from BlockCost and Machine to Durations.
// The model, an estimate by bounds, is docs/simulator.md.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_NEEDS_H
#define BLOCKMAESTRO_RUNTIME_SIM_NEEDS_H

#include "Machine.h"
#include "blockmaestro/Recording.h"

#include <cstdint>

namespace blockmaestro::sim {

uint64_t ceilDiv(uint64_t Value, uint64_t Divisor);

/// What so many cycles take, in nanoseconds.
double inNs(double Cycles, const Machine &On);

/// How many registers a thread of this launch has: in the form that ran, where
/// that is known; 0 where nothing is.
uint32_t registersPerThread(const RecordedLaunch &What);

/// How many registers of an SM a block of this launch takes: whole allocations
/// for each warp, and at most all, since a compiler for the machine would have
/// made do with these. 0 where a thread's are not known.
uint32_t registersPerBlock(const RecordedLaunch &What, const Machine &On);

/// How many blocks of this launch one SM holds; 0 when not even one.
uint32_t blocksPerSm(const RecordedLaunch &What, const Machine &On);

/// How many of them share an SM while the launch runs by itself; at least 1.
uint64_t blocksTogether(const RecordedLaunch &What, const Machine &On);

/// What a block needs, in nanoseconds that each would take by itself: at the
/// least, of its SM's issue slots and the like, of the machine's memory.
struct BlockNeeds {
  double Latency = 0;
  double Issue = 0;
  double Memory = 0;
  /// Whether the latency comes first and what is shared behind it, not both at
  /// a time.
  bool SharesLast = false;
};

/// Where the recording has chains and the machine wants them, by these.
/// \p ProgramBytes: all that the recording touches.
BlockNeeds needsOf(const BlockCost &Cost, const RecordedLaunch &What,
                   const Machine &On, uint64_t ProgramBytes = ~uint64_t(0));

} // namespace blockmaestro::sim

#endif
