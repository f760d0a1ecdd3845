// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recordings written and read back: everything survives, a cut file reads up
// to its last whole chunk, a damaged one is refused, a write error is told.

#include "Chunk.h"
#include "Reader.h"
#include "Writer.h"

#include "blockmaestro/BlockGraph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <latch>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace blockmaestro;

namespace {

using ByteVector = std::vector<uint8_t>;

class RecordTest : public testing::Test {
protected:
  RecordTest()
      : Path(testing::TempDir() + "/record-" + std::to_string(::getpid())) {}
  ~RecordTest() override { std::remove(Path.c_str()); }

  std::unique_ptr<RecordingWriter> open() {
    auto Writer =
        RecordingWriter::open(Path, {"prog", "emulated", "serial", 4});
    EXPECT_TRUE(Writer.ok());
    return std::move(*Writer);
  }

  ByteVector bytes() const {
    std::ifstream In(Path, std::ios::binary);
    return ByteVector(std::istreambuf_iterator<char>(In), {});
  }

  std::string Path;
};

RecordedLaunch makeLaunch(uint64_t Id, const char *Kernel, Dim3 Grid) {
  RecordedLaunch What;
  What.Id = Id;
  What.Kernel = Kernel;
  What.Grid = Grid;
  What.Block = {32, 8, 1};
  What.SharedBytes = 4224;
  return What;
}

/// p = c + Delta in x, all of y, for consumers up to (15, 8).
EncodedPiece makePiece(int32_t Delta) {
  EncodedPiece P{};
  P.ConsumerHigh[0] = P.ProducerHigh[0] = 15;
  P.ConsumerHigh[1] = P.ProducerHigh[1] = 8;
  P.Rows[0] = {{1, 0, 0}, 1, Delta, Delta};
  P.Rows[1] = {{0, 0, 0}, 1, 0, 8};
  P.Rows[2] = {{0, 0, 0}, 2, -3, 1};
  return P;
}

RecordedRelation makeRelation(uint64_t Producer, uint64_t Consumer) {
  RecordedRelation R;
  R.Producer = Producer;
  R.Consumer = Consumer;
  R.Hazards = HazardRAW | HazardWAR;
  R.Exact = true;
  R.Header = {uint32_t(RelationKind::Closed), 2, {16, 9, 1}};
  R.Pieces = {makePiece(-1), makePiece(1)};
  R.PieceHazards = {HazardRAW, HazardWAR};
  return R;
}

RecordedRelation makeFull(uint64_t Producer, uint64_t Consumer) {
  RecordedRelation R;
  R.Producer = Producer;
  R.Consumer = Consumer;
  R.Hazards = HazardWAW;
  R.Implied = true;
  R.Header = {uint32_t(RelationKind::Full), 0, {16, 9, 1}};
  R.Reason = "index is loaded from memory";
  return R;
}

/// Every second consumer block has two runs, which touch and have other
/// hazards.
RecordedRelation makeListed(uint64_t Producer, uint64_t Consumer) {
  auto List = std::make_shared<BlockList>();
  for (uint32_t C = 0; C < 144; ++C) {
    List->Begin.push_back(uint32_t(List->Runs.size()));
    if (C % 2)
      continue;
    List->Runs.insert(List->Runs.end(), {{C / 2, C}, {C + 1, 143}});
    List->Hazards.insert(List->Hazards.end(), {HazardRAW, HazardWAW});
  }
  List->Begin.push_back(uint32_t(List->Runs.size()));
  RecordedRelation R;
  R.Producer = Producer;
  R.Consumer = Consumer;
  R.Hazards = HazardRAW | HazardWAW;
  R.Header = {uint32_t(RelationKind::Listed), 0, {16, 9, 1}};
  R.List = std::move(List);
  return R;
}

/// From or to a copy, which is one block.
RecordedRelation makeOfCopy(uint64_t Producer, bool FromCopy, uint64_t Consumer,
                            bool ToCopy) {
  RecordedRelation R;
  R.Producer = Producer;
  R.ProducerIsCopy = FromCopy;
  R.Consumer = Consumer;
  R.ConsumerIsCopy = ToCopy;
  R.Hazards = HazardRAW;
  R.Exact = true;
  R.Header = {uint32_t(RelationKind::Full), 0, {16, 9, 1}};
  if (FromCopy)
    R.Header.ProducerGrid[0] = R.Header.ProducerGrid[1] = 1;
  return R;
}

RecordedCopy makeCopy(uint64_t Id, const char *Call, bool HostWaits) {
  RecordedCopy C;
  C.Id = Id;
  C.Call = Call;
  C.Bytes = 4096;
  C.HostWaits = HostWaits;
  C.Ranges = {{0x7f0000000000, 4096, true}, {64, 4096, false}};
  return C;
}

/// Three launches with relations in a window of two, a barrier after the
/// second, two copies, an observation and four blocks; one chunk before the
/// barrier, two after it.
void fill(RecordingWriter &To) {
  Dim3 Grid = {16, 9, 1};
  To.launch(makeLaunch(0, "step(float*)", Grid), {});
  RecordedLaunch Second = makeLaunch(1, "step(float*)", Grid);
  Second.Degraded = {"no bound for i", "alias"};
  To.copy(makeCopy(0, "cudaMemcpyAsync", false), {});
  To.launch(Second, {makeRelation(0, 1), makeOfCopy(0, true, 1, false)});
  BlockCost Cost{.Integer = 10, .Other = 5, .GlobalReads = 2};
  To.blockRan({0, 0, 1000, 1500, 3}, &Cost);
  To.blockRan({1, 143, 900, 1400, 0}, &Cost);
  To.barrier("cudaMemcpy");
  To.barrier("cudaDeviceSynchronize");
  To.copy(makeCopy(1, "cudaMemset", true),
          {makeOfCopy(1, false, 1, true), makeOfCopy(0, true, 1, true)});
  To.launch(makeLaunch(2, "add", Grid), {makeListed(1, 2), makeFull(0, 2)});
  To.observe({0, 1, 250, 3});
  BlockCost Other{.Other = uint64_t(1) << 63, .SharedWavefronts = 7};
  To.blockRan({2, 7, 2000, 2000, 1}, &Other);
  To.blockRan({2, 6, 2001, 2002, 1}, nullptr);
}

void expectSameRelation(const RecordedRelation &A, const RecordedRelation &B) {
  EXPECT_EQ(A.Producer, B.Producer);
  EXPECT_EQ(A.Consumer, B.Consumer);
  EXPECT_EQ(A.Hazards, B.Hazards);
  EXPECT_EQ(A.Exact, B.Exact);
  EXPECT_EQ(A.Implied, B.Implied);
  EXPECT_EQ(A.Reason, B.Reason);
  EXPECT_EQ(A.Header.Kind, B.Header.Kind);
  EXPECT_EQ(A.Header.PieceCount, B.Header.PieceCount);
  EXPECT_EQ(A.PieceHazards, B.PieceHazards);
  EXPECT_EQ(A.ProducerIsCopy, B.ProducerIsCopy);
  EXPECT_EQ(A.ConsumerIsCopy, B.ConsumerIsCopy);
  EXPECT_EQ(0, memcmp(A.Header.ProducerGrid, B.Header.ProducerGrid, 12));
  ASSERT_EQ(!A.List, !B.List);
  if (A.List) {
    EXPECT_EQ(A.List->Begin, B.List->Begin);
    EXPECT_EQ(A.List->Hazards, B.List->Hazards);
    ASSERT_EQ(A.List->Runs.size(), B.List->Runs.size());
    EXPECT_EQ(0, memcmp(A.List->Runs.data(), B.List->Runs.data(),
                        A.List->Runs.size() * sizeof(BlockRun)));
  }
  ASSERT_EQ(A.Pieces.size(), B.Pieces.size());
  for (size_t I = 0; I < A.Pieces.size(); ++I)
    EXPECT_EQ(0, memcmp(&A.Pieces[I], &B.Pieces[I], sizeof(EncodedPiece)));
}

TEST_F(RecordTest, EverythingComesBack) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  EXPECT_FALSE(Read->Truncated);
  EXPECT_EQ(Read->Program, "prog");
  EXPECT_EQ(Read->Device, "emulated");
  EXPECT_EQ(Read->Executor, "serial");
  EXPECT_EQ(Read->Window, 4u);
  ASSERT_EQ(Read->Launches.size(), 3u);
  EXPECT_EQ(Read->Launches[1].Id, 1u);
  EXPECT_EQ(Read->Launches[1].Kernel, "step(float*)");
  EXPECT_EQ(Read->Launches[1].Grid, (Dim3{16, 9, 1}));
  EXPECT_EQ(Read->Launches[1].Block, (Dim3{32, 8, 1}));
  EXPECT_EQ(Read->Launches[1].SharedBytes, 4224u);
  EXPECT_EQ(Read->Launches[1].Degraded,
            (std::vector<std::string>{"no bound for i", "alias"}));
  ASSERT_EQ(Read->Relations.size(), 3u);
  expectSameRelation(Read->Relations[0], makeRelation(0, 1));
  expectSameRelation(Read->Relations[1], makeListed(1, 2));
  expectSameRelation(Read->Relations[2], makeFull(0, 2));
}

