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

void ChainMaker::add(Jobs &To, std::function<void()> Next) {
  if (Where == Place::InCall)
    return Next();
  {
    std::lock_guard Held(Lock);
    To.push_back(std::move(Next));
    if (!Thread.joinable())
      Thread = std::thread([this] { run(); });
  }
  Changed.notify_one();
}

/// It stays in front until it is done.
void ChainMaker::doFirst(Jobs &Of, std::unique_lock<std::mutex> &Held) {
  const std::function<void()> &Next = Of.front();
  Held.unlock();
  Next();
  Held.lock();
  Of.pop_front();
  Done.notify_all();
}

bool ChainMaker::isIdle() {
  std::lock_guard Held(Lock);
  return Chains.empty() && Relations.empty();
}

void ChainMaker::finishChains() {
  std::unique_lock Held(Lock);
  Done.wait(Held, [this] { return Chains.empty(); });
}

void ChainMaker::run() {
  std::unique_lock Held(Lock);
  while (true) {
    if (!Chains.empty())
      doFirst(Chains, Held);
    else if (!Relations.empty())
      doFirst(Relations, Held);
    else if (Ends)
      return;
    else
      Changed.wait(Held);
  }
}

} // namespace blockmaestro
