// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a stream as captures know it.
// On the data's way: Streams.h -> here -> Captures.h. Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_STREAMNAME_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_STREAMNAME_H

namespace blockmaestro::emulated {

/// Made by streamName() (Streams.h).
struct StreamName {
  const void *Key = nullptr; ///< One for each stream, by whatever handle.
  bool Blocking = true;      ///< Waits for the legacy stream and it for this.
  bool Legacy = false;       ///< Is the legacy stream itself.
};

} // namespace blockmaestro::emulated

#endif
