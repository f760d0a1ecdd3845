// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeDevice.h"
#include "FakeGpu.h"
#include "Persistent.h"
#include "Prelaunch.h"

#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

constexpr unsigned LaunchWindow = 8;

/// Sees every block that runs and checks it against the tasks themselves.
struct Truth {
  std::vector<Task> Tasks;
  std::vector<std::vector<bool>> Ran;
  unsigned Violations = 0;
  unsigned Window = LaunchWindow;

  void add(const Task &Next) {
    Tasks.push_back(Next);
    Ran.push_back(std::vector<bool>(Next.What->Grid.count()));
  }
  bool complete(uint64_t Launch) const {
    for (bool Each : Ran[Launch])
      if (!Each)
        return false;
    return true;
  }
  bool satisfied(const Dependence &Need, const int32_t Block[3]) const {
    if (Need.Header.Kind == uint32_t(RelationKind::Full))
      return complete(Need.Producer);
    const uint32_t *Grid = Need.Header.ProducerGrid;
    for (const EncodedPiece &Piece : Need.Pieces) {
      ProducerBox Box = producersOf(Piece, Block);
      for (int32_t Z = Box.Low[2]; Z <= Box.High[2]; ++Z)
        for (int32_t Y = Box.Low[1]; Y <= Box.High[1]; ++Y)
          for (int32_t X = Box.Low[0]; X <= Box.High[0]; ++X)
            if (!Ran[Need.Producer][(Z * Grid[1] + Y) * Grid[0] + X])
              return false;
    }
    return true;
  }
  void run(uint64_t Launch, uint64_t Block) {
    EXPECT_FALSE(Ran[Launch][Block]) << "twice";
    Dim3 At = blockOf(Block, Tasks[Launch].What->Grid);
    int32_t Place[3] = {int32_t(At.X), int32_t(At.Y), int32_t(At.Z)};
    for (const Dependence &Need : Tasks[Launch].Needs)
      Violations += !satisfied(Need, Place);
    for (uint64_t Old = 0; Old + Window < Launch; ++Old)
      Violations += !complete(Old);
    Ran[Launch][Block] = true;
  }
  void expectAllRan() const {
    for (uint64_t I = 0; I < Ran.size(); ++I)
      EXPECT_TRUE(complete(I)) << "launch " << I;
  }
};

/// A launch on Grid with random relations to the LaunchWindow launches before
/// it.
Task randomTask(const Truth &Before, Dim3 Grid, std::mt19937_64 &Random) {
  std::vector<Dependence> Needs;
  uint64_t Id = Before.Tasks.size();
  for (uint64_t P = Id > LaunchWindow ? Id - LaunchWindow : 0; P < Id; ++P) {
    Dim3 Other = Before.Tasks[P].What->Grid;
    unsigned Kind = Random() % 4;
    if (Kind == 1 || (Kind > 1 && Other != Grid))
      Needs.push_back(needAll(P, Other));
    else if (Kind > 1)
      Needs.push_back(need(P, Grid,
                           {neighbours(Grid, -int(Random() % 3), 0),
                            neighbours(Grid, 1, Random() % 3)}));
  }
  return makeTask(Id, Grid, std::move(Needs));
}

/// Gives Launches random launches to To, with drains now and then.
void runRandom(FakeGpu &Gpu, Executor &To, Truth &Checks, unsigned Launches,
               uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  Gpu.Body = [&](uint64_t L, uint64_t B) { Checks.run(L, B); };
  const Dim3 Grids[] = {{9, 1, 1}, {5, 4, 1}, {3, 2, 3}, {40, 1, 1}};
  Dim3 Grid = Grids[Random() % 4];
  uint64_t LastFence = 0;
  for (unsigned I = 0; I < Launches; ++I) {
    if (Random() % 16 == 0)
      Grid = Grids[Random() % 4];
    Task Next = randomTask(Checks, Grid, Random);
    std::erase_if(Next.Needs, [&](const Dependence &Need) {
      return Need.Producer < LastFence;
    });
    Checks.add(Next);
    ASSERT_TRUE(To.submit(Next).ok());
    if (Random() % 64 == 0) {
      ASSERT_TRUE(To.fence().ok());
      LastFence = I + 1;
    }
  }
  ASSERT_TRUE(To.drain().ok());
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
}

