// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the emulated device says it is, see docs/machine.md: a
// description of few numbers, and all that follows from them: properties,
// attributes, occupancy, the limits of a launch.
// On the data's way: the default or a file (MachineFile.h) -> everything that
// tells the program about the device.
// Invariants: what is said in one way agrees with what is said in another.
// Threads: useMachine() before anything else; constant afterwards.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_MACHINE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_MACHINE_H

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace blockmaestro {

/// What a file can say; the defaults are the default machine.
struct EmulatedMachine {
  std::string Name = "BlockMaestro emulated device";
  uint64_t Major = 9;
  uint64_t Minor = 0;
  uint64_t Sms = 16;
  uint64_t BlocksPerSm = 32;
  uint64_t ThreadsPerSm = 2048;
  uint64_t RegistersPerSm = 65536;
  uint64_t SharedBytesPerSm = 228 << 10;
  uint64_t SharedBytesPerBlock = 48 << 10; ///< Without asking.
  uint64_t SharedBytesPerBlockOptin = 227 << 10;
  uint64_t SharedBytesReserved = 1 << 10; ///< Of each block, by the system.
  uint64_t MemoryBytes = uint64_t(8) << 30;
  uint64_t AllocationGapBytes = 1024; ///< Between two allocations.
  uint64_t L2Bytes = 50 << 20;
  uint64_t ClockMHz = 1500;
  uint64_t MemoryClockMHz = 2600;
  uint64_t MemoryBusBits = 5120;
};

/// Makes the device this machine. Before anything asks.
void useMachine(const EmulatedMachine &Chosen);

const EmulatedMachine &emulatedMachine();
const cudaDeviceProp &emulatedProperties();

/// False for an attribute that CUDA does not document.
bool emulatedAttribute(cudaDeviceAttr Which, int &Out);

/// What every kernel is said to need; see docs/machine.md.
inline constexpr int RegistersPerThread = 32;

/// How many blocks of this shape one multiprocessor holds at a time, each with
/// this much shared memory, static and dynamic. 0 when it holds none.
int emulatedOccupancy(int BlockSize, size_t SharedBytes);

/// The most shared memory each of so many blocks of a multiprocessor can have.
size_t emulatedSharedPerBlock(int Blocks);

/// Whether a launch of this shape is within the limits.
/// How many blocks a cluster may have, and how many where the program says that
/// it does not need to be portable.
inline constexpr unsigned LargestPortableCluster = 8;
inline constexpr unsigned LargestCluster = 16;

bool emulatedShapeFits(dim3 Grid, dim3 Block);

} // namespace blockmaestro

#endif
