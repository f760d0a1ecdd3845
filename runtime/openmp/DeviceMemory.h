// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the operations on device memory that mapping needs.
// On the data's way: DeviceData -> here -> the CUDA runtime API, or a test's
// memory.
// Invariants: a copy has read or written the host's bytes when it returns, and
// comes behind the launches before it.
// Ownership: none. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_DEVICEMEMORY_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_DEVICEMEMORY_H

#include "blockmaestro/Status.h"

#include <cstddef>
#include <cstdint>

namespace blockmaestro::openmp {

/// Addresses of the device, as numbers: the host cannot follow them.
using DeviceAddress = uint64_t;

struct DeviceRange {
  DeviceAddress Begin = 0;
  uint64_t Bytes = 0;
};

class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;

  /// At least 256 bytes aligned.
  virtual Result<DeviceAddress> allocate(size_t Bytes) = 0;
  virtual Status release(DeviceAddress Where) = 0;
  virtual Status toDevice(DeviceAddress To, const void *From, size_t Bytes) = 0;
  virtual Status fromDevice(void *To, DeviceAddress From, size_t Bytes) = 0;
};

} // namespace blockmaestro::openmp

#endif
