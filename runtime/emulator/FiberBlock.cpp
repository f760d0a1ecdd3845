// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FiberBlock.h"

#include "Costs.h"

#include "blockmaestro/AccessObserver.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

namespace {

constexpr size_t SharedAlignment = 256;
/// For what host functions and the program's signal handlers use on a thread's
/// stack.
constexpr uint64_t StackSlack = 48 << 10;
constexpr size_t MostIdle = 256;

} // namespace

uint8_t *BlockMemory::shared(uint64_t Bytes) {
  size_t Words = (Bytes + 2 * SharedAlignment) / sizeof(uint64_t);
  if (Shared.size() < Words)
    Shared.resize(Words);
  auto Address = reinterpret_cast<uintptr_t>(Shared.data());
  uintptr_t Skip = -Address % SharedAlignment;
  return reinterpret_cast<uint8_t *>(Shared.data()) + Skip;
}

StackPool &WorkerState::stacksFor(const CompiledKernel &K, uint64_t DeepBytes) {
  constexpr uint64_t Grain = 64 << 10;
  uint64_t Bytes = K.StackBytes + StackSlack;
  if (K.DeepStack)
    Bytes = std::max(Bytes, DeepBytes + StackSlack);
  Bytes = (Bytes + Grain - 1) / Grain * Grain;
  for (std::unique_ptr<StackPool> &Pool : Stacks)
    if (Pool->wanted() == Bytes && Pool->guarded() == K.DeepStack)
      return *Pool;
  Stacks.push_back(std::make_unique<StackPool>(Bytes, K.DeepStack));
  return *Stacks.back();
}

std::unique_ptr<FiberState> WorkerState::takeState() {
  Idle.reserve(MostIdle);
  if (Idle.empty())
    return std::make_unique<FiberState>();
  std::unique_ptr<FiberState> State = std::move(Idle.back());
  Idle.pop_back();
  return State;
}

void *GridWorkspaces::get(const Launch &What, Hold &Part) {
  std::lock_guard<std::mutex> Guard(Lock);
  Part.Key = {&What, What.Id};
  Entry &E = ByLaunch[Part.Key];
  if (!E.Memory) {
    E.Left = What.Grid.count();
    E.Memory = std::make_unique<Layout>();
    E.Memory->Bytes = sizeof(Layout);
    if (Observer)
      Observer->memory("", uint64_t(E.Memory.get()), sizeof(Layout));
  }
  Part.Of = this;
  return E.Memory.get();
}

void GridWorkspaces::release(std::pair<const Launch *, uint64_t> Key) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = ByLaunch.find(Key);
  if (Found == ByLaunch.end() || --Found->second.Left != 0)
    return;
  if (Observer)
    Observer->memory("", uint64_t(Found->second.Memory.get()), 0);
  ByLaunch.erase(Found);
}

Status faultOfBlock(const Fault &Died, const Launch &What, uint64_t Block,
                    const CompiledKernel &K) {
  return faultStatus(Died, {What.Kernel->Name, blockOf(Block, What.Grid),
                            What.Block, K.Sites, nameOfBlock(What, Block)});
}

BlockCost costOf(const CompiledKernel &K, const BlockContext &C) {
  BlockCost Cost = costOfVisits(K.Weights, C.Visited->end());
  C.Accesses->end(Cost);
  if (C.Tracer)
    C.Tracer->end();
  return Cost;
}

FiberBlock::FiberBlock(WorkerState &Worker, std::unique_ptr<FiberState> Given,
                       StackPool &Stacks, const CompiledKernel &K,
                       BlockCost *Cost, GridWorkspaces::Hold Grid)
    : Worker(Worker), State(std::move(Given)), Kernel(K), Cost(Cost),
      Grid(std::move(Grid)) {
  State->Threads.begin(State->Context, K.Thread, Stacks);
}

FiberBlock::~FiberBlock() {
  State->Threads.release();
  if (Worker.Idle.size() < Worker.Idle.capacity())
    Worker.Idle.push_back(std::move(State));
}

Result<RunningBlock::Progress> FiberBlock::advance() {
  const BlockContext &C = State->Context;
  switch (State->Threads.run()) {
  case ThreadScheduler::Outcome::Moved:
    return Progress::Moved;
  case ThreadScheduler::Outcome::Waits:
    return Progress::Waits;
  case ThreadScheduler::Outcome::Failed:
    return faultOfBlock(State->Threads.failure(), *C.What, C.LinearBlock,
                        Kernel);
  case ThreadScheduler::Outcome::Ended:
    break;
  }
  if (C.Observer)
    C.Observer->ends(*C.What, C.LinearBlock);
  if (Cost)
    *Cost = costOf(Kernel, C);
  return Progress::Ended;
}

std::string FiberBlock::waitsFor() const {
  const BlockContext &C = State->Context;
  return faultOfBlock(State->Threads.describeWait(), *C.What, C.LinearBlock,
                      Kernel)
      .message();
}

} // namespace blockmaestro