TEST(Prelaunch, EveryBlockWaitsForItsProducers) {
  for (uint64_t Seed = 1; Seed <= 40; ++Seed) {
    FakeGpu Gpu(Seed);
    Gpu.Resident = Seed % 3 == 0 ? 2 : 16;
    Prelaunch Runs(Gpu, LaunchWindow);
    Truth Checks;
    runRandom(Gpu, Runs, Checks, 60, Seed);
    EXPECT_FALSE(Gpu.Deadlock);
    EXPECT_EQ(Checks.Violations, 0u) << "seed " << Seed;
    Checks.expectAllRan();
  }
}

/// Small launches that need nothing but the launch Window before, so that
/// whatever may run far ahead does.
void runFarApart(FakeGpu &Gpu, Executor &To, Truth &Checks) {
  const Dim3 Grid{3, 1, 1};
  Gpu.Body = [&](uint64_t L, uint64_t B) { Checks.run(L, B); };
  for (unsigned I = 0; I < 60; ++I) {
    std::vector<Dependence> Needs;
    if (I >= Checks.Window)
      Needs.push_back(needAll(I - Checks.Window, Grid));
    Checks.add(makeTask(I, Grid, Needs));
    ASSERT_TRUE(To.submit(Checks.Tasks.back()).ok());
  }
  ASSERT_TRUE(To.drain().ok());
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  Checks.expectAllRan();
  EXPECT_FALSE(Gpu.Deadlock);
  EXPECT_EQ(Checks.Violations, 0u);
}

/// The same with nothing needed: only the window itself holds launches back.
void runUnrelated(FakeGpu &Gpu, Executor &To, Truth &Checks) {
  Gpu.Body = [&](uint64_t L, uint64_t B) { Checks.run(L, B); };
  for (unsigned I = 0; I < 60; ++I) {
    Checks.add(makeTask(I, {3, 1, 1}));
    ASSERT_TRUE(To.submit(Checks.Tasks.back()).ok());
  }
  ASSERT_TRUE(To.drain().ok());
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  EXPECT_EQ(Checks.Violations, 0u);
}

template <typename Runs> void keepsItsWindow() {
  for (uint64_t Seed = 1; Seed <= 20; ++Seed)
    for (unsigned Far : {1u, 2u, 3u}) {
      FakeGpu Gpu(Seed), Other(Seed);
      Runs Related(Gpu, Far), Unrelated(Other, Far);
      Truth Checks, OtherChecks;
      Checks.Window = OtherChecks.Window = Far;
      runFarApart(Gpu, Related, Checks);
      runUnrelated(Other, Unrelated, OtherChecks);
    }
}

TEST(Prelaunch, KeepsItsWindow) { keepsItsWindow<Prelaunch>(); }
TEST(Persistent, KeepsItsWindow) { keepsItsWindow<Persistent>(); }

TEST(Prelaunch, TheTestSeesAForgottenPiece) {
  unsigned Seen = 0;
  for (uint64_t Seed = 1; Seed <= 5; ++Seed) {
    FakeGpu Gpu(Seed);
    Gpu.ForgetsPieces = true;
    Prelaunch Runs(Gpu, LaunchWindow);
    Truth Checks;
    runRandom(Gpu, Runs, Checks, 60, Seed);
    Seen += Checks.Violations;
  }
  EXPECT_GT(Seen, 0u);
}

/// Submits launches of Grid to Runs, each waiting for its own block of the one
/// before.
void submitChain(Executor &Runs, unsigned First, unsigned Count, Dim3 Grid) {
  for (unsigned I = First; I < First + Count; ++I) {
    std::vector<Dependence> Needs;
    if (I > First)
      Needs.push_back(need(I - 1, Grid, {neighbours(Grid, 0, 0)}));
    ASSERT_TRUE(Runs.submit(makeTask(I, Grid, Needs)).ok());
  }
}

TEST(Prelaunch, OnlyTheFirstOfAChainIsOrdinary) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Prelaunch Runs(Gpu, LaunchWindow);
  submitChain(Runs, 0, 3, {4, 1, 1});
  ASSERT_TRUE(Runs.fence().ok());
  submitChain(Runs, 3, 2, {4, 1, 1});
  std::vector<bool> Programmatic;
  for (const GpuLaunch &Each : Gpu.Launched)
    Programmatic.push_back(Each.Programmatic);
  EXPECT_EQ(Programmatic, (std::vector<bool>{false, true, true, false, true}));
  EXPECT_EQ(Gpu.Gates[3].PieceCount, 0u);
  EXPECT_EQ(Gpu.Gates[4].PieceCount, 1u);
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
}

