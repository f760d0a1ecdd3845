// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations, from being submitted to being done, and the threads that wait for
// them. EngineWorkers.cpp has the threads that run them.

#include "Engine.h"

#include "EngineSpin.h"

#include <algorithm>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

namespace blockmaestro {

Engine::Engine(BlockRunner &Runner, EngineSettings Asked)
    : Runner(Runner), Asked(Asked), Places(Asked.Workers),
      Inside(Asked.Workers),
      Seen(Asked.Workers + 1, std::vector<uint64_t>(Asked.Workers)) {
  FreeNumbers.reserve(Asked.Workers);
  for (unsigned Number = Asked.Workers; Number-- > 0;)
    FreeNumbers.push_back(Number);
  Threads.reserve(Asked.Workers);
}

Engine::~Engine() {
  (void)waitAll();
  {
    Guard Held(Lock);
    Stopping = true;
  }
  WorkToTake.notify_all();
  HostToTake.notify_all();
  for (std::thread &Each : Threads)
    Each.join();
  if (HostThread.joinable())
    HostThread.join();
}

/// How many blocks may be under way together; 0 for those that are run.
uint64_t Engine::mostBegun(const Work &What) const {
  if (!What.Blocks || !Runner.mayWait(*What.Blocks))
    return 0;
  if (What.Blocks->Cooperative)
    return std::numeric_limits<uint64_t>::max();
  const uint64_t Threads = std::max<uint64_t>(What.Blocks->Block.count(), 1);
  return std::max<uint64_t>(Asked.MostThreads / Threads, 1);
}

/// The threads that the work cannot do without. The caller holds the lock.
Status Engine::ensureThreads(const Work &What) {
  const Status None(StatusCode::Io, "the system gives no thread");
  if ((What.Blocks || What.Short) && Threads.empty() && !startWorker())
    return None;
  if (!What.Host || HostThread.joinable())
    return Status();
  try {
    HostThread = std::thread([this] { serveHost(); });
  } catch (const std::system_error &) {
    return None;
  }
  return Status();
}

Result<OperationRef> Engine::submit(Work What,
                                    std::span<const OperationRef> After) {
  const uint64_t MostBegun = mostBegun(What);
  auto New =
      std::make_shared<Operation>(std::move(What), After.size(), MostBegun);
  Guard Held(Lock);
  if (Status May = mayBegin(*New); !May.ok())
    return May;
  start(New, After);
  release(Held);
  return New;
}

Result<std::vector<OperationRef>>
Engine::submitGroup(std::vector<GroupStep> Steps) {
  std::vector<OperationRef> Out;
  Out.reserve(Steps.size());
  for (GroupStep &Each : Steps) {
    for (uint32_t Need : Each.Needs)
      Each.After.push_back(Out[Need]);
    const uint64_t MostBegun = mostBegun(Each.What);
    Out.push_back(std::make_shared<Operation>(std::move(Each.What),
                                              Each.After.size(), MostBegun));
  }
  Guard Held(Lock);
  for (const OperationRef &Each : Out)
    if (Status May = mayBegin(*Each); !May.ok())
      return May;
  for (size_t I = 0; I < Out.size(); ++I)
    start(Out[I], Steps[I].After);
  release(Held);
  return Out;
}

/// Whether it can be submitted; the threads for it are there then. The caller
/// holds the lock.
Status Engine::mayBegin(const Operation &New) {
  if (Abandoned || (Finished && New.What.Blocks))
    return Status(StatusCode::Unsupported, "the program has ended");
  return ensureThreads(New.What);
}

/// Links it, and hands it on when it waits for nothing. Cannot fail.
void Engine::start(const OperationRef &New,
                   std::span<const OperationRef> After) {
  link(New, After);
  if (New->Missing > 0)
    return;
  Operation *Chain = nullptr;
  uint64_t Pieces = makeReady(New.get(), Chain);
  if (Chain)
    complete(Chain, 0);
  else
    wake(Pieces);
}

/// Nothing in here can fail: the edges were reserved.
void Engine::link(const OperationRef &New,
                  std::span<const OperationRef> After) {
  New->Self = New;
  New->Number = ++Submitted;
  Unfinished.append(New.get());
  for (const OperationRef &Each : After) {
    if (!Each || Each->done())
      continue;
    Operation::Edge &Edge = New->Needs.emplace_back();
    Edge = {Each, New.get(), nullptr};
    *std::exchange(Each->NeededEnd, &Edge.Next) = &Edge;
    ++New->Missing;
  }
}

/// Whether the device's failure keeps it from being run.
bool Engine::skips(const Operation &Which) const {
  return (failed() && !Which.What.AfterFailure) ||
         Abandoned.load(std::memory_order_relaxed);
}

/// What it comes after is done. Adds it to the chain when it is done itself,
/// else hands it to the threads; returns how many of them it could use.
uint64_t Engine::makeReady(Operation *Which, Operation *&Chain) {
  Which->Needs.clear();
  if (!Which->isWork() || skips(*Which)) {
    Which->Chain = Chain;
    Chain = Which;
    return 0;
  }
  if (Which->What.Host) {
    HostRunnable.append(Which);
    HostToTake.notify_one();
    return 0;
  }
  Runnable.insertByPriority(Which);
  return std::max<uint64_t>(Which->Blocks, 1);
}

/// Notes that it is done, and all that are done with it. The calling thread
/// will take up to \p Takes pieces of what becomes ready itself.
void Engine::complete(Operation *Which, uint64_t Takes) {
  uint64_t Pieces = 0;
  Operation *Chain = Which;
  Which->Chain = nullptr;
  while (Chain) {
    Operation *Next = Chain;
    Chain = Next->Chain;
    Pieces += finishOne(Next, Chain);
  }
  if (Pieces > Takes)
    wake(Pieces - Takes);
}

/// That there is no memory to tell it must not keep operations from ending.
void Engine::tellFailure() {
  try {
    if (Asked.OnFailure)
      Asked.OnFailure(Failure);
  } catch (const std::bad_alloc &) {
    return;
  }
}

uint64_t Engine::finishOne(Operation *Which, Operation *&Chain) {
  Runnable.remove(Which);
  Unfinished.remove(Which);
  if (!Which->Outcome.ok() && Failure.ok()) {
    Failure = std::move(Which->Outcome);
    Failed.store(true, std::memory_order_release);
    tellFailure();
  }
  Which->When = Clock::now();
  Which->Done.store(true, std::memory_order_release);
  Progress.fetch_add(1, std::memory_order_relaxed);
  uint64_t Pieces = 0;
  for (Operation::Edge *Each = Which->Needed; Each;) {
    Operation *To = Each->To;
    Each = Each->Next;
    if (--To->Missing == 0)
      Pieces += makeReady(To, Chain);
  }
  Which->Needed = nullptr;
  Which->Chain = Retired;
  Retired = Which;
  if (Which->Waiting > 0 || WaitingForAll > 0)
    Completed.notify_all();
  return Pieces;
}

/// Lets go of what is done. Without the lock, because what an operation held
/// may end with it.
void Engine::release(Guard &Held) {
  while (Operation *First = std::exchange(Retired, nullptr)) {
    Held.unlock();
    while (First) {
      Operation *Next = First->Chain;
      First->What = Work();
      OperationRef Last = std::move(First->Self);
      First = Next;
    }
    Held.lock();
  }
}

/// Tells workers that there is something to take.
void Engine::wake(uint64_t Pieces) {
  Signals.fetch_add(1, std::memory_order_relaxed);
  if (Resting > 0)
    RestOver.notify_all();
  uint64_t Useful = std::min<uint64_t>(Pieces, FreeNumbers.size());
  Useful -= std::min<uint64_t>(Useful, Spinning + Woken);
  for (; Useful > 0 && Woken < Sleeping; --Useful) {
    ++Woken;
    WorkToTake.notify_one();
  }
  while (Useful-- > 0 && Threads.size() < Asked.Workers)
    if (!startWorker())
      return;
}

/// It and everything it comes after is waited for.
void Engine::markWanted(Operation *From) {
  From->Wanted = true;
  From->Chain = nullptr;
  for (Operation *Chain = From; Chain;) {
    Operation *Each = Chain;
    Chain = Each->Chain;
    for (const Operation::Edge &Need : Each->Needs) {
      Operation *Before = Need.From.get();
      if (Before->done() || Before->Wanted)
        continue;
      Before->Wanted = true;
      Before->Chain = Chain;
      Chain = Before;
    }
  }
}

bool Engine::reached(const Target &Goal) const {
  if (Goal.One)
    return Goal.One->done();
  return Unfinished.empty() || Unfinished.first()->Number > Goal.UpTo;
}

/// Waits without sleeping for a moment, since waking up takes longer than
/// most small kernels.
void Engine::spinFor(Guard &Held, const Target &Goal) {
  const uint64_t Before = Progress.load(std::memory_order_relaxed);
  const std::chrono::microseconds Moment = patienceToSpin();
  Held.unlock();
  spinUntil(Moment, [&] {
    return Goal.One ? Goal.One->done()
                    : Progress.load(std::memory_order_relaxed) != Before;
  });
  Held.lock();
}

Status Engine::waitFor(Guard &Held, const Target &Goal) {
  if (onHostFunctionThread())
    return Status(StatusCode::InvalidArgument,
                  "a host function would wait for itself");
  unsigned &Count = Goal.One ? Goal.One->Waiting : WaitingForAll;
  ++Count;
  while (!reached(Goal)) {
    help(Held, Goal);
    if (!reached(Goal))
      spinFor(Held, Goal);
    if (!reached(Goal) && !(mayTake() && pick(&Goal)))
      Completed.wait(Held);
  }
  --Count;
  Status Out = Failure;
  release(Held);
  return Out;
}

Status Engine::wait(const OperationRef &Goal) {
  if (!Goal || Goal->done())
    return failure();
  Guard Held(Lock);
  if (!Goal->done())
    markWanted(Goal.get());
  return waitFor(Held, {Goal.get(), 0});
}

Status Engine::waitAll() {
  Guard Held(Lock);
  return waitFor(Held, {nullptr, Submitted});
}

bool Engine::idle() {
  Guard Held(Lock);
  return Unfinished.empty();
}

bool Engine::mayWaitForHost() {
  Guard Held(Lock);
  for (const Operation *Each = Unfinished.first(); Each;
       Each = Unfinished.after(Each))
    if (Each->MostBegun > 0 || Each->What.Host)
      return true;
  return false;
}

Status Engine::failure() {
  if (!failed())
    return Status();
  Guard Held(Lock);
  return Failure;
}

void Engine::reset() {
  (void)waitAll();
  Guard Held(Lock);
  Failure = Status();
  Failed.store(false, std::memory_order_release);
}

void Engine::finish() {
  constexpr auto Step = std::chrono::milliseconds(10);
  constexpr auto QuietTime = std::chrono::milliseconds(200);
  uint64_t Before = 0;
  Guard Held(Lock);
  Finished = true;
  ++WaitingForAll;
  Clock::time_point Moved = Clock::now();
  Clock::time_point Happened = Moved;
  while (!Unfinished.empty()) {
    help(Held, {nullptr, Submitted});
    if (Unfinished.empty())
      break;
    Completed.wait_for(Held, Step);
    const Clock::time_point Now = Clock::now();
    const uint64_t Count = Progress.load(std::memory_order_relaxed);
    if (Count != std::exchange(Before, Count))
      Moved = Happened = Now;
    else if (insideSince(Seen.back()) || Busy > 0)
      Happened = Now;
    const bool Endless =
        Asked.Patience.count() > 0 && Now - Moved > Asked.Patience;
    if (Endless || Now - Happened > QuietTime)
      break;
  }
  --WaitingForAll;
  Abandoned.store(!Unfinished.empty(), std::memory_order_relaxed);
  release(Held);
}

} // namespace blockmaestro
