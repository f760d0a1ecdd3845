// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collector.h"

#include "Capture.h"

namespace blockmaestro::emulated {

static thread_local Collector *Current = nullptr;

Collector::Collector(bool Stages) : Stages(Stages) { Current = this; }
Collector::~Collector() { Current = nullptr; }
Collector *Collector::current() { return Current; }

bool Collector::declines(cudaStream_t Stream) {
  if (!Current || !isCapturing(Stream))
    return false;
  Current->Declined = true;
  return true;
}

cudaError_t Collector::take(cudaStream_t Stream, Work What, bool Waits) {
  Declined |= Kept || !What.Shape || !What.Short;
  if (Declined)
    return cudaSuccess;
  WorkShape &Shape = *What.Shape;
  Kept = std::make_unique<CollectedWork>();
  Kept->Stream = Stream;
  Kept->HostWaits = Waits;
  Kept->Run = std::move(What.Short);
  if (Stages && Shape.Stage) {
    Kept->Run = Shape.Stage();
    Shape.Touches.erase(Shape.Touches.begin() + ptrdiff_t(Shape.Staged));
  }
  Kept->Touches = std::move(Shape.Touches);
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