TEST_F(RecordTest, CopiesAndObservationsComeBack) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  ASSERT_EQ(Read->Copies.size(), 2u);
  EXPECT_EQ(Read->Copies[0].Call, "cudaMemcpyAsync");
  EXPECT_EQ(Read->Copies[0].Before, 1u);
  EXPECT_FALSE(Read->Copies[0].HostWaits);
  EXPECT_EQ(Read->Copies[1].Id, 1u);
  EXPECT_EQ(Read->Copies[1].Before, 2u);
  EXPECT_EQ(Read->Copies[1].Bytes, 4096u);
  EXPECT_TRUE(Read->Copies[1].HostWaits);
  ASSERT_EQ(Read->Copies[1].Ranges.size(), 2u);
  EXPECT_EQ(Read->Copies[1].Ranges[0].Address, 0x7f0000000000u);
  EXPECT_TRUE(Read->Copies[1].Ranges[0].Writes);
  EXPECT_FALSE(Read->Copies[1].Ranges[1].Writes);
  ASSERT_EQ(Read->CopyRelations.size(), 3u);
  expectSameRelation(Read->CopyRelations[0], makeOfCopy(0, true, 1, false));
  expectSameRelation(Read->CopyRelations[1], makeOfCopy(1, false, 1, true));
  expectSameRelation(Read->CopyRelations[2], makeOfCopy(0, true, 1, true));
  ASSERT_EQ(Read->Observations.size(), 1u);
  EXPECT_EQ(Read->Observations[0].Producer, 0u);
  EXPECT_EQ(Read->Observations[0].Consumer, 1u);
  EXPECT_EQ(Read->Observations[0].TrueEdges, 250u);
  EXPECT_EQ(Read->Observations[0].Missing, 3u);
}

