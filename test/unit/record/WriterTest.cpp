// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The writer while the program runs: many threads, what is flushed, errors.

#include "Reader.h"
#include "RecordCases.h"
#include "RecordingFile.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <latch>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace blockmaestro;
using namespace blockmaestro::test;
using blockmaestro::record::partialName;

TEST_F(RecordTest, BlocksFromManyThreads) {
  auto Writer = open();
  Writer->launch(makeLaunch(0, "k", {80000, 1, 1}), {});
  std::vector<std::thread> Threads;
  std::latch AllThere(4);
  for (uint32_t T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      AllThere.arrive_and_wait();
      for (uint64_t B = 0; B < 20000; ++B) {
        BlockCost Cost{.Integer = B, .Double = T};
        Writer->blockRan({0, T * 20000 + B, B, B + T, T}, &Cost);
      }
    });
  for (std::thread &T : Threads)
    T.join();
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  std::vector<int> Seen(80000);
  ASSERT_EQ(Read->Costs.size(), 80000u);
  const auto Events = Read->Events.all();
  const auto Costs = Read->Costs.all();
  for (size_t I = 0; I < 80000; ++I) {
    const Event &E = Events[I];
    ++Seen[E.Block];
    EXPECT_EQ(E.Where, E.Block / 20000);
    EXPECT_EQ(E.End - E.Start, E.Where);
    EXPECT_EQ(Costs[I].Cost.Integer, E.Block % 20000);
  }
  EXPECT_EQ(std::count(Seen.begin(), Seen.end(), 1), 80000);
}

TEST_F(RecordTest, CostsAreWantedUnlessItIsSaidOtherwise) {
  EXPECT_TRUE(open()->wantsCosts());
  RecordingInfo Info;
  Info.Costs = false;
  EXPECT_FALSE((*RecordingWriter::open(Path, Info))->wantsCosts());
}

TEST_F(RecordTest, FlushedWithoutCloseIsReadable) {
  auto Writer = open();
  Writer->launch(makeLaunch(0, "k", {4, 1, 1}), {});
  Writer->barrier("cudaMemcpy");
  Writer->launch(makeLaunch(1, "lost", {4, 1, 1}), {});
  Writer.reset();
  const std::string Partial = partialName(Path);
  EXPECT_EQ(readRecording(Path).status().message(),
            Path + ": No such file or directory; " + Partial +
                " is of a program that still runs or was killed");
  auto Read = readRecording(Partial);
  ASSERT_TRUE(Read.ok());
  EXPECT_TRUE(Read->Truncated);
  ASSERT_EQ(Read->Launches.size(), 1u);
  EXPECT_EQ(Read->Barriers[0].BeforeLaunch, 1u);
}

/// The first of several, and the first at which the host waits.
TEST_F(RecordTest, BarriersInARowAreOneUnlessTheHostWaitsOnlyLater) {
  auto Writer = open();
  Writer->barrier("cudaGraphLaunch", false);
  Writer->barrier("cudaEventRecord", false);
  Writer->barrier("cudaDeviceSynchronize", true);
  Writer->barrier("cudaMemcpy", true);
  Writer->barrier("cudaEventRecord", false);
  Writer->launch(makeLaunch(0, "k", {4, 1, 1}), {});
  Writer->barrier("cudaFree", true);
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok());
  std::string Names;
  for (const RecordedBarrier &Each : Read->Barriers)
    Names += Each.What + (Each.HostWaits ? " waits; " : "; ");
  EXPECT_EQ(Names, "cudaGraphLaunch; cudaDeviceSynchronize waits; "
                   "cudaFree waits; ");
}

