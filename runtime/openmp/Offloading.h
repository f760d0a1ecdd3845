// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the process offloads to: the device's memory and data, the
// images, and whether anything runs on a device at all.
// On the data's way: the exported calls (TargetCalls, DeviceRoutines) -> here.
// Invariants: there is one device, number 0: the one that is CUDA's current.
// Ownership: never destroyed, since static destructors may offload. Threads:
// any.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_OFFLOADING_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_OFFLOADING_H

#include "DeviceData.h"
#include "Images.h"

#include <atomic>

namespace blockmaestro::openmp {

/// Device memory by the CUDA runtime API.
class CudaMemory final : public DeviceMemory {
public:
  Result<DeviceAddress> allocate(size_t Bytes) override;
  Status release(DeviceAddress Where) override;
  Status toDevice(DeviceAddress To, const void *From, size_t Bytes) override;
  Status fromDevice(void *To, DeviceAddress From, size_t Bytes) override;
};

/// OMP_TARGET_OFFLOAD
enum class OffloadPolicy { Disabled, Default, Mandatory };

class Offloading {
public:
  CudaMemory Memory;
  DeviceData Data{Memory};
  Images Code;

  /// 1 where there is a device and a program for it, else 0.
  int deviceCount();
  /// The same, without asking whether the program has images.
  bool hasDevice();
  /// What the host does itself has this number.
  int initialDevice() { return deviceCount(); }
  OffloadPolicy policy();
  /// Gives declare target variables that are new their counterparts.
  Status shareVariables();

private:
  std::mutex Lock; ///< Of shareVariables().
  std::atomic<bool> FoundDevice = false;
};

/// Of this process.
Offloading &offloading();

/// Ends the program with one line that says where and why.
[[noreturn]] void endProgram(const CallLocation *Where, const std::string &Why);

} // namespace blockmaestro::openmp

#endif
