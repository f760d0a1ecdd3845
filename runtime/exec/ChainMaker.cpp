// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainMaker.h"

#include <utility>

namespace blockmaestro {

ChainMaker::~ChainMaker() {
  {
    std::lock_guard Held(Lock);
    Ends = true;
  }
  Changed.notify_one();
  if (Thread.joinable())
    Thread.join();
}

template <typename Value>
std::future<Value> ChainMaker::add(std::deque<Job<Value>> &To,
                                   std::function<Value()> Work) {
  Job<Value> Next(std::move(Work));
  std::future<Value> Out = Next.get_future();
  if (Where == Place::InCall) {
    Next();
    return Out;
  }
  {
    std::lock_guard Held(Lock);
    To.push_back(std::move(Next));
    if (!Thread.joinable())
      Thread = std::thread([this] { run(); });
  }
  Changed.notify_one();
  return Out;
}

ChainMaker::Chain ChainMaker::make(GpuPort::ChainWork Work) {
  return add(Chains, std::move(Work));
}

std::future<ChainOrder> ChainMaker::find(WorkRelations::OrderFinder Work) {
  return add(Orders, std::move(Work));
}

template <typename Value>
void ChainMaker::doFirst(std::deque<Job<Value>> &Of,
                         std::unique_lock<std::mutex> &Held) {
  Job<Value> Next = std::move(Of.front());
  Of.pop_front();
  Held.unlock();
  Next();
  Held.lock();
}

void ChainMaker::run() {
  std::unique_lock Held(Lock);
  while (true) {
    if (!Chains.empty())
      doFirst(Chains, Held);
    else if (!Orders.empty())
      doFirst(Orders, Held);
    else if (Ends)
      return;
    else
      Changed.wait(Held);
  }
}

} // namespace blockmaestro
