// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes chains of launches, and finds relations, beside the
// program, which goes on launching meanwhile.
// On the data's way: between Chained and the GpuPort, and WorkRelations.
// Invariants:
//  - Chains come before relations; else things are done one after another, in
//    the order in which they were asked for. All of it is done before the
//    destructor returns.
// Threads: one caller; one of its own, from the first thing asked for on.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINMAKER_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINMAKER_H

#include "GpuPort.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace blockmaestro {

/// Whether what was asked for is there; nobody waits.
template <typename Value> bool isReady(const std::future<Value> &Coming) {
  return Coming.valid() &&
         Coming.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

class ChainMaker {
public:
  using Chain = std::future<Result<void *>>;

  enum class Place { Beside, InCall };
  /// In the call itself: for tests that say what is there when.
  explicit ChainMaker(Place Where) : Where(Where) {}
  ~ChainMaker();

  Chain make(GpuPort::ChainWork Work) { return add(Chains, std::move(Work)); }
  /// Whether nothing that was asked for is still to be done.
  bool isIdle();
  /// Waits until every chain that was asked for is made.
  void finishChains();
  /// An order, or what else follows from relations.
  template <typename Found>
  std::future<Found> find(std::function<Found()> Work) {
    return add(Relations, std::move(Work));
  }

private:
  using Jobs = std::deque<std::function<void()>>;

  template <typename Value>
  std::future<Value> add(Jobs &To, std::function<Value()> Work) {
    auto Next = std::make_shared<std::packaged_task<Value()>>(std::move(Work));
    std::future<Value> Out = Next->get_future();
    add(To, [Next] { (*Next)(); });
    return Out;
  }
  void add(Jobs &To, std::function<void()> Next);
  void doFirst(Jobs &Of, std::unique_lock<std::mutex> &Held);
  void run();

  const Place Where;
  std::mutex Lock; ///< Of what follows.
  std::condition_variable Changed;
  std::condition_variable Done; ///< Something.
  Jobs Relations;
  Jobs Chains;
  bool Ends = false;
  std::thread Thread;
};

} // namespace blockmaestro

#endif
