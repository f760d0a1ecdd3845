// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: lets launches that an executor holds back go on when the program
// makes no calls, because it may be watching memory that they write.
// On the data's way: beside the front end, which has the executor.
// Invariants: a program that calls again within FirstPatience never notices. A
// program that watches once will do so again: from then on LaterPatience
// counts. Ownership: the lock and what the functions use outlive stop().
// Threads: one of its own, from the first notify() on, which calls the
// functions with the lock held.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_HOSTWATCH_H
#define BLOCKMAESTRO_RUNTIME_CUDA_HOSTWATCH_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace blockmaestro {

class HostWatch {
public:
  using Time = std::chrono::microseconds;
  static constexpr Time FirstPatience{200'000};
  static constexpr Time LaterPatience{2'000};

  /// \p Held gives the number of the newest launch when one is held back that
  /// the host may see; \p Release runs all of those, and then none is. The
  /// program may make no call for \p First before that, and for \p Later when
  /// it has once.
  HostWatch(std::mutex &Lock, std::function<std::optional<uint64_t>()> Held,
            std::function<void()> Release, Time First = FirstPatience,
            Time Later = LaterPatience)
      : Lock(Lock), Held(std::move(Held)), Release(std::move(Release)),
        Later(Later), Patience(First) {}
  ~HostWatch() { stop(); }

  /// There is something to release; the caller has the lock.
  void notify();
  /// Nothing is released any more; the caller does not have the lock.
  void stop();

private:
  void run();

  std::mutex &Lock; ///< Of everything below.
  const std::function<std::optional<uint64_t>()> Held;
  const std::function<void()> Release;
  std::condition_variable Changed;
  const Time Later;
  Time Patience;
  bool Stopping = false;
  bool Awake = false; ///< The thread looks without being told.
  std::thread Thread;
};

} // namespace blockmaestro

#endif
