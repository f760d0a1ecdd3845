// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes one of the GPUs the calling thread's for a while.
// On the data's way: around calls of ours that are made when the program may
// have chosen another GPU, or by a thread of ours.
// Threads: one object for each.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_ONDEVICE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_ONDEVICE_H

#include "Device.h"

namespace blockmaestro {

class OnDevice {
public:
  OnDevice(const RuntimeCalls &Real, int Device) : Real(Real) {
    if (Real.cudaGetDevice(&Before) != cudaSuccess || Before == Device)
      Before = None;
    else
      (void)Real.cudaSetDevice(Device);
  }
  ~OnDevice() {
    if (Before != None)
      (void)Real.cudaSetDevice(Before);
  }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;

private:
  static constexpr int None = -1;
  const RuntimeCalls &Real;
  int Before = None;
};

} // namespace blockmaestro

#endif
