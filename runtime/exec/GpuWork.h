// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the GPU executors give a stream: launches, copies within the
// memory of the device or from the host to it, and fills.
// On the data's way: made by runtime/cuda and the executors, read by GpuPort.
// Ownership: arguments are the maker's. Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_GPUWORK_H
#define BLOCKMAESTRO_RUNTIME_EXEC_GPUWORK_H

#include "blockmaestro/Launch.h"

#include <cstddef>
#include <cstdint>
#include <variant>

namespace blockmaestro {

enum class KernelVariant : uint8_t {
  Plain,      ///< As the program has it.
  Pdl,        ///< Waits for the launch in front as a whole; the same arguments.
  Prelaunch,  ///< Its prelaunch variant; one more argument, a Gate.
  Timed,      ///< Notes when its blocks run; one more, a BlockTime *.
  Persistent, ///< The persistent entry of its module; one argument, a Batch.
};

struct GpuLaunch {
  const KernelRecord *Kernel = nullptr;
  KernelVariant Form = KernelVariant::Plain;
  Dim3 Grid;
  Dim3 Block;
  uint32_t SharedBytes = 0;
  void *Stream = nullptr;
  void **Arguments = nullptr;
  bool Programmatic = false; ///< May start before its predecessor has ended.
  bool Cooperative = false;  ///< All blocks are resident together, or an error.
};

/// Whose memory a copy reads.
enum class CopySource : uint8_t {
  Device,
  Pinned,  ///< Of the host; it stays as it is until the copy is done.
  Passing, ///< Of the host; it may be another when the call has returned.
};

/// Bytes in a row, at least one, to memory of the device.
struct GpuCopy {
  void *To = nullptr;
  const void *From = nullptr;
  size_t Bytes = 0;
  void *Stream = nullptr;
  CopySource Source = CopySource::Device;
  /// Of pinned memory: a number that no other allocation ever has.
  uint64_t Allocation = 0;
  bool operator==(const GpuCopy &) const = default;
};

/// Sets bytes in a row, at least one.
struct GpuFill {
  void *To = nullptr;
  uint8_t Value = 0;
  size_t Bytes = 0;
  void *Stream = nullptr;
  bool operator==(const GpuFill &) const = default;
};

using GpuWork = std::variant<GpuLaunch, GpuCopy, GpuFill>;

inline void *streamOf(const GpuWork &What) {
  return std::visit([](const auto &Each) { return Each.Stream; }, What);
}

} // namespace blockmaestro

#endif