TEST_F(RecordTest, BarriersEventsAndCostsComeBack) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok());
  ASSERT_EQ(Read->Barriers.size(), 1u) << "two in a row are one";
  EXPECT_EQ(Read->Barriers[0].BeforeLaunch, 2u);
  EXPECT_EQ(Read->Barriers[0].What, "cudaMemcpy");
  ASSERT_EQ(Read->Events.size(), 4u);
  EXPECT_EQ(Read->Events[1].Launch, 1u);
  EXPECT_EQ(Read->Events[1].Block, 143u);
  EXPECT_EQ(Read->Events[1].Start, 900u);
  EXPECT_EQ(Read->Events[1].End, 1400u);
  EXPECT_EQ(Read->Events[0].Where, 3u);
  EXPECT_EQ(Read->Events[3].Block, 6u);
  ASSERT_EQ(Read->Costs.size(), 3u) << "the fourth block had none";
  EXPECT_EQ(Read->Costs[1].Cost.Other, 5u);
  EXPECT_EQ(Read->Costs[2].Launch, 2u);
  EXPECT_EQ(Read->Costs[2].Cost.SharedWavefronts, 7u);
  EXPECT_EQ(Read->Costs[2].Cost.Other, uint64_t(1) << 63);
}

TEST_F(RecordTest, EveryCutReadsToTheLastWholeChunk) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  ByteVector All = bytes();
  auto Whole = readRecording(Path);
  ASSERT_TRUE(Whole.ok());
  size_t MostLaunches = 0, MostEvents = 0;
  for (size_t Cut = 0; Cut < All.size(); ++Cut) {
    auto Part = parseRecording(All.data(), Cut, "cut");
    ASSERT_EQ(Part.ok(), Cut >= 8) << Cut;
    if (!Part.ok())
      continue;
    ASSERT_TRUE(Part->Truncated) << Cut;
    ASSERT_GE(Part->Launches.size(), MostLaunches);
    ASSERT_GE(Part->Events.size(), MostEvents);
    MostLaunches = Part->Launches.size();
    MostEvents = Part->Events.size();
    size_t Relations = std::count_if(
        Whole->Relations.begin(), Whole->Relations.end(),
        [&](const RecordedRelation &R) { return R.Consumer < MostLaunches; });
    ASSERT_EQ(Part->Relations.size(), Relations)
        << "a launch came without what it waits for, cut at " << Cut;
    ASSERT_EQ(Part->CopyRelations.size(), Part->Copies.size() == 2    ? 3
                                          : Part->Launches.size() > 1 ? 1
                                                                      : 0);
  }
  EXPECT_EQ(MostLaunches, 3u);
  EXPECT_EQ(MostEvents, 4u);
}