TEST(Prelaunch, WordsAreUsedInTurnAndEpochsGrow) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Prelaunch Runs(Gpu, 2);
  submitChain(Runs, 0, 7, {4, 1, 1});
  for (unsigned I = 0; I < 7; ++I) {
    EXPECT_EQ(Gpu.Gates[I].Epoch, I + 1);
    EXPECT_EQ(Gpu.Gates[I].Done == Gpu.Gates[0].Done, I % 3 == 0);
    if (I >= 2) {
      EXPECT_EQ(Gpu.Gates[I].Window.Producer, I - 2);
      EXPECT_EQ(Gpu.Gates[I].Window.Target, 4 * ((I - 2) / 3 + 1));
    } else {
      EXPECT_EQ(Gpu.Gates[I].Window.Counter, nullptr);
    }
  }
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
}

TEST(Prelaunch, WhatDoesNotFitIsAWaitForTheWholeLaunch) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Prelaunch Runs(Gpu, LaunchWindow);
  Dim3 Grid{64, 1, 1};
  std::vector<EncodedPiece> Many(Gate::MaxPieces + 1, neighbours(Grid, 0, 0));
  ASSERT_TRUE(Runs.submit(makeTask(0, Grid)).ok());
  ASSERT_TRUE(Runs.submit(makeTask(1, Grid, {need(0, Grid, Many)})).ok());
  EXPECT_EQ(Gpu.Gates[1].PieceCount, 0u);
  ASSERT_EQ(Gpu.Gates[1].CountCount, 1u);
  EXPECT_EQ(Gpu.Gates[1].Counts[0].Counter, Gpu.Gates[0].Counter);
  EXPECT_EQ(Gpu.Gates[1].Counts[0].Target, 64u);
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
}

TEST(Prelaunch, LargerGridsGetMoreWords) {
  FakeGpu Gpu(1);
  Truth Checks;
  Gpu.Body = [&](uint64_t L, uint64_t B) { Checks.run(L, B); };
  Prelaunch Runs(Gpu, LaunchWindow);
  for (uint32_t Blocks : {10u, 5000u, 20u}) {
    Task Next = makeTask(Checks.Tasks.size(), {Blocks, 1, 1});
    Checks.add(Next);
    ASSERT_TRUE(Runs.submit(Next).ok());
  }
  // Nothing overlaps the moment in which memory is exchanged.
  EXPECT_FALSE(Gpu.Launched[1].Programmatic);
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  Checks.expectAllRan();
}

/// A stream may wait for what the host does next.
TEST(Prelaunch, TheHostNeverWaitsForTheStream) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Prelaunch Runs(Gpu, LaunchWindow);
  submitChain(Runs, 0, 6, {10, 1, 1});
  submitChain(Runs, 6, 6, {5000, 1, 1});
  ASSERT_TRUE(Runs.drain().ok());
  EXPECT_EQ(Gpu.Waits, 0u);
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
}

TEST(Persistent, EveryBlockWaitsForItsProducers) {
  for (uint64_t Seed = 1; Seed <= 40; ++Seed) {
    FakeGpu Gpu(Seed);
    // 40 blocks fit or do not: owners and tickets.
    Gpu.Resident = Seed % 2 ? 64 : 6;
    Persistent Runs(Gpu, LaunchWindow);
    Truth Checks;
    runRandom(Gpu, Runs, Checks, 90, Seed);
    EXPECT_FALSE(Gpu.Deadlock);
    EXPECT_EQ(Checks.Violations, 0u) << "seed " << Seed;
    Checks.expectAllRan();
  }
}

TEST(Persistent, TheTestSeesAForgottenPiece) {
  unsigned Seen = 0;
  for (uint64_t Seed = 1; Seed <= 5; ++Seed) {
    FakeGpu Gpu(Seed);
    Gpu.ForgetsPieces = true;
    Persistent Runs(Gpu, LaunchWindow);
    Truth Checks;
    runRandom(Gpu, Runs, Checks, 60, Seed);
    Seen += Checks.Violations;
  }
  EXPECT_GT(Seen, 0u);
}

