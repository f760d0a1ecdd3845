// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel that stays on the device until the host lets it go, so that a
// program can tell what waits for what without looking at a clock.

#ifndef GATE_H
#define GATE_H

#include "suite.h"

namespace suite {

__global__ void waitAtGate(volatile int *Open) {
  while (*Open == 0)
    ;
}

/// Closed until open() is called. Made before the kernels behind it, and once
/// passed in advance, so that no kernel has to be loaded while one waits.
class Gate {
public:
  Gate() {
    void *New = nullptr;
    checkAt(cudaHostAlloc(&New, sizeof(int), cudaHostAllocMapped),
            "cudaHostAlloc", __LINE__);
    Flag = static_cast<volatile int *>(New);
    void *There = nullptr;
    checkAt(cudaHostGetDevicePointer(&There, New, 0),
            "cudaHostGetDevicePointer", __LINE__);
    OnDevice = static_cast<int *>(There);
    open();
    close(nullptr);
    checkAt(cudaDeviceSynchronize(), "gate", __LINE__);
    *Flag = 0;
  }
  Gate(const Gate &) = delete;
  Gate &operator=(const Gate &) = delete;
  ~Gate() { cudaFreeHost(const_cast<int *>(Flag)); }

  /// What follows in the stream waits for open().
  void close(cudaStream_t Stream) {
    waitAtGate<<<1, 1, 0, Stream>>>(OnDevice);
    checkAt(cudaGetLastError(), "gate", __LINE__);
  }
  void open() { *Flag = 1; }
  /// Another time; nothing waits at it.
  void again() { *Flag = 0; }

private:
  volatile int *Flag = nullptr;
  int *OnDevice = nullptr;
};

/// Whether what was asked for with cudaStreamQuery or cudaEventQuery is not
/// done.
inline bool notReady(cudaError_t Answer) { return Answer == cudaErrorNotReady; }

} // namespace suite

#endif // GATE_H