TEST_F(RecordTest, EveryDamagedByteIsNoticed) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  ByteVector All = bytes();
  for (size_t At = 0; At < All.size(); ++At)
    for (uint8_t Flip : {0x01, 0x80, 0xff}) {
      ByteVector Damaged = All;
      Damaged[At] ^= Flip;
      EXPECT_FALSE(parseRecording(Damaged.data(), Damaged.size(), "d").ok())
          << At;
    }
}

TEST_F(RecordTest, ForeignOlderAndLongerFilesAreRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  ByteVector All = bytes();
  const char Elf[] = "\177ELF and more";
  auto Foreign = parseRecording(reinterpret_cast<const uint8_t *>(Elf),
                                sizeof(Elf), "a.out");
  EXPECT_EQ(Foreign.status().message(), "a.out: not a recording");
  ByteVector Newer = All;
  Newer[4] = 9;
  auto Version = parseRecording(Newer.data(), Newer.size(), "r");
  EXPECT_EQ(Version.status().code(), StatusCode::VersionMismatch);
  EXPECT_EQ(Version.status().message(),
            "r: recording of version 9; this reads version 2");
  All.push_back(0);
  EXPECT_EQ(parseRecording(All.data(), All.size(), "r").status().code(),
            StatusCode::Corrupt);
  EXPECT_EQ(readRecording("/nonexistent/r").status().message(),
            "/nonexistent/r: No such file or directory");
}

/// The file up to its description, and a chunk of Body behind it.
ByteVector withChunk(const ByteVector &Empty, record::ChunkType Type,
                     const ByteVector &Body) {
  size_t Info = record::unpackChunk(Empty.data() + 8, Empty.size() - 8).Bytes;
  ByteVector Out(Empty.begin(), Empty.begin() + 8 + Info);
  ByteVector Chunk = record::packChunk(Type, Body);
  Out.insert(Out.end(), Chunk.begin(), Chunk.end());
  return Out;
}

/// Parses a control chunk of these bytes; the message, empty when it is fine.
std::string controlError(const ByteVector &Empty, const ByteVector &Body) {
  ByteVector File = withChunk(Empty, record::ChunkType::Control, Body);
  return parseRecording(File.data(), File.size(), "r").status().message();
}

TEST_F(RecordTest, WellSummedNonsenseIsRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  ByteVector Empty = bytes();
  // Kernel 0 "k", grid, block, shared, no reasons, relations.
  const ByteVector Good = {1, 0, 1, 'k', 2, 1, 1, 32, 1, 1, 0, 0, 0};
  auto parse = [&](const ByteVector &Body) {
    return controlError(Empty, Body);
  };
  EXPECT_EQ(parse(Good), "");
  ByteVector EmptyGrid = Good;
  EmptyGrid[4] = 0;
  EXPECT_EQ(parse(EmptyGrid),
            "r: corrupt recording: a launch has an impossible size");
  ByteVector Self = Good;
  Self.back() = 1;
  Self.push_back(0);
  EXPECT_EQ(parse(Self), "r: corrupt recording: a relation names a producer "
                         "that is not earlier");
  EXPECT_EQ(parse({1, 0, 3, 'k', 'k'}),
            "r: corrupt recording: a launch is cut short");
  EXPECT_EQ(parse({7}),
            "r: corrupt recording: a control chunk has an unknown entry");
}

