// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how long each thread of the program computes between its calls
// of CUDA. What it waits for inside of them, and on the emulated device what
// running kernels takes there, does not count.
// On the data's way: Api.cpp says when calls begin and end; the front end asks,
// for the recording.
// Invariants: a thread's time never falls. Nothing is counted before start().
// Threads: any; each has a clock of its own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_HOSTCLOCK_H
#define BLOCKMAESTRO_RUNTIME_CUDA_HOSTCLOCK_H

#include "blockmaestro/Recording.h"

#include <atomic>
#include <cstdint>

namespace blockmaestro {

/// The time that passes outside of calls, from the end of the first one. Calls
/// may be made inside of calls.
class TimeBetweenCalls {
public:
  void begin(uint64_t Now) {
    Ns = ns(Now);
    ++Depth;
  }
  /// Of a call whose beginning was not seen where WasBegun is false.
  void end(uint64_t Now, bool WasBegun = true) {
    Depth -= WasBegun;
    LastEnd = Now;
    IsKnown = true;
  }
  /// Up to Now, or to the beginning of the call that is made now.
  uint64_t ns(uint64_t Now) const {
    return Depth == 0 && IsKnown ? Ns + (Now - LastEnd) : Ns;
  }

private:
  uint64_t Ns = 0;
  uint64_t LastEnd = 0;
  uint32_t Depth = 0;
  bool IsKnown = false; ///< LastEnd is.
};

class HostClock {
public:
  /// Calls are timed from now on.
  static void start() { Started.store(true, std::memory_order_relaxed); }
  /// Of the calling thread.
  static HostTime now();

  /// One call of the program, while it lives.
  class Call {
  public:
    Call() {
      if (started())
        begin();
    }
    ~Call() {
      if (started())
        end();
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

  private:
    void begin();
    void end();
    bool Begun = false;
  };

private:
  static bool started() { return Started.load(std::memory_order_relaxed); }
  static inline std::atomic<bool> Started{false};
};

} // namespace blockmaestro

#endif
