// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the structures that a target region's kernel gets: its own
// constant, made by clang, and one for each launch, made by the host.
// On the data's way: read by the device runtime's Kernel.cu and Reductions.cu.
// Plain structures, of one layout on both sides; no headers of CUDA.
// Ownership: the launch's structure is in device memory, and belongs to one
// launch until that has ended. Its counter is zero before and after.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_DEVICE_LAUNCHENVIRONMENT_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_DEVICE_LAUNCHENVIRONMENT_H

#include <stdint.h>

namespace blockmaestro {

/// clang's NAME_kernel_environment, for kernel NAME.
struct KernelEnvironment {
  static constexpr uint8_t Generic = 1; ///< One thread runs the region.
  static constexpr uint8_t Spmd = 2;    ///< All threads run it.
  uint8_t UsesStateMachine;
  uint8_t MayNest;
  uint8_t Mode; ///< Generic, Spmd, or both: generic, made SPMD by clang.
  int32_t MinThreads, MaxThreads;
  int32_t MinTeams, MaxTeams;
  int32_t ReductionBytes; ///< Of a team's part of a reduction over teams.
  int32_t ReductionSlots; ///< What clang thinks that the buffer has.
  void *Location;
  void *Dynamic;
};

/// The first argument of a target region's kernel. May be null where
/// ReductionBytes is 0.
struct LaunchEnvironment {
  uint32_t TeamsDone; ///< 0.
  uint32_t Unused;
  void *ReductionBuffer; ///< ReductionBytes for each team of the launch.
};

} // namespace blockmaestro

#endif
