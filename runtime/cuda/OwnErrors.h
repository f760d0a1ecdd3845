// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: keeps what calls of ours do to a thread from the program.
// On the data's way: around calls of the real runtime.
// Threads: each value lives on one.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_OWNERRORS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_OWNERRORS_H

#include "Device.h"

namespace blockmaestro {

/// While it lives, calls of ours leave no error that the program did not make.
class OwnErrors {
public:
  explicit OwnErrors(const RuntimeCalls &Calls)
      : Calls(Calls), Clean(Calls.cudaPeekAtLastError() == cudaSuccess) {}
  ~OwnErrors() {
    if (Clean)
      (void)Calls.cudaGetLastError();
  }
  OwnErrors(const OwnErrors &) = delete;
  OwnErrors &operator=(const OwnErrors &) = delete;

private:
  const RuntimeCalls &Calls;
  const bool Clean;
};

/// While it lives, calls of ours on this thread are no part of what the program
/// may be capturing, on this thread or another.
class NotCaptured {
public:
  explicit NotCaptured(const RuntimeCalls &Calls) : Calls(Calls) {
    (void)Calls.cudaThreadExchangeStreamCaptureMode(&Mode);
  }
  ~NotCaptured() { (void)Calls.cudaThreadExchangeStreamCaptureMode(&Mode); }
  NotCaptured(const NotCaptured &) = delete;
  NotCaptured &operator=(const NotCaptured &) = delete;

private:
  const RuntimeCalls &Calls;
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed;
};

} // namespace blockmaestro

#endif