TEST_F(RecordTest, WellSummedNonsenseAboutCopiesIsRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  ByteVector Empty = bytes();
  // Copy "c", 9 bytes, the host waits, one range at 5 of 9 bytes, written.
  const ByteVector Good = {3, 0, 1, 'c', 9, 1, 1, 5, 9, 1, 0};
  EXPECT_EQ(controlError(Empty, Good), "");
  ByteVector NoFlag = Good;
  NoFlag[5] = 2;
  EXPECT_EQ(controlError(Empty, NoFlag),
            "r: corrupt recording: a copy is cut short");
  ByteVector Itself = Good;
  Itself.back() = 1;
  Itself.insert(Itself.end(), {1, 0});
  EXPECT_EQ(controlError(Empty, Itself),
            "r: corrupt recording: a relation names a producer that is not "
            "earlier");
  EXPECT_EQ(controlError(Empty, {4, 1, 1, 9, 0}),
            "r: corrupt recording: an observation is not of two launches");
  EXPECT_EQ(controlError(Empty, {3, 1, 1, 'c', 9, 0, 0, 0}),
            "r: corrupt recording: a copy is cut short")
      << "a string that was not given";
  EXPECT_EQ(
      controlError(Empty, {3, 0, 1, 'c', 9, 0, 0, 0, 5, 3, 0, 9, 0, 0, 0}),
      "r: corrupt recording: a copy is cut short")
      << "a string that was forgotten";
}

/// A launch of one block and one of two, which has a relation with this list.
ByteVector withList(const ByteVector &List) {
  ByteVector Body = {1, 0, 2, 1, 1, 1, 0, 0};
  Body.insert(Body.end(), List.begin(), List.end());
  ByteVector Out = {1, 0, 1, 'k', 1, 1,  1, 32, 1, 1, 0, 0, 0,
                    1, 0, 2, 1,   1, 32, 1, 1,  0, 0, 1, 2, 1};
  Out.push_back(uint8_t(Body.size()));
  Out.insert(Out.end(), Body.begin(), Body.end());
  return Out;
}

TEST_F(RecordTest, ListsThatDoNotFitAreRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  ByteVector Empty = bytes();
  const char *Impossible =
      "r: corrupt recording: a relation has an impossible list";
  EXPECT_EQ(controlError(Empty, withList({1, 0, 0, 1, 0})), "");
  EXPECT_EQ(controlError(Empty, withList({0, 1, 0, 0, 1})), "");
  EXPECT_EQ(controlError(Empty, withList({0})), Impossible) << "one block only";
  EXPECT_EQ(controlError(Empty, withList({1, 2, 0, 1, 0})), Impossible)
      << "begins behind the last producer";
  EXPECT_EQ(controlError(Empty, withList({1, 0, 1, 1, 0})), Impossible)
      << "ends behind the last producer";
  EXPECT_EQ(controlError(Empty, withList({1, 1, 0, 1, 0})), Impossible)
      << "begins before the first";
  EXPECT_EQ(controlError(Empty, withList({2, 0, 0, 1, 0, 0, 1, 0})), Impossible)
      << "runs meet";
  EXPECT_EQ(controlError(Empty, withList({0, 0, 0})),
            "r: corrupt recording: a relation's contents do not fit its size");
}