/// The launches of each batch that 30 launches, a drain and 9 more become.
std::vector<uint32_t> batchSizes(unsigned Window) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Persistent Runs(Gpu, Window);
  submitChain(Runs, 0, 30, {4, 1, 1});
  EXPECT_TRUE(Runs.drain().ok());
  submitChain(Runs, 30, 9, {4, 1, 1});
  EXPECT_TRUE(Runs.drain().ok());
  EXPECT_TRUE(Gpu.synchronize(nullptr).ok());
  std::vector<uint32_t> Sizes;
  for (const Batch &Each : Gpu.Batches)
    Sizes.push_back(Each.LaunchCount);
  return Sizes;
}

TEST(Persistent, WorkersTakeShapesThatTheirKernelsAreRightIn) {
  KernelRecord Plain, Meeting;
  Meeting.add(Feature::WarpRows);
  auto Takes = [](const KernelRecord &Kernel, Dim3 Grid, Dim3 Block) {
    Launch What;
    What.Kernel = &Kernel;
    What.Grid = Grid;
    What.Block = Block;
    return Persistent::accepts(What).ok();
  };
  EXPECT_TRUE(Takes(Plain, {1, 1, 1}, {16, 2, 1}));
  EXPECT_FALSE(Takes(Plain, {1, 1, 1}, {24, 1, 1}));
  EXPECT_FALSE(Takes(Meeting, {1, 1, 1}, {16, 2, 1}));
  EXPECT_TRUE(Takes(Meeting, {1, 1, 1}, {32, 2, 1}));
  // 2M blocks of 1024 threads: the last thread is number 2^31 - 1.
  EXPECT_TRUE(Takes(Meeting, {1 << 20, 2, 1}, {1024, 1, 1}));
  EXPECT_FALSE(Takes(Meeting, {(1 << 20) + 1, 2, 1}, {1024, 1, 1}));
  EXPECT_TRUE(Takes(Plain, {(1 << 20) + 1, 2, 1}, {1024, 1, 1}));
}

TEST(Persistent, BatchesDoubleUntilADrain) {
  EXPECT_EQ(batchSizes(32), (std::vector<uint32_t>{8, 16, 6, 8, 1}));
}

TEST(Persistent, ABatchIsWithinTheWindow) {
  EXPECT_EQ(batchSizes(15), (std::vector<uint32_t>{8, 16, 6, 8, 1}));
  EXPECT_EQ(batchSizes(14), (std::vector<uint32_t>{8, 15, 7, 8, 1}));
  EXPECT_EQ(batchSizes(4), (std::vector<uint32_t>{5, 5, 5, 5, 5, 5, 5, 4}));
}

TEST(Persistent, OneModulePerBatch) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  KernelRecord Other;
  Other.Name = "other";
  Persistent Runs(Gpu, LaunchWindow);
  submitChain(Runs, 0, 2, {4, 1, 1});
  Task Foreign = makeTask(2, {4, 1, 1});
  std::const_pointer_cast<Launch>(Foreign.What)->Kernel = &Other;
  ASSERT_TRUE(Runs.submit(Foreign).ok());
  ASSERT_TRUE(Runs.drain().ok());
  ASSERT_EQ(Gpu.Batches.size(), 2u);
  EXPECT_EQ(Gpu.Batches[0].LaunchCount, 2u);
  EXPECT_EQ(Gpu.Launched[1].Kernel, &Other);
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
}

TEST(Persistent, OwnersNeedAllWorkersResident) {
  for (uint32_t Resident : {16u, 15u}) {
    FakeGpu Gpu(1);
    Gpu.Body = [](uint64_t, uint64_t) {};
    Gpu.Resident = Resident;
    Persistent Runs(Gpu, 1);
    submitChain(Runs, 0, 5, {16, 1, 1});
    ASSERT_TRUE(Runs.drain().ok());
    bool Owned = Resident == 16;
    EXPECT_EQ(Gpu.Launched[0].Cooperative, Owned);
    EXPECT_EQ(Gpu.Batches[0].Mode,
              uint32_t(Owned ? Placement::Owners : Placement::Tickets));
    EXPECT_EQ(Gpu.Launched[0].Grid.X, Resident);
    ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  }
}