TEST_F(RecordTest, AWaitIsLeftOutWhereTheThreadHasWaitedAlready) {
  auto Writer = open();
  Writer->launch(makeLaunch(0, "k", {4, 1, 1}), {});
  Writer->copy(makeCopy(0, "cudaMemcpyAsync", false), {});
  Writer->launch(makeLaunch(1, "k", {4, 1, 1}), {});
  Writer->wait("cudaEventSynchronize", 2, {7, 2000});
  Writer->wait("cudaEventElapsedTime", 1, {7, 2001});
  Writer->wait("cudaEventQuery", 2, {8, 10});
  Writer->wait("cudaEventQuery", 3, {7, 2002});
  Writer->copy(makeCopy(1, "cudaMemcpy", true), {});
  Writer->wait("cudaEventSynchronize", 4, {3, uint64_t(1) << 40});
  Writer->launch(makeLaunch(2, "k", {4, 1, 1}), {});
  Writer->barrier("cudaDeviceSynchronize", true, {7, 2003});
  Writer->wait("cudaEventSynchronize", 5, {7, 2004});
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  std::string Waits;
  for (const RecordedWait &Each : Read->Waits)
    Waits += std::to_string(Each.BeforeLaunch) + "," +
             std::to_string(Each.BeforeCopy) + " " + Each.What + " " +
             std::to_string(Each.Until) + " by " +
             std::to_string(Each.Asked.Thread) + "; ";
  EXPECT_EQ(Waits, "2,1 cudaEventSynchronize 2 by 0; 2,1 cudaEventQuery 2 by "
                   "2; 2,1 cudaEventQuery 3 by 0; ");
}

TEST(RecordErrors, FullDiskIsToldWhenOpening) {
  auto Writer = RecordingWriter::open("/dev/full", {"p", "d", "e", 1});
  EXPECT_EQ(Writer.status().code(), StatusCode::Io);
  EXPECT_EQ(Writer.status().message(),
            "cannot write recording: No space left on device");
  EXPECT_FALSE(RecordingWriter::open("/nonexistent/r", {}).ok());
}

TEST_F(RecordTest, OnlyARecordingIsWrittenOver) {
  const std::string Source = "int main() {}\n";
  std::ofstream(Path) << Source;
  auto Refused = RecordingWriter::open(Path, {});
  ASSERT_FALSE(Refused.ok());
  EXPECT_EQ(Refused.status().message(),
            "cannot create recording " + Path +
                ": there is a file of this name that is none");
  std::ifstream Left(Path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(Left), {}), Source);
  ASSERT_EQ(std::remove(Path.c_str()), 0);

  auto First = open();
  First->launch(makeLaunch(0, "longer", {80000, 1, 1}), {});
  ASSERT_TRUE(First->close().ok());
  auto Second = open();
  ASSERT_TRUE(Second->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  EXPECT_EQ(Read->Launches.size(), 0u) << "nothing is left of the first";
}

TEST_F(RecordTest, FullDiskIsToldWhenClosing) {
  auto Writer = open();
  rlimit Old;
  getrlimit(RLIMIT_FSIZE, &Old);
  auto *OldHandler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit Small = {200, Old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &Small);
  for (uint64_t I = 0; I < 100; ++I) {
    Writer->launch(makeLaunch(I, "k", {4, 1, 1}), {});
    Writer->blockRan({I, 0, I, I, 0}, nullptr);
  }
  Status Closed = Writer->close();
  setrlimit(RLIMIT_FSIZE, &Old);
  std::signal(SIGXFSZ, OldHandler);
  EXPECT_EQ(Closed.code(), StatusCode::Io);
  EXPECT_EQ(Closed.message(),
            "cannot write recording: File too large; its beginning is " +
                partialName(Path));
  EXPECT_EQ(Writer->close().message(), Closed.message());
  EXPECT_TRUE(readRecording(partialName(Path))->Truncated);
}

/// Runs Body in a forked process, which ends as if it were killed, and gives
/// its number.
template <typename Function> static pid_t inChild(Function Body) {
  const pid_t Child = ::fork();
  if (Child == 0) {
    Body();
    ::_exit(0);
  }
  int How = 0;
  EXPECT_EQ(::waitpid(Child, &How, 0), Child);
  return Child;
}

TEST_F(RecordTest, AnUnfinishedRecordingLeavesTheOneBefore) {
  ASSERT_TRUE(open()->close().ok());
  const ByteVector Before = bytes();
  auto Writer = open();
  Writer->launch(makeLaunch(0, "k", {4, 1, 1}), {});
  ASSERT_TRUE(Writer->flush().ok());
  EXPECT_EQ(bytes(), Before);
  ASSERT_TRUE(Writer->close().ok());
  EXPECT_EQ(readRecording(Path)->Launches.size(), 1u);
  EXPECT_NE(::access(partialName(Path).c_str(), F_OK), 0);
}