TEST_F(RecordTest, ChunksThatDoNotUnpackAreRefused) {
  const ByteVector Body(1000, 'x');
  ByteVector Chunk = record::packChunk(record::ChunkType::Control, Body);
  EXPECT_LT(Chunk.size(), 100u);
  EXPECT_EQ(record::unpackChunk(Chunk.data(), Chunk.size()).Body, Body);
  for (uint32_t Plain : {0u, 999u, 1001u, 0xffffffffu}) {
    record::ByteWriter Size;
    Size.word(Plain);
    std::copy_n(Size.Bytes.begin(), 4, Chunk.begin() + 8);
    record::ByteWriter Sum;
    Sum.word(record::checksum(Chunk.data(), record::ChunkHeaderBytes - 4));
    std::copy_n(Sum.Bytes.begin(), 4, Chunk.begin() + 16);
    record::Unpacked Out = record::unpackChunk(Chunk.data(), Chunk.size());
    EXPECT_STREQ(Out.Wrong, "a chunk does not unpack to its size") << Plain;
  }
}

TEST_F(RecordTest, CostsAreFoundByTheirNames) {
  record::ByteWriter Info;
  for (const char *Text : {"p", "d", "e"})
    Info.text(Text);
  Info.number(1);
  Info.number(2);
  Info.text("not of this version");
  Info.text(CostFields[1].Name);
  ByteVector File = {'B', 'M', 'R', '1', 2, 0, 0, 0};
  auto Append = [&](record::ChunkType Type, const ByteVector &Body) {
    ByteVector Chunk = record::packChunk(Type, Body);
    File.insert(File.end(), Chunk.begin(), Chunk.end());
  };
  Append(record::ChunkType::Info, Info.Bytes);
  Append(record::ChunkType::Control,
         {1, 0, 1, 'k', 1, 1, 1, 32, 1, 1, 0, 0, 0});
  Append(record::ChunkType::Blocks, {0, 0, 0, 0, 0, 2, 14, 10});
  auto Read = parseRecording(File.data(), File.size(), "r");
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  ASSERT_EQ(Read->Costs.size(), 1u);
  for (const CostField &F : CostFields)
    EXPECT_EQ(Read->Costs[0].Cost.*F.Value, &F == &CostFields[1] ? 5u : 0u);
}

TEST_F(RecordTest, StringsAreForgottenBeforeTheyAreTooMany) {
  auto Writer = open();
  for (uint64_t I = 0; I < 100; ++I) {
    std::string Kernel(size_t(100) << 10, char('a' + I % 26));
    Writer->launch(makeLaunch(I, Kernel.c_str(), {4, 1, 1}), {});
  }
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  for (uint64_t I = 0; I < 100; ++I)
    EXPECT_EQ(Read->Launches[I].Kernel[1000], char('a' + I % 26));
}

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
  for (size_t I = 0; I < 80000; ++I) {
    const Event &E = Read->Events[I];
    ++Seen[E.Block];
    EXPECT_EQ(E.Where, E.Block / 20000);
    EXPECT_EQ(E.End - E.Start, E.Where);
    EXPECT_EQ(Read->Costs[I].Cost.Integer, E.Block % 20000);
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
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok());
  EXPECT_TRUE(Read->Truncated);
  ASSERT_EQ(Read->Launches.size(), 1u);
  EXPECT_EQ(Read->Barriers[0].BeforeLaunch, 1u);
}

TEST_F(RecordTest, RepeatedRelationsTakeFewBytes) {
  auto Writer = open();
  Writer->launch(makeLaunch(0, "k", {16, 9, 1}), {});
  for (uint64_t I = 1; I < 100; ++I)
    Writer->launch(makeLaunch(I, "k", {16, 9, 1}), {makeRelation(I - 1, I)});
  ASSERT_TRUE(Writer->close().ok());
  EXPECT_LT(bytes().size(), 2000u);
  EXPECT_EQ(readRecording(Path)->Relations.size(), 99u);
}

TEST(RecordErrors, FullDiskIsToldWhenOpening) {
  auto Writer = RecordingWriter::open("/dev/full", {"p", "d", "e", 1});
  EXPECT_EQ(Writer.status().code(), StatusCode::Io);
  EXPECT_EQ(Writer.status().message(),
            "cannot write recording: No space left on device");
  EXPECT_FALSE(RecordingWriter::open("/nonexistent/r", {}).ok());
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
  EXPECT_EQ(Closed.message(), "cannot write recording: File too large");
  EXPECT_EQ(Writer->close().message(), Closed.message());
  EXPECT_TRUE(readRecording(Path)->Truncated);
}

} // namespace
