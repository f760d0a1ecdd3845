// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The emulated device's engine with real threads and a kernel made of a few
// lines of C++.

#include "emulated/engine/Engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <vector>

using namespace blockmaestro;
using namespace std::chrono_literals;

namespace {

/// A block of a kernel that waits: runs Step until it says Ended.
using Step = std::function<Result<RunningBlock::Progress>(uint64_t Block)>;

class StepBlock final : public RunningBlock {
public:
  StepBlock(Step Body, uint64_t Block, std::atomic<int> &Alive)
      : Body(std::move(Body)), Block(Block), Alive(Alive) {
    ++Alive;
  }
  ~StepBlock() override { --Alive; }
  Result<Progress> advance() override { return Body(Block); }
  std::string waitsFor() const override { return "the block waits for a flag"; }

private:
  Step Body;
  uint64_t Block;
  std::atomic<int> &Alive;
};

/// Kernels by launch id, of either kind; notes which worker numbers are used
/// at a time.
class ThreadedRunner final : public BlockRunner {
public:
  Status prepare(const Launch &) override { return {}; }
  Status run(const Launch &What, uint64_t Block, unsigned Worker,
             BlockCost *) override {
    Using Held(*this, Worker);
    return Run ? Run(What.Id, Block) : Status();
  }
  bool mayWait(const Launch &What) override { return Waits.count(What.Id); }
  Result<std::unique_ptr<RunningBlock>> begin(const Launch &What,
                                              uint64_t Block, unsigned Worker,
                                              BlockCost *) override {
    Using Held(*this, Worker);
    ++Begun;
    if (RefuseBegin)
      return Status(StatusCode::OutOfMemory, "no stacks");
    return std::unique_ptr<RunningBlock>(
        new StepBlock(Waits.at(What.Id), Block, Alive));
  }

