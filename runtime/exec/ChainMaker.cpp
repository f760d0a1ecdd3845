// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainMaker.h"

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

ChainMaker::Chain ChainMaker::begin(GpuPort::ChainWork Work) {
  Job Next(std::move(Work));
  Chain Out = Next.get_future();
  if (Where == Place::InCall) {
    Next();
    return Out;
  }
  {
    std::lock_guard Held(Lock);
    Jobs.push_back(std::move(Next));
    if (!Thread.joinable())
      Thread = std::thread([this] { run(); });
  }
  Changed.notify_one();
  return Out;
}

void ChainMaker::run() {
  std::unique_lock Held(Lock);
  while (true) {
    Changed.wait(Held, [this] { return Ends || !Jobs.empty(); });
    if (Jobs.empty())
      return;
    Job Next = std::move(Jobs.front());
    Jobs.pop_front();
    Held.unlock();
    Next();
    Held.lock();
  }
}

} // namespace blockmaestro