/// What three launches publish, each related to the one before by Reach, run
/// with Resident blocks at a time: for each, "d" for done-words, "c" for the
/// counter, and the number of pieces it waits for.
std::string published(uint32_t Resident, int32_t Reach, bool Whole = false) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Gpu.Resident = Resident;
  Persistent Runs(Gpu, LaunchWindow);
  Dim3 Grid{4, 2, 1};
  for (unsigned I = 0; I < 3; ++I) {
    std::vector<Dependence> Needs;
    if (I > 0)
      Needs.push_back(
          Whole ? needAll(I - 1, Grid)
                : need(I - 1, Grid, {neighbours(Grid, -Reach, Reach)}));
    EXPECT_TRUE(Runs.submit(makeTask(I, Grid, Needs)).ok());
  }
  EXPECT_TRUE(Runs.drain().ok());
  EXPECT_TRUE(Gpu.synchronize(nullptr).ok());
  std::string Out;
  for (const BatchLaunch *L : FakeGpu::OpenBatch(Gpu.Batches[0]).Launches)
    Out += std::string(L->Done ? "d" : "") + (L->Counter ? "c" : "") +
           std::to_string(L->PieceCount) + " ";
  return Out;
}

TEST(BatchImage, OnlyWhatAnotherWorkerWaitsForIsPublished) {
  EXPECT_EQ(published(8, 0), "0 0 0 ")
      << "owners run their own blocks in order";
  EXPECT_EQ(published(7, 0), "d0 d1 1 ") << "tickets go to any worker";
  EXPECT_EQ(published(8, 1), "d0 d1 1 ");
  EXPECT_EQ(published(8, 0, true), "c0 c0 0 ");
}

TEST(BatchImage, CountersGrowByWhatIsCounted) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Persistent Runs(Gpu, LaunchWindow);
  Dim3 Grid{4, 1, 1};
  for (unsigned Turn = 0; Turn < 3; ++Turn) {
    bool Counted = Turn != 1;
    std::vector<Dependence> Needs;
    if (Counted)
      Needs.push_back(needAll(2 * Turn, Grid));
    ASSERT_TRUE(Runs.submit(makeTask(2 * Turn, Grid)).ok());
    ASSERT_TRUE(Runs.submit(makeTask(2 * Turn + 1, Grid, Needs)).ok());
    ASSERT_TRUE(Runs.drain().ok());
    ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
    FakeGpu::OpenBatch Ran(Gpu.Batches.back());
    ASSERT_EQ(Ran.Launches[1]->CountCount, Counted ? 1u : 0u);
    if (Counted) {
      EXPECT_EQ(*Ran.Launches[0]->Counter, Turn == 0 ? 4u : 8u);
    }
  }
  EXPECT_FALSE(Gpu.Deadlock);
}

TEST(BatchImage, ARecordHoldsArgumentsCountsAndPieces) {
  BatchImage Image;
  Dim3 Grid{4, 1, 1};
  Image.add(makeTask(5, Grid));
  Task Next = makeTask(6, Grid, {need(5, Grid, {neighbours(Grid, 1, 1)})});
  auto What = std::const_pointer_cast<Launch>(Next.What);
  What->Block = {32, 3, 2};
  for (unsigned I = 0; I < 37; ++I)
    What->Arguments.push_back(I);
  Image.add(Next);
  std::vector<uint64_t> Targets(2);
  std::vector<BatchLaunch> Memory(Image.bytes() / sizeof(BatchLaunch) + 1);
  auto *To = reinterpret_cast<unsigned char *>(Memory.data());
  uint32_t Done[8];
  Batch Parameter{};
  size_t Bytes = Image.write(To, {To, Done, nullptr, 7, Placement::Owners},
                             Targets, Parameter);
  EXPECT_LE(Bytes, Image.bytes());
  FakeGpu::OpenBatch Written(Parameter);
  const BatchLaunch &L = *Written.Launches[1];
  EXPECT_EQ(L.Launch, 6u);
  EXPECT_EQ(L.FirstTicket, 4u);
  EXPECT_EQ(L.Threads, 192u);
  EXPECT_EQ(L.CountsAt, sizeof(BatchLaunch) + 48);
  EXPECT_EQ(L.PiecesAt, L.CountsAt);
  const unsigned char *Record = To + L.Offset;
  EXPECT_EQ(Record[sizeof(BatchLaunch) + 36], 36);
  auto *Piece = reinterpret_cast<const GatePiece *>(Record + L.PiecesAt);
  EXPECT_EQ(Piece->Done, Done);
  EXPECT_EQ(Piece->Epoch, 7u);
  EXPECT_EQ(Piece->Producer, 5u);
  EXPECT_EQ(Piece->Piece.Rows[0].Low, 1);
  EXPECT_EQ(Written.Launches[0]->Done, Done);
}

