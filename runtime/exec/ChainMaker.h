// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes chains of launches, and finds orders, beside the program,
// which goes on launching meanwhile.
// On the data's way: between Chained and the GpuPort, and WorkRelations.
// Invariants:
//  - Chains come before orders; else things are done one after another, as they
//    were asked for. All that was asked for is done before the destructor
//    returns.
// Threads: one caller; one of its own, from the first thing asked for on.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINMAKER_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINMAKER_H

#include "ChainOrder.h"
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

  Chain make(GpuPort::ChainWork Work);
  std::future<ChainOrder> find(WorkRelations::OrderFinder Work);

private:
  template <typename Value> using Job = std::packaged_task<Value()>;

  template <typename Value>
  std::future<Value> add(std::deque<Job<Value>> &To,
                         std::function<Value()> Work);
  template <typename Value>
  void doFirst(std::deque<Job<Value>> &Of, std::unique_lock<std::mutex> &Held);
  void run();

  const Place Where;
  std::mutex Lock; ///< Of what follows.
  std::condition_variable Changed;
  std::deque<Job<ChainOrder>> Orders;
  std::deque<Job<Result<void *>>> Chains;
  bool Ends = false;
  std::thread Thread;
};

} // namespace blockmaestro

#endif
