// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: threads that wait for work to share.
// On the data's way: inside the serial executor.
// Ownership: joins its threads when destroyed. Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_WORKERPOOL_H
#define BLOCKMAESTRO_RUNTIME_EXEC_WORKERPOOL_H

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace blockmaestro {

class WorkerPool {
public:
  /// The caller of share() is worker 0; \p Workers - 1 threads are started, or
  /// as many as the system gives.
  explicit WorkerPool(unsigned Workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

  unsigned workers() const { return unsigned(Threads.size()) + 1; }
  /// Calls \p Work(worker) once on every worker at the same time; returns when
  /// all have returned.
  void share(const std::function<void(unsigned)> &Work);

private:
  void serve(unsigned Worker);

  std::mutex Lock;
  std::condition_variable Begin;
  std::condition_variable End;
  const std::function<void(unsigned)> *Current = nullptr;
  uint64_t Round = 0;
  size_t Busy = 0;
  bool Stop = false;
  std::vector<std::thread> Threads;
};

} // namespace blockmaestro

#endif