GatePiece ownPiece(Dim3 Grid) {
  GatePiece Out{};
  Out.Piece = neighbours(Grid, 0, 0);
  Out.GridX = Grid.X;
  Out.GridXY = Grid.X * Grid.Y;
  return Out;
}

TEST(BatchImage, OwnBlocksAreThoseOfTheSameNumber) {
  const uint32_t Grid[3] = {4, 3, 1};
  const GatePiece Own = ownPiece({4, 3, 1});
  EXPECT_TRUE(isOwnBlock(Own, Grid));
  EXPECT_FALSE(isOwnBlock(ownPiece({4, 2, 1}), Grid)) << "another plane";
  EXPECT_FALSE(isOwnBlock(ownPiece({3, 4, 1}), Grid)) << "another row";
  for (int32_t EncodedRow::*Field :
       {&EncodedRow::Low, &EncodedRow::High, &EncodedRow::D})
    for (unsigned J : {0, 1}) {
      GatePiece Other = Own;
      ++(Other.Piece.Rows[J].*Field);
      EXPECT_FALSE(isOwnBlock(Other, Grid));
    }
  GatePiece Across = Own;
  std::swap(Across.Piece.Rows[0], Across.Piece.Rows[1]);
  EXPECT_FALSE(isOwnBlock(Across, Grid));
  GatePiece Flat = Own;
  Flat.Piece.Rows[2] = {{0, 0, 0}, 1, -5, 5};
  EXPECT_TRUE(isOwnBlock(Flat, Grid)) << "there is only one plane";
  Flat.Piece.ProducerHigh[2] = 1;
  EXPECT_FALSE(isOwnBlock(Flat, Grid));
}

TEST(Gate, ReciprocalsDivideThreadNumbers) {
  for (uint32_t Divisor = 1; Divisor <= 1024; ++Divisor)
    for (uint32_t Value = 0; Value < 1024; ++Value)
      ASSERT_EQ(quotient(Value, reciprocalOf(Divisor)), Value / Divisor);
}

TEST(Waits, RowsThatNeedMoreThan32BitsBecomeWholeLaunches) {
  Dim3 Grid{1 << 20, 1, 1};
  EncodedPiece Piece = neighbours(Grid, 0, 0);
  EXPECT_TRUE(fitsNarrow(Piece));
  Piece.Rows[0].A[0] = 2047;
  EXPECT_TRUE(fitsNarrow(Piece));
  Piece.Rows[0].A[0] = 2049;
  EXPECT_FALSE(fitsNarrow(Piece));
  uint64_t Counter = 0;
  Waits Needed =
      waitsFor({need(7, Grid, {Piece})}, {{7, nullptr, &Counter, 3, 1}}, 12);
  EXPECT_TRUE(Needed.Pieces.empty());
  ASSERT_EQ(Needed.Counts.size(), 1u);
  EXPECT_EQ(Needed.Counts[0].Target, 3u);
}

TEST(StuckReports, SayWhoWaitsForWhat) {
  FakeGpu Gpu(1);
  StuckReports Reports(Gpu, std::chrono::seconds(3));
  EXPECT_TRUE(Reports.read().ok());
  StuckReport *Place = *Reports.place();
  EXPECT_EQ(Place->Patience, 3'000'000'000u);
  *Place = {1, 5, 17, 16, 9, Place->Patience};
  EXPECT_TRUE(Reports.read().ok()) << "still being written";
  Place->Taken = 2;
  EXPECT_EQ(Reports.read().message(),
            "block 5 of launch 17 waited too long for block 9 of launch 16");
  Place->ProducerBlock = AllBlocks;
  EXPECT_EQ(Reports.read().message(),
            "block 5 of launch 17 waited too long for all blocks of launch 16");
}

} // namespace
} // namespace blockmaestro
