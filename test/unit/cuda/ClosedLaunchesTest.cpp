// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches of kernels without a record whose accesses the program declares:
// nodes of the window and of a recording, and a fence for the executor.

#define BLOCKMAESTRO_ANNOTATE_DEFINE
#include "blockmaestro/annotate.h"

#include "Edges.h"
#include "FrontEnd.h"
#include "Reader.h"

#include <cstdio>
#include <unistd.h>

using namespace blockmaestro;

namespace {

cudaError_t ClosedResult = cudaSuccess;

cudaError_t closedLaunch(const void *, dim3, dim3, void **, size_t,
                         cudaStream_t) {
  Trace.push_back("closed launch");
  return ClosedResult;
}

class ClosedLaunches : public RuntimeTest {
protected:
  ClosedLaunches()
      : Path(testing::TempDir() + "/closed-" + std::to_string(::getpid())) {
    forgetDeclaration();
    ClosedResult = cudaSuccess;
    Asked.RecordPath = Path;
    Machine.OrdersClosed = true;
    Machine.takeLaunches(closedLaunch);
  }
  ~ClosedLaunches() override { std::remove(Path.c_str()); }

  void declare(AccessKind Kind, unsigned What) {
    blockmaestro::declare(Kind, Memory[What].data(), Elements * sizeof(int));
  }

  cudaError_t launchClosed() {
    LaunchRequest Request;
    Request.Grid = dim3(3, 2);
    Request.Block = dim3(Threads);
    Request.SharedBytes = 48;
    return Front->launch(Request);
  }

  Recording recorded() {
    EXPECT_TRUE(Front->finish().ok());
    Result<Recording> Read = readRecording(Path);
    EXPECT_TRUE(Read.ok()) << Read.status().message();
    return Read.ok() ? std::move(*Read) : Recording();
  }

  std::string Path;
};

/// Producer -> consumer hazards, of all relations.
Lines relationsOf(const Recording &What) {
  Lines Out;
  for (const RecordedRelation &R : What.Relations)
    Out.push_back(std::to_string(R.Producer) + " -> " +
                  std::to_string(R.Consumer) + " " + std::to_string(R.Hazards));
  return Out;
}

TEST_F(ClosedLaunches, HaveTheRelationsOfWhatIsDeclared) {
  begin();
  launch(0, 1);
  declare(AccessKind::Read, 1);
  declare(AccessKind::Write, 2);
  EXPECT_EQ(launchClosed(), cudaSuccess);
  launch(2, 0);
  const Recording What = recorded();
  ASSERT_EQ(What.Launches.size(), 3u);
  EXPECT_EQ(What.Launches[1].Grid, (Dim3{3, 2, 1}));
  EXPECT_EQ(What.Launches[1].Block, (Dim3{Threads, 1, 1}));
  EXPECT_EQ(What.Launches[1].SharedBytes, 48u);
  EXPECT_EQ(What.Launches[1].Degraded.size(), 2u);
  EXPECT_EQ(relationsOf(What), (Lines{"0 -> 1 1", "0 -> 2 2", "1 -> 2 1"}));
  for (const RecordedRelation &R : What.Relations)
    if (R.Producer == 1 || R.Consumer == 1) {
      const EncodingView View = viewOf(R, What.Launches[R.Consumer].Grid);
      EXPECT_EQ(edgeCount(View), 6u * Blocks) << R.Producer;
    }
  EXPECT_TRUE(What.Barriers.size() == 1 && What.Barriers[0].BeforeLaunch == 3);
}

TEST_F(ClosedLaunches, AreAFenceForTheExecutor) {
  begin();
  launch(0, 1);
  declare(AccessKind::Read, 1);
  launchClosed();
  launch(0, 1);
  launch(1, 2);
  EXPECT_EQ(Trace, (Lines{"launch 0", "fence", "closed launch", "launch 2",
                          "launch 3 after 2"}));
}

TEST_F(ClosedLaunches, HaveNoRelationToWhatIsApart) {
  begin();
  launch(0, 1);
  declare(AccessKind::Read, 2);
  launchClosed();
  declare(AccessKind::Read, 0);
  launchClosed();
  declare(AccessKind::Write, 0);
  launchClosed();
  EXPECT_EQ(relationsOf(recorded()), (Lines{"0 -> 3 2", "2 -> 3 2"}));
}

/// Of this one the compiler knows what it writes, and of what it reads only
/// the allocation.
TEST_F(ClosedLaunches, ThatAreHalfOpenReadWhatIsDeclared) {
  KernelRecord Gather = Record;
  Gather.Bytes.Accesses[0].How = Exactness::Allocation;
  begin();
  launch(0, 1);
  Known.Record = &Gather;
  launch(1, 2);
  blockmaestro::declare(AccessKind::Read, Memory[1].data(),
                        Threads * sizeof(int));
  launch(1, 2);
  Known.Record = &Record;
  const Recording What = recorded();
  std::vector<uint64_t> FromFirst;
  for (const RecordedRelation &R : What.Relations)
    if (R.Producer == 0)
      FromFirst.push_back(edgeCount(viewOf(R, What.Launches[R.Consumer].Grid)));
  EXPECT_EQ(FromFirst, (std::vector<uint64_t>{Blocks * Blocks, Blocks}));
}

TEST_F(ClosedLaunches, ComeInOrderWhereNothingIsDeclared) {
  begin();
  launch(0, 1);
  EXPECT_EQ(launchClosed(), cudaSuccess);
  launch(1, 2);
  declare(AccessKind::Read, 0);
  EXPECT_EQ(blockmaestro::declare(AccessKind::Read, nullptr, 1),
            BLOCKMAESTRO_NULL_RANGE);
  EXPECT_EQ(launchClosed(), cudaSuccess);
  EXPECT_EQ(Trace, (Lines{"launch 0", "fence", "closed launch", "launch 1",
                          "fence", "closed launch"}));
  const Recording What = recorded();
  EXPECT_EQ(What.Launches.size(), 2u);
  EXPECT_TRUE(What.Relations.empty());
  EXPECT_EQ(What.Barriers[0].BeforeLaunch, 1u);
}

TEST_F(ClosedLaunches, ComeInOrderWhereTheDeviceDoesNotOrderThem) {
  Machine.OrdersClosed = false;
  begin();
  launch(0, 1);
  declare(AccessKind::Read, 0);
  EXPECT_EQ(launchClosed(), cudaSuccess);
  EXPECT_EQ(recorded().Launches.size(), 1u);
}

TEST_F(ClosedLaunches, ThatFailAreNoNodes) {
  begin();
  launch(0, 1);
  ClosedResult = cudaErrorInvalidConfiguration;
  declare(AccessKind::Read, 1);
  EXPECT_EQ(launchClosed(), cudaErrorInvalidConfiguration);
  launch(1, 2);
  EXPECT_EQ(Trace.back(), "launch 1") << "behind the fence";
  EXPECT_EQ(relationsOf(recorded()), Lines{"0 -> 1 1"});
}

TEST_F(ClosedLaunches, OnAnotherStreamAreRelatedWhereThatIsOrdered) {
  begin();
  launch(0, 1);
  declare(AccessKind::Read, 1);
  LaunchRequest Request;
  Request.Stream = cudaStreamPerThread;
  EXPECT_EQ(Front->launch(Request), cudaSuccess);
  EXPECT_EQ(recorded().Relations.size(), 1u);
}

} // namespace
