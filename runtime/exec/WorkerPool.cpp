// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WorkerPool.h"

#include <system_error>

namespace blockmaestro {

WorkerPool::WorkerPool(unsigned Workers) {
  try {
    for (unsigned Worker = 1; Worker < Workers; ++Worker)
      Threads.emplace_back([this, Worker] { serve(Worker); });
  } catch (const std::system_error &) {
    // The system gives no more threads; those there are do the work.
  }
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Stop = true;
  }
  Begin.notify_all();
  for (std::thread &T : Threads)
    T.join();
}

void WorkerPool::share(const std::function<void(unsigned)> &Work) {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Current = &Work;
    Busy = Threads.size();
    ++Round;
  }
  Begin.notify_all();
  Work(0);
  std::unique_lock<std::mutex> Guard(Lock);
  End.wait(Guard, [&] { return Busy == 0; });
}

/// A thread's life: one share of every round until the pool stops.
void WorkerPool::serve(unsigned Worker) {
  uint64_t Served = 0;
  std::unique_lock<std::mutex> Guard(Lock);
  while (true) {
    Begin.wait(Guard, [&] { return Stop || Round != Served; });
    if (Stop)
      return;
    Served = Round;
    const std::function<void(unsigned)> &Work = *Current;
    Guard.unlock();
    Work(Worker);
    Guard.lock();
    if (--Busy == 0)
      End.notify_one();
  }
}

} // namespace blockmaestro
