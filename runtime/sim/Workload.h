// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a recording made ready for simulation on one machine: every
// block with its duration and resources, every relation expanded. A copy is a
// launch of one block that needs no SM.
// On the data's way: from Recording, Machine and durations to the simulator;
// one workload serves all schedulers.
// Invariants: every block fits an SM; at most MaxBlocks blocks a launch; In is
// ordered by falling Producer; Barrier says that schedulers let all earlier
// launches complete before this one is launched.
// Ownership: owns everything; keeps no reference to the recording. Threads:
// immutable once built.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WORKLOAD_H
#define BLOCKMAESTRO_RUNTIME_SIM_WORKLOAD_H

#include "Durations.h"
#include "Expansion.h"
#include "Machine.h"

#include <cstddef>
#include <string>
#include <vector>

namespace blockmaestro::sim {

inline constexpr uint64_t MaxBlocks = uint64_t(1) << 26;

struct WorkRelation {
  uint32_t Producer = 0;
  uint32_t Consumer = 0;
  uint32_t Expanded = 0; ///< Index into Workload::Expansions.
  /// Waits for the whole producer even where blocks could wait for their
  /// parents: full, or the block's counter would not hold all its parents.
  bool KernelLevel = false;
};

struct WorkLaunch {
  std::string Kernel; ///< Or the call that copies.
  bool IsCopy = false;
  CopyPath Path = CopyPath::None; ///< Of a copy.
  uint32_t Blocks = 0;
  uint32_t Threads = 0; ///< Of one block.
  uint32_t SharedBytes = 0;
  uint32_t Registers = 0; ///< Of one block; 0: not known.
  /// The host waited for what the copy brought, before all that it issued
  /// later.
  bool HostReads = false;
  bool Barrier = false;
  /// Not even a command queue that reorders may pass the barrier: it is not
  /// there only because the host waited for a copy that brings it nothing.
  bool Firm = false;
  /// Not even a scheduler that knows everything may pass the barrier: the host
  /// waited for all before it, or nobody knows what a copy touches.
  bool Fence = false;
  /// Where blocks share, what each takes by itself.
  PerBlock<uint64_t> DurationNs;
  /// What they need of their SM's issue slots and of memory; empty where they
  /// do not share.
  PerBlock<float> IssueNs, MemoryNs;
  bool SharesLast = false;  ///< They need these behind the time, not beside it.
  std::vector<uint32_t> In; ///< Relations whose consumer this is.
  std::vector<uint32_t> Out; ///< Relations whose producer this is.

  /// Whether the device has anything to do for it.
  bool takesTime() const { return !IsCopy || Path != CopyPath::None; }
  /// Whether it is a copy that others of its path keep waiting.
  bool queues() const { return IsCopy && size_t(Path) < CopyQueues; }
};

/// What a thread of the host does next: computes, and then asks for a launch
/// (or copy), or waits for all before one.
struct HostCall {
  uint32_t Thread = 0;
  uint64_t Ns = 0; ///< That it computes.
  uint32_t Launch = 0;
  bool Waits = false;
};

/// Whether the host takes the time that it was recorded to compute.
enum class HostSource : uint8_t { None, Recorded };

struct Workload {
  std::vector<WorkLaunch> Launches; ///< And copies, in the order issued.
  uint32_t Copies = 0;              ///< How many of these are.
  uint32_t WithoutRegisters = 0;    ///< Launches whose registers do not limit.
  std::vector<WorkRelation> Relations;
  std::vector<Expansion> Expansions;
  /// Of each expansion that decodes, where the machine lets it: its pattern's
  /// name.
  std::vector<std::string> Patterns;
  /// In the order of the recording.
  std::vector<HostCall> HostCalls;
  /// Whether these wait, and compute, under every scheduler; else they compute
  /// nothing, and matter only where calls themselves take time.
  bool HostTakesTime = false;
  uint32_t Window = 0;         ///< Relations are known this far back.
  uint64_t GlobalAccesses = 0; ///< Recorded, of warps.
  /// Launches at the end of a cut-off recording that were left out because not
  /// all of their blocks had been written.
  uint32_t LaunchesLeftOut = 0;
};

/// Refuses, with the launch's name: blocks that fit no SM, too many blocks,
/// and blocks without the cost or the event that How needs.
Result<Workload> makeWorkload(const Recording &Of, const Machine &On,
                              const DurationChoice &How,
                              HostSource Host = HostSource::None);

} // namespace blockmaestro::sim

#endif
