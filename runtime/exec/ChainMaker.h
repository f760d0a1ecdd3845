// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes chains of launches beside the program, which goes on
// launching meanwhile: to make one takes as long as to launch its kernels two
// or three times. On the data's way: between Chained and the GpuPort.
// Invariants: chains are made one after another, in the order given; all that
// have been begun are made before the destructor returns. Threads: one caller;
// one of its own, from the first chain on.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINMAKER_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINMAKER_H

#include "GpuPort.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace blockmaestro {

class ChainMaker {
public:
  using Chain = std::future<Result<void *>>;

  enum class Place { Beside, InCall };
  /// In the call itself: for tests that say what is there when.
  explicit ChainMaker(Place Where) : Where(Where) {}
  ~ChainMaker();

  Chain begin(GpuPort::ChainWork Work);

private:
  using Job = std::packaged_task<Result<void *>()>;

  void run();

  const Place Where;
  std::mutex Lock; ///< Of what follows.
  std::condition_variable Changed;
  std::deque<Job> Jobs;
  bool Ends = false;
  std::thread Thread;
};

} // namespace blockmaestro

#endif
