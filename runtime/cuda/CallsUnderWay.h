// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how many threads are in a call of the program's. A call that the
// device makes in the order of a stream is made behind a fence, but without the
// front end's lock: a work that another thread gives to a stream of ours in
// between would come before that call on the device, and not be behind it.
// On the data's way: counted around calls (Api.cpp), asked where launches leave
// the order of their stream.
// Invariants: the count is taken when the front end has been opened, and so
// knows whether calls are counted.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CALLSUNDERWAY_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CALLSUNDERWAY_H

#include <atomic>

namespace blockmaestro {

class CallsUnderWay {
public:
  /// Calls that begin from now on are counted.
  static void count() { Counted.store(true, std::memory_order_relaxed); }

  /// One call, while it lives. A call that is made within one is part of it.
  class Call {
  public:
    Call() : IsCounted(Counted.load(std::memory_order_relaxed)) {
      if (IsCounted && Depth++ == 0)
        Threads.fetch_add(1);
    }
    ~Call() {
      if (IsCounted && --Depth == 0)
        Threads.fetch_sub(1);
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

  private:
    const bool IsCounted;
  };

  /// Whether another thread is in a call.
  static bool onOtherThreads() {
    return Threads.load() > (Depth > 0 ? 1u : 0u);
  }

private:
  static inline std::atomic<bool> Counted{false};
  static inline std::atomic<unsigned> Threads{0};
  static inline thread_local unsigned Depth = 0;
};

} // namespace blockmaestro

#endif
