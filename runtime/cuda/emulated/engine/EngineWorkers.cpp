// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads that run operations: the engine's own workers, threads of the
// host that wait, and the one for host functions.

#include "Engine.h"

#include "EngineSpin.h"
#include "HelperThread.h"
#include "RunBlock.h"

#include <algorithm>
#include <list>
#include <new>
#include <string>
#include <utility>

namespace blockmaestro {

/// A block under way whose threads wait.
struct Engine::BegunBlock {
  OperationRef Of;
  uint64_t Block = 0;
  uint64_t Start = 0;
  BlockCost Cost;
  std::unique_ptr<RunningBlock> Running;
};

/// A thread while it runs operations.
struct Engine::Worker {
  unsigned Number = 0;
  bool OfEngine = true;        ///< Not one of the host that helps.
  std::list<BegunBlock> Begun; ///< The one to look at next is the first.
  // While all of these wait:
  unsigned Rounds = 0;
  uint64_t Progress = 0; ///< Of the engine, when it was last seen to change.
  Clock::time_point Since;
  bool Expired = false;
};

namespace {

thread_local bool RunsHostFunctions = false;

/// \p Cost where the costs of blocks are wanted.
BlockCost *countedInto(EventSink *Sink, BlockCost &Cost) {
  return Sink && Sink->wantsCosts() ? &Cost : nullptr;
}

/// For as long as a worker is inside of a block that may wait.
class Turn {
public:
  explicit Turn(std::atomic<uint64_t> &Count) : Count(Count) { ++Count; }
  ~Turn() { ++Count; }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

private:
  std::atomic<uint64_t> &Count;
};

/// How long a worker stays with one chunk of blocks.
constexpr auto ChunkTime = std::chrono::microseconds(20);

/// What \p Call returns, or that memory has run out.
template <typename Body> Status guarded(const Body &Call) {
  try {
    return Call();
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::OutOfMemory, "out of memory");
  }
}

std::string textOf(Dim3 At) {
  return "(" + std::to_string(At.X) + "," + std::to_string(At.Y) + "," +
         std::to_string(At.Z) + ")";
}

} // namespace

bool Engine::onHostFunctionThread() { return RunsHostFunctions; }