  std::function<Status(uint64_t Launch, uint64_t Block)> Run;
  std::map<uint64_t, Step> Waits;
  bool RefuseBegin = false;
  std::atomic<int> Alive = 0, Begun = 0, Running = 0, MostRunning = 0;
  std::atomic<bool> SharedNumber = false;

private:
  struct Using {
    Using(ThreadedRunner &Of, unsigned Number) : Of(Of), Number(Number) {
      if (Of.InUse[Number].exchange(true))
        Of.SharedNumber = true;
      int Now = ++Of.Running, Most = Of.MostRunning;
      while (Now > Most && !Of.MostRunning.compare_exchange_weak(Most, Now))
        ;
    }
    ~Using() {
      --Of.Running;
      Of.InUse[Number] = false;
    }
    ThreadedRunner &Of;
    unsigned Number;
  };
  std::atomic<bool> InUse[16] = {};
};

const KernelRecord &kernel() {
  static const KernelRecord Kernel = [] {
    KernelRecord K;
    K.Symbol = K.Name = "fake";
    return K;
  }();
  return Kernel;
}

Work blocks(uint64_t Id, uint32_t Count, bool Cooperative = false) {
  auto L = std::make_shared<Launch>();
  L->Id = Id;
  L->Kernel = &kernel();
  L->Grid = {Count, 1, 1};
  L->Cooperative = Cooperative;
  Work W;
  W.Blocks = std::move(L);
  return W;
}

Work function(std::function<Status()> Body) {
  Work W;
  W.Short = std::move(Body);
  return W;
}

Work hostFunction(std::function<void()> Body) {
  Work W;
  W.Host = std::move(Body);
  return W;
}

OperationRef submit(Engine &To, Work What,
                    std::vector<OperationRef> After = {}) {
  Result<OperationRef> Out = To.submit(std::move(What), After);
  EXPECT_TRUE(Out.ok());
  return *Out;
}

class EngineTest : public testing::TestWithParam<unsigned> {
protected:
  EngineSettings settings(std::chrono::milliseconds Patience = 5s) {
    EngineSettings Out;
    Out.Workers = GetParam();
    Out.Patience = Patience;
    return Out;
  }
  ThreadedRunner Runner;
};

INSTANTIATE_TEST_SUITE_P(Workers, EngineTest, testing::Values(1, 2, 4));

TEST_P(EngineTest, EveryBlockRunsOnce) {
  constexpr uint32_t Count = 10000;
  std::vector<std::atomic<int>> Ran(Count);
  Runner.Run = [&](uint64_t, uint64_t Block) {
    ++Ran[Block];
    return Status();
  };
  Engine E(Runner, settings());
  EXPECT_TRUE(E.wait(submit(E, blocks(0, Count))).ok());
  for (const std::atomic<int> &Each : Ran)
    ASSERT_EQ(Each, 1);
  EXPECT_FALSE(Runner.SharedNumber);
  EXPECT_LE(Runner.MostRunning, int(GetParam()));
}

/// One random graph of operations: every one checks that all it comes after
/// have ended, by themselves and through others.
void runRandomGraph(ThreadedRunner &Runner, EngineSettings Asked,
                    unsigned Seed) {
  std::mt19937 Random(Seed);
  const size_t Count = 5 + Random() % 60;
  std::vector<std::atomic<uint64_t>> Left(Count);
  std::vector<std::vector<size_t>> Before(Count);
  std::atomic<int> Wrong = 0, Ran = 0;
  auto Piece = [&](size_t Which) {
    for (size_t Each : Before[Which])
      Wrong += Left[Each] != 0;
    --Left[Which];
    ++Ran;
  };
  Runner.Run = [&](uint64_t Id, uint64_t) {
    Piece(Id);
    return Status();
  };
  Runner.Waits.clear();
  std::vector<unsigned> Kinds(Count);
  for (size_t I = 0; I < Count; ++I)
    if ((Kinds[I] = Random() % 5) == 4) {
      auto Turns = std::make_shared<std::vector<std::atomic<int>>>(8);
      Runner.Waits[I] = [&, I, Turns](uint64_t Block) {
        if (++(*Turns)[Block] < 3)
          return Block % 2 ? RunningBlock::Progress::Waits
                           : RunningBlock::Progress::Moved;
        Piece(I);
        return RunningBlock::Progress::Ended;
      };
    }
  Engine E(Runner, Asked);
  std::vector<OperationRef> Made;
  int Pieces = 0;
  for (size_t I = 0; I < Count; ++I) {
    std::vector<OperationRef> After{nullptr};
    for (size_t J = 0; J < I; ++J)
      if (Random() % (I + 1) < 2) {
        After.push_back(Made[J]);
        Before[I].push_back(J);
      }
    uint64_t Mine = Kinds[I] == 0 || Kinds[I] == 4 ? 1 + Random() % 8
                    : Kinds[I] == 3                ? 0
                                                   : 1;
    Left[I] = Mine;
    Pieces += int(Mine);
    Work What;
    if (Kinds[I] == 0 || Kinds[I] == 4)
      What = blocks(I, uint32_t(Mine));
    else if (Kinds[I] == 1)
      What = function([&, I] {
        Piece(I);
        return Status();
      });
    else if (Kinds[I] == 2)
      What = hostFunction([&, I] { Piece(I); });
    What.Priority = int(Random() % 3) - 1;
    Made.push_back(submit(E, std::move(What), After));
    if (Random() % 8 == 0) {
      size_t Which = Random() % Made.size();
      EXPECT_TRUE(E.wait(Made[Which]).ok());
      EXPECT_EQ(Left[Which], 0u);
    }
  }
  EXPECT_TRUE(E.waitAll().ok());
  EXPECT_TRUE(E.idle());
  EXPECT_EQ(Wrong, 0);
  EXPECT_EQ(Ran, Pieces);
  for (size_t I = 0; I < Count; ++I)
    for (size_t Each : Before[I])
      EXPECT_LE(Made[Each]->doneAt(), Made[I]->doneAt());
}

TEST_P(EngineTest, RandomGraphsKeepTheirOrder) {
  for (unsigned Seed = 0; Seed < 300; ++Seed)
    runRandomGraph(Runner, settings(), Seed);
  EXPECT_FALSE(Runner.SharedNumber);
  EXPECT_LE(Runner.MostRunning, int(GetParam()));
  EXPECT_EQ(Runner.Alive, 0);
}

TEST_P(EngineTest, ManyThreadsSubmitAndWait) {
  std::atomic<int> Ran = 0;
  Runner.Run = [&](uint64_t, uint64_t) {
    ++Ran;
    return Status();
  };
  Engine E(Runner, settings());
  auto Use = [&] {
    OperationRef Tail;
    for (int I = 0; I < 200; ++I) {
      Tail = submit(E, blocks(0, 1 + I % 4), {Tail});
      if (I % 7 == 0)
        EXPECT_TRUE(E.wait(Tail).ok());
      if (I % 50 == 0)
        EXPECT_TRUE(E.waitAll().ok());
    }
    EXPECT_TRUE(E.wait(Tail).ok());
  };
  std::vector<std::thread> Users;
  for (int I = 0; I < 4; ++I)
    Users.emplace_back(Use);
  for (std::thread &Each : Users)
    Each.join();
  EXPECT_EQ(Ran, 4 * 50 * (1 + 2 + 3 + 4));
}

/// Launch 0 waits for a flag that launch 1 sets.
TEST_P(EngineTest, AKernelWaitsForAnotherThatIsIndependent) {
  std::atomic<bool> Flag = false;
  Runner.Waits[0] = [&](uint64_t) {
    return Flag ? RunningBlock::Progress::Ended : RunningBlock::Progress::Waits;
  };
  Runner.Run = [&](uint64_t, uint64_t) {
    Flag = true;
    return Status();
  };
  Engine E(Runner, settings());
  OperationRef Waits = submit(E, blocks(0, 3));
  OperationRef Sets = submit(E, blocks(1, 1));
  EXPECT_TRUE(E.wait(Waits).ok());
  EXPECT_TRUE(Sets->done());
}

TEST_P(EngineTest, ABarrierOfAllBlocksOfACooperativeLaunch) {
  constexpr uint32_t Count = 64;
  std::atomic<uint32_t> Arrived = 0;
  std::vector<std::atomic<bool>> Here(Count);
  Runner.Waits[0] = [&](uint64_t Block) {
    if (!Here[Block].exchange(true))
      ++Arrived;
    return Arrived == Count ? RunningBlock::Progress::Ended
                            : RunningBlock::Progress::Waits;
  };
  EngineSettings Few = settings();
  Few.MostThreads = 4;
  Engine E(Runner, Few);
  EXPECT_TRUE(E.wait(submit(E, blocks(0, Count, true))).ok());
}

TEST_P(EngineTest, BlocksThatWaitAreBegunOnlySoMany) {
  constexpr int Most = 4;
  std::atomic<int> Ended = 0;
  std::atomic<bool> TooMany = false;
  std::vector<std::atomic<int>> Turns(100);
  Runner.Waits[0] = [&](uint64_t Block) {
    if (Runner.Begun - Ended > Most + int(GetParam()) - 1)
      TooMany = true;
    if (++Turns[Block] < 3)
      return RunningBlock::Progress::Waits;
    ++Ended;
    return RunningBlock::Progress::Ended;
  };
  EngineSettings Few = settings();
  Few.MostThreads = Most;
  Engine E(Runner, Few);
  EXPECT_TRUE(E.wait(submit(E, blocks(0, 100))).ok());
  EXPECT_EQ(Runner.Begun, 100);
  EXPECT_FALSE(TooMany);
}

TEST_P(EngineTest, WaitingForEverIsStuck) {
  Runner.Waits[0] = [](uint64_t) { return RunningBlock::Progress::Waits; };
  Engine E(Runner, settings(200ms));
  OperationRef Stuck = submit(E, blocks(0, 5));
  OperationRef Later = submit(E, blocks(1, 5), {Stuck});
  Status Why = E.wait(Stuck);
  EXPECT_EQ(Why.code(), StatusCode::Stuck);
  EXPECT_EQ(Why.message(), "the block waits for a flag");
  E.reset();
  EXPECT_TRUE(Later->done());
  EXPECT_EQ(Runner.Alive, 0);
  EXPECT_TRUE(E.wait(submit(E, blocks(1, 5))).ok());
}

TEST_P(EngineTest, WhoeverStillMovesIsNotStuck) {
  auto Start = std::chrono::steady_clock::now();
  Runner.Waits[0] = [&](uint64_t Block) {
    if (Block == 0) {
      std::this_thread::sleep_for(20ms);
      if (std::chrono::steady_clock::now() - Start < 500ms)
        return RunningBlock::Progress::Moved;
    } else if (std::chrono::steady_clock::now() - Start < 500ms) {
      return RunningBlock::Progress::Waits;
    }
    return RunningBlock::Progress::Ended;
  };
  Engine E(Runner, settings(100ms));
  EXPECT_TRUE(E.wait(submit(E, blocks(0, 3))).ok());
}

/// Block 0 computes for long in one go, the others wait for it.
TEST_P(EngineTest, ALongComputationIsNotStuck) {
  std::atomic<bool> Flag = false;
  Runner.Waits[0] = [&](uint64_t Block) {
    if (Block == 1 && !Flag) {
      std::this_thread::sleep_for(600ms);
      Flag = true;
    }
    return Flag ? RunningBlock::Progress::Ended : RunningBlock::Progress::Waits;
  };
  Engine E(Runner, settings(100ms));
  EXPECT_TRUE(E.wait(submit(E, blocks(0, 6))).ok());
}

TEST_P(EngineTest, AHostFunctionUnderWayKeepsKernelsFromBeingStuck) {
  std::atomic<bool> Flag = false;
  Runner.Waits[0] = [&](uint64_t) {
    return Flag ? RunningBlock::Progress::Ended : RunningBlock::Progress::Waits;
  };
  Engine E(Runner, settings(100ms));
  OperationRef Waits = submit(E, blocks(0, 2));
  submit(E, hostFunction([&] {
           std::this_thread::sleep_for(500ms);
           Flag = true;
         }));
  EXPECT_TRUE(E.wait(Waits).ok());
}

TEST_P(EngineTest, TheFirstFailureStaysAndSkipsTheRest) {
  std::atomic<int> After = 0;
  Runner.Run = [&](uint64_t Id, uint64_t Block) {
    if (Id == 0 && Block >= 7)
      return Status(StatusCode::IllegalAddress,
                    "block " + std::to_string(Block));
    After += Id == 1;
    return Status();
  };
  std::vector<std::string> Told;
  EngineSettings Telling = settings();
  Telling.OnFailure = [&](const Status &Why) { Told.push_back(Why.message()); };
  Engine E(Runner, Telling);
  OperationRef Bad = submit(E, blocks(0, 10000));
  OperationRef Next = submit(E, blocks(1, 10), {Bad});
  std::atomic<bool> Called = false, CalledAnyway = false;
  OperationRef Host = submit(E, hostFunction([&] { Called = true; }), {Next});
  Work Always = hostFunction([&] { CalledAnyway = true; });
  Always.AfterFailure = true;
  Status Why = E.wait(submit(E, std::move(Always), {Host}));
  EXPECT_EQ(Why.code(), StatusCode::IllegalAddress);
  EXPECT_EQ(Why.message(), "block 7");
  EXPECT_EQ(E.waitAll().message(), "block 7");
  EXPECT_EQ(After, 0);
  EXPECT_FALSE(Called);
  EXPECT_TRUE(CalledAnyway);
  EXPECT_EQ(Told, std::vector<std::string>{"block 7"});
  E.reset();
  EXPECT_TRUE(E.wait(submit(E, blocks(1, 10))).ok());
  EXPECT_EQ(After, 10);
}

TEST_P(EngineTest, ABlockThatCannotBeBegunFails) {
  Runner.Waits[0] = [](uint64_t) { return RunningBlock::Progress::Ended; };
  Runner.RefuseBegin = true;
  Engine E(Runner, settings());
  EXPECT_EQ(E.wait(submit(E, blocks(0, 50))).code(), StatusCode::OutOfMemory);
}

TEST_P(EngineTest, RunningOutOfMemoryIsAFailure) {
  Engine E(Runner, settings());
  Status Why =
      E.wait(submit(E, function([]() -> Status { throw std::bad_alloc(); })));
  EXPECT_EQ(Why.code(), StatusCode::OutOfMemory);
}

TEST_P(EngineTest, HostFunctionsRunOneAtATimeInOrderOnOneThread) {
  Engine E(Runner, settings());
  std::vector<int> Order;
  std::set<std::thread::id> Where;
  OperationRef Gate = submit(E, function([] {
                               std::this_thread::sleep_for(20ms);
                               return Status();
                             }));
  for (int I = 0; I < 50; ++I)
    submit(E, hostFunction([&, I] {
             Order.push_back(I);
             Where.insert(std::this_thread::get_id());
             EXPECT_TRUE(Engine::onHostFunctionThread());
           }),
           {Gate});
  EXPECT_TRUE(E.waitAll().ok());
  EXPECT_EQ(Order.size(), 50u);
  EXPECT_TRUE(std::is_sorted(Order.begin(), Order.end()));
  EXPECT_EQ(Where.size(), 1u);
  EXPECT_EQ(Where.count(std::this_thread::get_id()), 0u);
}

TEST_P(EngineTest, AHostFunctionCannotWait) {
  Engine E(Runner, settings());
  Status Inside, OfAll;
  OperationRef Never;
  OperationRef Host = submit(E, hostFunction([&] {
                               Work Empty = blocks(0, 1);
                               OperationRef New = submit(E, Empty);
                               Inside = E.wait(New);
                               OfAll = E.waitAll();
                             }));
  EXPECT_TRUE(E.wait(Host).ok());
  EXPECT_EQ(OfAll.code(), StatusCode::InvalidArgument);
}

TEST_P(EngineTest, WhatMayWaitForTheHostIsKnown) {
  std::atomic<bool> Flag = false;
  Runner.Waits[0] = [&](uint64_t) {
    return Flag ? RunningBlock::Progress::Ended : RunningBlock::Progress::Waits;
  };
  Engine E(Runner, settings(60s));
  EXPECT_FALSE(E.mayWaitForHost());
  OperationRef Waits = submit(E, blocks(0, 1));
  EXPECT_TRUE(E.mayWaitForHost());
  Flag = true;
  EXPECT_TRUE(E.wait(Waits).ok());
  EXPECT_FALSE(E.mayWaitForHost());
  std::promise<void> Open;
  OperationRef Host =
      submit(E, hostFunction([&] { Open.get_future().wait(); }));
  EXPECT_TRUE(E.mayWaitForHost());
  Open.set_value();
  EXPECT_TRUE(E.wait(Host).ok());
  EXPECT_FALSE(E.mayWaitForHost());
}

TEST_P(EngineTest, BlocksRunOnAsManyThreadsAsThereAreWorkers) {
  std::atomic<unsigned> Together = 0;
  Runner.Run = [&](uint64_t, uint64_t) {
    ++Together;
    auto End = std::chrono::steady_clock::now() + 5s;
    while (Together < GetParam() && std::chrono::steady_clock::now() < End)
      std::this_thread::yield();
    return Status();
  };
  Engine E(Runner, settings());
  OperationRef Done = submit(E, blocks(0, GetParam()));
  EXPECT_TRUE(E.wait(Done).ok());
  EXPECT_EQ(Runner.MostRunning, int(GetParam()));
}

TEST_P(EngineTest, TwoIndependentLaunchesRunAtTheSameTime) {
  if (GetParam() < 2)
    GTEST_SKIP() << "one thread runs one block at a time";
  std::atomic<unsigned> Started = 0;
  Runner.Run = [&](uint64_t, uint64_t) {
    ++Started;
    auto End = std::chrono::steady_clock::now() + 5s;
    while (Started < 2 && std::chrono::steady_clock::now() < End)
      std::this_thread::yield();
    return Status();
  };
  Engine E(Runner, settings());
  submit(E, blocks(0, 1));
  submit(E, blocks(1, 1));
  EXPECT_TRUE(E.waitAll().ok());
  EXPECT_EQ(Runner.MostRunning, 2);
}

TEST_P(EngineTest, TheEndGivesUpWhatWaits) {
  Runner.Waits[0] = [](uint64_t) { return RunningBlock::Progress::Waits; };
  Engine E(Runner, settings(60s));
  OperationRef Waits = submit(E, blocks(0, 2));
  std::promise<void> Open;
  std::shared_future<void> Gate = Open.get_future();
  submit(E, hostFunction([Gate] { Gate.wait(); }));
  OperationRef Runs = submit(E, blocks(1, 100));
  E.finish();
  EXPECT_TRUE(Runs->done());
  EXPECT_FALSE(E.submit(blocks(1, 1), {}).ok());
  Open.set_value();
  EXPECT_TRUE(E.wait(Waits).ok());
}

TEST_P(EngineTest, LongChainsNeedNoStack) {
  Engine E(Runner, settings());
  std::promise<void> Open;
  std::shared_future<void> Gate = Open.get_future();
  OperationRef Tail = submit(E, hostFunction([Gate] { Gate.wait(); }));
  for (int I = 0; I < 200000; ++I)
    Tail = submit(E, Work(), {Tail});
  Open.set_value();
  EXPECT_TRUE(E.wait(Tail).ok());
}

TEST_P(EngineTest, LowerPriorityNumbersGoFirst) {
  if (GetParam() > 1)
    GTEST_SKIP() << "only one worker takes everything in one order";
  std::vector<uint64_t> Order;
  Runner.Run = [&](uint64_t Id, uint64_t) {
    Order.push_back(Id);
    return Status();
  };
  Engine E(Runner, settings());
  OperationRef Gate =
      submit(E, hostFunction([] { std::this_thread::sleep_for(20ms); }));
  for (int Priority : {0, -1, -5, 0, -1}) {
    Work What = blocks(uint64_t(-Priority), 1);
    What.Priority = Priority;
    submit(E, std::move(What), {Gate});
  }
  EXPECT_TRUE(E.waitAll().ok());
  EXPECT_EQ(Order, (std::vector<uint64_t>{5, 1, 1, 0, 0}));
}

} // namespace
