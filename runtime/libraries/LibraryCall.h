// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one call of a library as work of the emulated device: what it
// touches, and what it does when its turn has come.
// On the data's way: functions of blas, fft and random -> here -> Runtime ->
// Command.h. See docs/libraries.md.
// Invariants: pointers are kept as they are and looked at only when the work
// runs; what the program gives by value in memory of the host has been copied.
// Threads: any; an object has one.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_LIBRARYCALL_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_LIBRARYCALL_H

#include "Command.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <new>

namespace blockmaestro {

/// Count rows of so many bytes, Pitch apart.
TouchedBox rowsOf(const void *First, size_t Width, size_t Count, size_t Pitch);
/// The same Batch times; a batch whose parts lie on each other is one.
TouchedBox batchOf(TouchedBox One, size_t Batch, long long StrideBytes);

class LibraryCall {
public:
  /// \p Name lives as long as the process.
  LibraryCall(const char *Name, cudaStream_t Stream) noexcept : Stream(Stream) {
    What.Call = Name;
  }

  void reads(const TouchedBox &Box) { add(Box, false); }
  void writes(const TouchedBox &Box) { add(Box, true); }
  void updates(const TouchedBox &Box) {
    reads(Box);
    writes(Box);
  }
  /// The host waits for these bytes.
  void answers(void *Host, size_t Bytes);
  /// It follows pointers that lie in memory of the device.
  void anywhere() { What.Anywhere = true; }

  /// Gives the work to the device, in the order of the stream: Run is called
  /// with a MayTouch and returns a Status. No exception leaves it.
  template <typename Body> cudaError_t issue(const Body &Run) noexcept {
    try {
      return Lost ? cudaErrorMemoryAllocation : give(Run);
    } catch (const std::bad_alloc &) {
      return cudaErrorMemoryAllocation;
    } catch (...) {
      return cudaErrorUnknown;
    }
  }

private:
  void add(TouchedBox Box, bool Writes) noexcept;
  cudaError_t give(std::function<Status(const MayTouch &)> Run);

  LibraryCommand What;
  cudaStream_t Stream;
  bool Lost = false; ///< There was no memory for a box.
};

} // namespace blockmaestro

#endif