TEST_F(RecordTest, WhatIsNoRecordingIsNotWrittenOverBesideIt) {
  std::ofstream(partialName(Path)) << "mine";
  EXPECT_FALSE(RecordingWriter::open(Path, {}).ok());
  std::string Left;
  std::ifstream(partialName(Path)) >> Left;
  EXPECT_EQ(Left, "mine");
}

TEST_F(RecordTest, ANameThatBecomesAnotherFileMeanwhileIsNotWrittenOver) {
  auto Writer = open();
  std::ofstream(Path) << "mine";
  EXPECT_FALSE(Writer->close().ok());
  std::string Left;
  std::ifstream(Path) >> Left;
  EXPECT_EQ(Left, "mine");
  EXPECT_FALSE(readRecording(partialName(Path))->Truncated);
}

TEST_F(RecordTest, AnotherProcessHasAFileOfItsOwn) {
  auto Writer = open();
  EXPECT_EQ(Writer->otherPath(), "");
  const pid_t Child = inChild([&] {
    auto Own = open();
    Own->launch(makeLaunch(0, "child", {4, 1, 1}), {});
    if (Own->otherPath() == Path + "." + std::to_string(::getpid()))
      (void)Own->close();
  });
  ASSERT_TRUE(Writer->close().ok());
  EXPECT_EQ(readRecording(Path)->Launches.size(), 0u);
  const std::string Other = Path + "." + std::to_string(Child);
  EXPECT_EQ(readRecording(Other)->Launches.size(), 1u);
  std::remove(Other.c_str());
}

TEST_F(RecordTest, AProgramMayChangeItsFolder) {
  const std::filesystem::path Old = std::filesystem::current_path();
  const std::filesystem::path Full = Path;
  std::filesystem::current_path(Full.parent_path());
  const std::string Name = Full.filename();
  auto Writer = RecordingWriter::open(Name, {}, [&] { return Name + "-c"; });
  std::filesystem::current_path("/");
  ASSERT_TRUE(Writer.ok());
  inChild([&] {
    (*Writer)->launch(makeLaunch(0, "child", {4, 1, 1}), {});
    (void)(*Writer)->close();
  });
  const Status Closed = (*Writer)->close();
  std::filesystem::current_path(Old);
  EXPECT_TRUE(Closed.ok()) << Closed.message();
  EXPECT_EQ(readRecording(Path)->Launches.size(), 0u);
  auto Childs = readRecording(Path + "-c");
  ASSERT_TRUE(Childs.ok()) << Childs.status().message();
  EXPECT_EQ(Childs->Launches.size(), 1u);
  std::remove((Path + "-c").c_str());
}

TEST_F(RecordTest, AForkedProcessThatRecordsGoesOnInAFileOfItsOwn) {
  const std::string Other = Path + "-child";
  auto Opened = RecordingWriter::open(Path, {}, [&] { return Other; });
  ASSERT_TRUE(Opened.ok());
  RecordingWriter *const Writer = Opened->get();
  Writer->launch(makeLaunch(0, "both", {4, 1, 1}), {});
  Writer->barrier("cudaDeviceSynchronize");
  Writer->launch(makeLaunch(1, "not yet written", {4, 1, 1}), {});
  inChild([&] {
    Writer->launch(makeLaunch(2, "child", {4, 1, 1}), {});
    (void)Writer->close();
  });
  inChild([&] {
    Writer->barrier("end of the program");
    (void)Writer->close();
  });
  Writer->launch(makeLaunch(2, "parent", {4, 1, 1}), {});
  ASSERT_TRUE(Writer->close().ok());
  auto Own = readRecording(Path), Childs = readRecording(Other);
  ASSERT_TRUE(Own.ok()) << Own.status().message();
  ASSERT_TRUE(Childs.ok()) << Childs.status().message();
  EXPECT_FALSE(Childs->Truncated);
  ASSERT_EQ(Own->Launches.size(), 3u);
  ASSERT_EQ(Childs->Launches.size(), 3u);
  EXPECT_EQ(Own->Launches[2].Kernel, "parent");
  EXPECT_EQ(Childs->Launches[2].Kernel, "child");
  EXPECT_EQ(Childs->Launches[1].Kernel, "not yet written");
  std::remove(Other.c_str());
}
