// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the streams and events of the emulated device.
// On the data's way: changed and asked by Streams.h, Events.h and the calls.
// Invariants: as of EngineState.h: one in a process, never destroyed.
// Threads: Lock guards all of it. The engine may be given work meanwhile.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_STREAMSTATE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_STREAMSTATE_H

#include "Operation.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace blockmaestro {

/// A stream is no more than its last operation; see Streams.cpp.
struct EmulatedStream {
  uint64_t Id = 0;
  unsigned Flags = cudaStreamDefault;
  int Priority = 0;
  OperationRef Tail; ///< Null: nothing has ever been submitted.
  /// What cudaStreamSetAttribute has set and nothing here makes use of.
  std::map<int, cudaLaunchAttributeValue> Attributes;
};

struct EmulatedEvent {
  bool Timed = true;
  OperationRef Recorded; ///< The last in the stream then; null: never.
};

struct StreamState {
  std::mutex Lock;
  EmulatedStream Legacy;
  std::map<std::thread::id, EmulatedStream> PerThread;
  std::unordered_map<cudaStream_t, std::unique_ptr<EmulatedStream>> Streams;
  /// The last operations of streams that are no more and that the legacy
  /// stream has to wait for.
  std::vector<OperationRef> Ended;
  uint64_t LastStreamId = 1;
  std::unordered_map<cudaEvent_t, std::unique_ptr<EmulatedEvent>> Events;
};

StreamState &streamState();

} // namespace blockmaestro

#endif
