// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: BLOCKMAESTRO_CHECK on the emulated device: the checks, told of
// its memory, its kernels' accesses and their footprints.
// On the data's way: between DeviceHeap, the emulator, the front end and
// runtime/check; what it finds goes to Notes, which print it.
// Ownership: the heap, the emulator and the notes outlive it.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_CHECKING_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_CHECKING_H

#include "Checks.h"
#include "DeviceHeap.h"
#include "Notes.h"

#include <memory>

namespace blockmaestro {

class Emulator;

class Checking final : public HeapListener {
public:
  /// From then on \p Heap and \p Runner report here.
  Checking(unsigned Which, DeviceHeap &Heap, Emulator &Runner, Notes &Reasons);

  void allocated(uint64_t Base, uint64_t Bytes, const char *Call) override;
  bool released(uint64_t Base, const char *Call) override;
  void badRelease(uint64_t Address, const char *Call) override;

  /// What comes next: a launch, or a copy.
  void expect(ExpectedNode Next) { All.expect(std::move(Next)); }
  /// See TaskCheck.h.
  void expectTasks(ExpectedTasks Next) { All.expectTasks(std::move(Next)); }
  /// See GraphCheck.h.
  void watch(std::function<void(const RecordedObservation &)> Each) {
    All.graph().watch(std::move(Each));
  }

  /// The program ends: says what was never released, and how much was found.
  void finish();

private:
  DeviceHeap &Heap;
  Notes &Reasons;
  Findings Found;
  Checks All;
};

} // namespace blockmaestro

#endif