/// One more thread; false when there is none to be had.
bool Engine::startWorker() {
  try {
    Threads.emplace_back([this] { serve(); });
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

/// Whether a thread may run something: one of the numbers is free.
bool Engine::mayTake() const { return !FreeNumbers.empty(); }

/// The next operation to take something of, or null. A thread of the host that
/// has a goal takes only what its like wait for and what cannot wait itself.
Operation *Engine::pick(const Target *Goal) const {
  for (Operation *Each = Runnable.first(); Each; Each = Runnable.after(Each)) {
    if (Goal && (Each->MostBegun || (Goal->One && !Each->Wanted)))
      continue;
    if (Each->MostBegun &&
        Each->Begun.load(std::memory_order_relaxed) >= Each->MostBegun)
      continue;
    return Each;
  }
  return nullptr;
}

/// The life of a thread of the engine.
void Engine::serve() {
  useKernelArithmetic();
  Guard Held(Lock);
  while (!Stopping) {
    if (mayTake() && pick()) {
      Worker Self;
      Self.Number = FreeNumbers.back();
      FreeNumbers.pop_back();
      workOn(Held, Self);
      leave(Held, Self.Number);
      continue;
    }
    if (mayTake())
      spinForWork(Held);
    if (Stopping || (mayTake() && pick()))
      continue;
    ++Sleeping;
    WorkToTake.wait(Held, [&] { return Stopping || Woken > 0; });
    --Sleeping;
    Woken -= Woken > 0;
  }
}

/// How long to look for work before sleeping. A thread that sleeps is often
/// woken on the processor of the one that wakes it, and waits for that while
/// its own is idle. So one that has ended its share of an operation a little
/// earlier than others stays awake for the next operation.
std::chrono::microseconds Engine::patienceToSpin() const {
  constexpr std::chrono::microseconds Usual(20), Between(300);
  const Operation *First = Unfinished.first();
  return Busy > 0 && First && Unfinished.after(First) ? Between : Usual;
}

void Engine::spinForWork(Guard &Held) {
  const uint64_t Before = Signals.load(std::memory_order_relaxed);
  const std::chrono::microseconds Moment = patienceToSpin();
  ++Spinning;
  Held.unlock();
  spinUntil(Moment,
            [&] { return Signals.load(std::memory_order_relaxed) != Before; });
  Held.lock();
  --Spinning;
}

/// Gives the number back; another thread may have been kept from work by it.
void Engine::leave(Guard &Held, unsigned Number) {
  Places.leave(Number);
  FreeNumbers.push_back(Number);
  release(Held);
  if (pick())
    wake(1);
}

/// Runs things until there is nothing to take and nothing waits.
void Engine::workOn(Guard &Held, Worker &Self) {
  while (true) {
    if (Operation *Next = pick()) {
      runSome(Held, Self, Next->Self);
      if (!Self.Begun.empty())
        pollSome(Held, Self, 1);
      continue;
    }
    if (Self.Begun.empty())
      return;
    if (pollSome(Held, Self, Self.Begun.size()))
      Self.Rounds = 0;
    else if (!pick())
      rest(Held, Self);
  }
}

/// A thread of the host runs what it waits for, as long as it may and there is
/// something.
void Engine::help(Guard &Held, const Target &Goal) {
  if (!mayTake() || !pick(&Goal) || !HelperThread::mayHelp())
    return;
  HelperThread Arithmetic;
  Worker Self;
  Self.OfEngine = false;
  Self.Number = FreeNumbers.back();
  FreeNumbers.pop_back();
  while (!reached(Goal)) {
    Operation *Next = pick(&Goal);
    if (!Next)
      break;
    runSome(Held, Self, Next->Self);
  }
  leave(Held, Self.Number);
}

void Engine::runSome(Guard &Held, Worker &Self, OperationRef Which) {
  if (Which->What.Short)
    runShort(Held, *Which);
  else if (Which->MostBegun)
    beginBlock(Held, Self, std::move(Which));
  else
    runBlocks(Held, Self, *Which);
}

void Engine::runShort(Guard &Held, Operation &Which) {
  Runnable.remove(&Which);
  if (!skips(Which)) {
    ++Busy;
    Held.unlock();
    Status Outcome = guarded(Which.What.Short);
    Held.lock();
    --Busy;
    Which.Outcome = std::move(Outcome);
  }
  complete(&Which, 1);
  release(Held);
}

/// Takes chunks of blocks, longer ones as long as they end soon, until there
/// are none left; one chunk where blocks of the worker's own wait meanwhile.
void Engine::runBlocks(Guard &Held, Worker &Self, Operation &Which) {
  ++Busy;
  Held.unlock();
  Places.take(Self.Number, Self.OfEngine);
  uint64_t Ended = 0;
  for (uint64_t Chunk = 1;;) {
    uint64_t First = Which.Next.fetch_add(Chunk, std::memory_order_relaxed);
    if (First >= Which.Blocks)
      break;
    uint64_t Last = std::min(First + Chunk, Which.Blocks);
    Clock::time_point Start = Clock::now();
    runRange(Which, First, Last, Self.Number);
    Ended += Last - First;
    if (Which.Failed.load(std::memory_order_relaxed) || skips(Which))
      Ended += giveUpRest(Which);
    if (Clock::now() - Start < ChunkTime)
      Chunk = std::clamp<uint64_t>((Which.Blocks - Last) / (2 * Asked.Workers),
                                   1, 2 * Chunk);
    if (!Self.Begun.empty())
      break;
  }
  Held.lock();
  --Busy;
  if (Which.Next.load(std::memory_order_relaxed) >= Which.Blocks)
    Runnable.remove(&Which);
  Progress.fetch_add(1, std::memory_order_relaxed);
  blocksEnded(Which, Ended);
  release(Held);
}

/// Runs the blocks, or those before one that fails. Reported blocks go one by
/// one; the others all at once, because they may be short.
void Engine::runRange(Operation &Which, uint64_t First, uint64_t Last,
                      unsigned Number) {
  if (Which.Failed.load(std::memory_order_relaxed) || skips(Which))
    return;
  const Launch &What = *Which.What.Blocks;
  EventSink *Sink = Which.What.Sink;
  uint64_t Block = First;
  Status Ran = guarded([&] {
    if (!Sink)
      return Runner.runRange(What, First, Last - First, Number);
    Status Each;
    for (; Block < Last && Each.ok(); ++Block)
      Each = runBlock(Runner, Sink, What, Block, Number);
    return Each;
  });
  if (!Ran.ok())
    blockFailed(Which, Block, std::move(Ran));
}

/// Takes all blocks nobody has taken; returns how many.
uint64_t Engine::giveUpRest(Operation &Which) {
  uint64_t Taken = Which.Next.exchange(Which.Blocks, std::memory_order_relaxed);
  return Taken < Which.Blocks ? Which.Blocks - Taken : 0;
}

/// Of the blocks of a launch that fail, the lowest is reported. Without the
/// lock held.
void Engine::blockFailed(Operation &Which, uint64_t Block, Status Why) {
  Guard Held(Lock);
  if (Which.Outcome.ok() || Block < Which.FailedBlock) {
    Which.FailedBlock = Block;
    Which.Outcome = std::move(Why);
  }
  Which.Failed.store(true, std::memory_order_relaxed);
}

/// With the lock held.
void Engine::blocksEnded(Operation &Which, uint64_t Count) {
  if (Count > 0 &&
      Which.Left.fetch_sub(Count, std::memory_order_acq_rel) == Count)
    complete(&Which, 1);
}

/// Begins the block, as the worker's first. Without the lock held.
Status Engine::startBlock(Worker &Self, const OperationRef &Which,
                          uint64_t Block) {
  BegunBlock &New = Self.Begun.emplace_front();
  New.Of = Which;
  New.Block = Block;
  New.Start = eventClock();
  Turn Within(Inside[Self.Number]);
  Result<std::unique_ptr<RunningBlock>> Made =
      Runner.begin(*Which->What.Blocks, Block, Self.Number,
                   countedInto(Which->What.Sink, New.Cost));
  if (Made.ok())
    New.Running = std::move(*Made);
  return Made.status();
}

/// Takes one block of a launch whose blocks may wait.
void Engine::beginBlock(Guard &Held, Worker &Self, OperationRef Which) {
  const uint64_t Block = Which->Next++;
  if (Which->Failed || skips(*Which)) {
    Runnable.remove(Which.get());
    blocksEnded(*Which, 1 + giveUpRest(*Which));
    return release(Held);
  }
  if (Block + 1 >= Which->Blocks)
    Runnable.remove(Which.get());
  ++Which->Begun;
  Held.unlock();
  Status Began = guarded([&] { return startBlock(Self, Which, Block); });
  if (Began.ok()) {
    Held.lock();
    advanceFirst(Held, Self);
    return;
  }
  if (!Self.Begun.empty() && !Self.Begun.front().Running)
    Self.Begun.pop_front();
  blockFailed(*Which, Block, std::move(Began));
  Held.lock();
  --Which->Begun;
  blocksEnded(*Which, 1);
  release(Held);
}

/// Looks at up to so many of the blocks that wait; whether any came further.
bool Engine::pollSome(Guard &Held, Worker &Self, size_t Most) {
  bool Moved = false;
  for (; Most > 0 && !Self.Begun.empty(); --Most)
    Moved |= advanceFirst(Held, Self);
  return Moved;
}

/// Goes on with a block that waits, or gives it up with its launch. It has
/// ended when nothing is left of it. Without the lock held.
RunningBlock::Progress Engine::goOn(Worker &Self, BegunBlock &With) {
  using Progress = RunningBlock::Progress;
  Operation &Which = *With.Of;
  Progress How = Progress::Ended;
  Status Ran;
  const bool GiveUp = Which.Failed || skips(Which);
  if (!GiveUp)
    Ran = guarded([&]() -> Status {
      Turn Within(Inside[Self.Number]);
      Result<Progress> Came = With.Running->advance();
      if (Came.ok())
        How = *Came;
      return Came.status();
    });
  if (How != Progress::Ended)
    return How;
  With.Running.reset();
  if (!Ran.ok())
    blockFailed(Which, With.Block, std::move(Ran));
  else if (!GiveUp && Which.What.Sink)
    Which.What.Sink->blockRan({Which.What.Blocks->Id, With.Block, With.Start,
                               eventClock(), Self.Number},
                              countedInto(Which.What.Sink, With.Cost));
  return How;
}

/// Goes on with the first block that waits; afterwards it is the last, or has
/// ended. Whether it came further.
bool Engine::advanceFirst(Guard &Held, Worker &Self) {
  BegunBlock &First = Self.Begun.front();
  Held.unlock();
  const RunningBlock::Progress How = goOn(Self, First);
  Held.lock();
  if (How == RunningBlock::Progress::Ended) {
    OperationRef Which = First.Of;
    Self.Begun.pop_front();
    if (Which->Begun-- >= Which->MostBegun)
      wake(1);
    Progress.fetch_add(1, std::memory_order_relaxed);
    blocksEnded(*Which, 1);
    release(Held);
    return true;
  }
  Self.Begun.splice(Self.Begun.end(), Self.Begun, Self.Begun.begin());
  if (How == RunningBlock::Progress::Waits)
    return false;
  Progress.fetch_add(1, std::memory_order_relaxed);
  return true;
}

/// Whether a worker has been in the same block ever since \p Seen was taken;
/// takes it anew.
bool Engine::insideSince(std::vector<uint64_t> &Seen) const {
  bool Same = false;
  for (size_t I = 0; I < Seen.size(); ++I) {
    uint64_t Now = Inside[I].load(std::memory_order_relaxed);
    Same |= Now % 2 == 1 && Now == Seen[I];
    Seen[I] = Now;
  }
  return Same;
}

/// All blocks of this worker wait and there is nothing to take: sleeps a
/// little, longer each time, and watches whether anything happens at all.
void Engine::rest(Guard &Held, Worker &Self) {
  constexpr unsigned Short = 64, Steps = 5;
  constexpr auto First = std::chrono::microseconds(50);
  constexpr auto Confirmation = std::chrono::milliseconds(50);
  const Clock::time_point Now = Clock::now();
  const uint64_t Happened = Progress.load(std::memory_order_relaxed);
  if (Self.Rounds == 0 || Happened != Self.Progress || Busy > 0 || HostBusy) {
    Self.Progress = Happened;
    Self.Since = Now;
    Self.Expired = false;
  }
  const bool Over =
      Asked.Patience.count() > 0 && Now - Self.Since > Asked.Patience;
  if (Over && !Self.Expired) {
    Self.Expired = true;
    (void)insideSince(Seen[Self.Number]);
  } else if (Over && Now - Self.Since > Asked.Patience + Confirmation) {
    if (!insideSince(Seen[Self.Number]))
      return endStuck(Held, Self);
    Self.Since = Now;
    Self.Expired = false;
  }
  const unsigned Round = Self.Rounds++;
  ++Resting;
  if (Round < Short) {
    Held.unlock();
    std::this_thread::yield();
    Held.lock();
  } else {
    RestOver.wait_for(Held, First * (1 << std::min(Round / Short, Steps)));
  }
  --Resting;
}

/// The launch of the block that has waited longest ends.
void Engine::endStuck(Guard &Held, Worker &Self) {
  const BegunBlock &Oldest = Self.Begun.front();
  OperationRef Which = Oldest.Of;
  const uint64_t Block = Oldest.Block;
  Held.unlock();
  Status Why = guarded([&] {
    std::string Text = Oldest.Running->waitsFor();
    const Launch &What = *Which->What.Blocks;
    if (Text.empty())
      Text = "kernel '" + What.Kernel->Name +
             "' waits for what never comes: block " +
             textOf(blockOf(Block, What.Grid));
    return Status(StatusCode::Stuck, Text);
  });
  blockFailed(*Which, Block, std::move(Why));
  Held.lock();
}

/// The life of the thread of the host functions.
void Engine::serveHost() {
  RunsHostFunctions = true;
  Guard Held(Lock);
  while (true) {
    HostToTake.wait(Held, [&] { return Stopping || !HostRunnable.empty(); });
    if (Stopping)
      return;
    OperationRef Next = HostRunnable.first()->Self;
    HostRunnable.remove(Next.get());
    if (!skips(*Next)) {
      HostBusy = true;
      Held.unlock();
      Next->What.Host();
      Held.lock();
      HostBusy = false;
    }
    complete(Next.get(), 0);
    release(Held);
  }
}

} // namespace blockmaestro
