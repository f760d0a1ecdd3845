// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: lets launches that an executor holds back go on when the program
// makes no calls, because it may be watching memory that they write.
// On the data's way: beside the front end, which has the executor.
// Invariants: a program that calls again within FirstPatience never notices. A
// program that watches once will do so again: from then on LaterPatience
// counts. Ownership: the lock and what the functions use outlive stop().
// Threads: one of its own, from the first notify() on, which calls the
// functions with the lock held. As long as something new is held back in time
// it does not take the lock: callers do not wait for it.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_HOSTWATCH_H
#define BLOCKMAESTRO_RUNTIME_CUDA_HOSTWATCH_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace blockmaestro {

class HostWatch {
public:
  using Time = std::chrono::microseconds;
  static constexpr Time FirstPatience{200'000};
  static constexpr Time LaterPatience{2'000};

  /// \p Held says whether something is held back that the host may see; \p
  /// Release runs all of it, and then nothing is. Nothing new may be held back
  /// for \p First before that, and for \p Later when it has once.
  HostWatch(std::mutex &Lock, std::function<bool()> Held,
            std::function<void()> Release, Time First = FirstPatience,
            Time Later = LaterPatience)
      : Lock(Lock), Held(std::move(Held)), Release(std::move(Release)),
        Later(Later), Patience(First) {}
  ~HostWatch() { stop(); }

  /// Something new is held back; the caller has the lock.
  void notify();
  /// Nothing is released any more; the caller does not have the lock.
  void stop();

private:
  void run();
  void look();
  bool pause();
  bool release(uint64_t Last);

  std::mutex &Lock; ///< Of what follows.
  const std::function<bool()> Held;
  const std::function<void()> Release;
  std::condition_variable Changed;
  bool Awake = false; ///< The thread looks without being told.
  std::thread Thread;

  const Time Later;
  Time Patience; ///< The thread's own.
  std::atomic<uint64_t> Told{0};
  std::atomic<bool> Stopping{false}; ///< Set with both locks.
  std::mutex PauseLock;
  std::condition_variable Stopped;
};

} // namespace blockmaestro

#endif
