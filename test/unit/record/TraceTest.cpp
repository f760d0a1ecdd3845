// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What warps did is written and read back: everything survives, what repeats
// is written once, and what does not fit is refused.

#include "Chunk.h"
#include "Reader.h"
#include "RecordCases.h"

#include <algorithm>
#include <random>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

/// A loop: a read of global memory and one of shared, and its end.
std::shared_ptr<WarpCode> makeCode() {
  auto Code = std::make_shared<WarpCode>();
  Code->Registers = 4;
  Code->Steps.resize(2);
  Code->Steps[0].Moves = {{0, 1, 2}, {1, 1, NoRegister}};
  Code->Steps[0].Instructions = {{WarpClass::Read, 2, {1}},
                                 {WarpClass::Read, 3, {1, 2}},
                                 {WarpClass::Branch, NoRegister, {3}}};
  Code->Steps[1].Instructions = {{WarpClass::Barrier, NoRegister, {}}};
  return Code;
}

/// So many iterations, from a sector on.
std::shared_ptr<WarpPath> makePath(uint32_t Iterations, uint64_t Sector,
                                   uint32_t Lanes = ~0u) {
  auto Route = std::make_shared<WarpRoute>();
  auto Path = std::make_shared<WarpPath>();
  for (uint32_t I = 0; I < Iterations; ++I) {
    Route->Visits.push_back({0, Lanes >> (I % 2)});
    Route->Accesses.insert(Route->Accesses.end(),
                           {{false, 3, 1 + I % 32}, {true, I}});
    Path->Sectors.insert(Path->Sectors.end(),
                         {Sector + I, Sector + I + 1, Sector + I + 100});
  }
  Route->Visits.push_back({1, Lanes});
  Path->Route = std::move(Route);
  return Path;
}

void expectSame(const BlockTrace &A, const BlockTrace &B) {
  EXPECT_EQ(A.Launch, B.Launch);
  EXPECT_EQ(A.Block, B.Block);
  EXPECT_EQ(A.Code->Registers, B.Code->Registers);
  ASSERT_EQ(A.Code->Steps.size(), B.Code->Steps.size());
  ASSERT_EQ(A.Warps.size(), B.Warps.size());
  for (size_t W = 0; W < A.Warps.size(); ++W) {
    EXPECT_EQ(A.Warps[W]->Sectors, B.Warps[W]->Sectors);
    const WarpRoute &R = *A.Warps[W]->Route, &S = *B.Warps[W]->Route;
    EXPECT_TRUE(std::ranges::equal(
        R.Visits, S.Visits, [](const WarpVisit &V, const WarpVisit &U) {
          return V.Step == U.Step && V.Lanes == U.Lanes;
        }));
    EXPECT_TRUE(std::ranges::equal(
        R.Accesses, S.Accesses, [](const WarpAccess &V, const WarpAccess &U) {
          return V.Shared == U.Shared && V.Count == U.Count &&
                 V.Together == U.Together;
        }));
  }
}

/// Blocks of 8 warps of a launch of 144 blocks.
BlockTrace makeTrace(uint64_t Block, std::shared_ptr<const WarpCode> Code,
                     std::shared_ptr<const WarpPath> OfAll) {
  BlockTrace Out{0, Block, std::move(Code), {}};
  Out.Warps.assign(8, std::move(OfAll));
  return Out;
}

class TraceTest : public RecordTest {
protected:
  std::unique_ptr<RecordingWriter> openTraced() {
    RecordingInfo Info{"prog", "emulated", "serial", 4};
    Info.WarpsOneIn = 3;
    auto Writer = std::move(*RecordingWriter::open(Path, Info));
    Writer->launch(makeLaunch(0, "k", {16, 9, 1}), {});
    return Writer;
  }
};

} // namespace

TEST_F(TraceTest, EverythingComesBack) {
  auto Writer = openTraced();
  EXPECT_EQ(Writer->warpsOneIn(), 3u);
  BlockTrace First = makeTrace(3, makeCode(), makePath(5, 1000));
  First.Warps[2] = makePath(7, uint64_t(1) << 58);
  First.Warps[5] = makePath(5, 0, 0x80000001);
  const BlockTrace Second = makeTrace(0, First.Code, makePath(5, 77));
  Writer->warpsRan(First);
  Writer->warpsRan(Second);
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  EXPECT_EQ(Read->WarpsOneIn, 3u);
  ASSERT_EQ(Read->Traces.size(), 2u);
  expectSame(Read->Traces[0], First);
  expectSame(Read->Traces[1], Second);
  EXPECT_EQ(Read->Traces[0].Code, Read->Traces[1].Code);
  EXPECT_EQ(Read->Traces[0].Warps[0], Read->Traces[0].Warps[7]);
  EXPECT_EQ(Read->Traces[0].Warps[0]->Route, Read->Traces[1].Warps[0]->Route)
      << "what blocks have in common is there once";
}

TEST_F(TraceTest, CodeComesBack) {
  auto Writer = openTraced();
  Writer->warpsRan(makeTrace(3, makeCode(), makePath(1, 1)));
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  const WarpStep &Step = Read->Traces[0].Code->Steps[0];
  ASSERT_EQ(Step.Moves.size(), 2u);
  EXPECT_EQ(Step.Moves[0].Result, 1u);
  EXPECT_EQ(Step.Moves[0].Operand, 2u);
  EXPECT_EQ(Step.Moves[1].From, 1u);
  EXPECT_EQ(Step.Moves[1].Operand, NoRegister);
  ASSERT_EQ(Step.Instructions.size(), 3u);
  EXPECT_EQ(Step.Instructions[1].Operands, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(Step.Instructions[1].Result, 3u);
  EXPECT_EQ(Step.Instructions[2].Class, WarpClass::Branch);
  EXPECT_EQ(Step.Instructions[2].Result, NoRegister);
}

TEST_F(TraceTest, EqualWarpsAndRoutesTakeFewBytes) {
  const auto Code = makeCode();
  auto Size = [&](uint64_t Blocks) {
    auto Writer = openTraced();
    for (uint64_t B = 0; B < Blocks; ++B)
      Writer->warpsRan(makeTrace(3 * B, Code, makePath(20, 1000 * B)));
    EXPECT_TRUE(Writer->close().ok());
    const ByteVector All = bytes();
    size_t Sum = 0;
    for (size_t At = record::PreambleBytes; At < All.size();) {
      auto Chunk = record::unpackChunk(&All[At], All.size() - At);
      Sum += Chunk.Type == record::ChunkType::Warps ? Chunk.Body.size() : 0;
      At += Chunk.Bytes;
    }
    return Sum;
  };
  // Kind, launch, block, code, warps, path, route, 20 accesses of 3 sectors,
  // the first of three bytes, and seven more paths.
  EXPECT_EQ(Size(20) - Size(19), 5 + 2 + 20 * 3 + 2 + 7u);
}

/// Random paths until codes and routes are forgotten, in several chunks.
TEST_F(TraceTest, ManyRoutesComeBack) {
  std::mt19937 Random(1);
  auto Writer = openTraced();
  const auto Code = makeCode();
  std::vector<BlockTrace> All;
  for (uint64_t B = 0; B < 144; ++B) {
    BlockTrace &T = All.emplace_back(BlockTrace{0, B, Code, {}});
    for (unsigned W = 0; W < 8; ++W)
      T.Warps.push_back(makePath(Random() % 2000, Random(), Random() | 3));
    Writer->warpsRan(T);
  }
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  ASSERT_EQ(Read->Traces.size(), All.size());
  EXPECT_NE(Read->Traces.front().Code, Read->Traces.back().Code)
      << "nothing was forgotten";
  for (size_t I = 0; I < All.size(); ++I)
    expectSame(Read->Traces[I], All[I]);
}

TEST_F(TraceTest, EveryCutAndDamageIsNoticed) {
  auto Writer = openTraced();
  Writer->warpsRan(makeTrace(3, makeCode(), makePath(5, 1000)));
  Writer->barrier("b");
  Writer->warpsRan(makeTrace(4, makeCode(), makePath(5, 1000)));
  ASSERT_TRUE(Writer->close().ok());
  const ByteVector All = bytes();
  size_t Most = 0;
  for (size_t Cut = record::PreambleBytes; Cut < All.size(); ++Cut) {
    auto Part = parseRecording(All.data(), Cut, "cut");
    ASSERT_TRUE(Part.ok() && Part->Truncated) << Cut;
    ASSERT_GE(Part->Traces.size(), Most);
    Most = Part->Traces.size();
    ByteVector Damaged = All;
    Damaged[Cut] ^= 0x10;
    EXPECT_FALSE(parseRecording(Damaged.data(), Damaged.size(), "d").ok());
  }
  EXPECT_EQ(Most, 2u);
}

namespace {

/// A code of one register and one step: a read of it.
const ByteVector Code = {1, 1, 1, 0, 1, 9, 1, 1, 0};

/// Both, one behind the other.
ByteVector operator+(ByteVector A, const ByteVector &B) {
  A.insert(A.end(), B.begin(), B.end());
  return A;
}

} // namespace

TEST_F(TraceTest, WellSummedNonsenseIsRefused) {
  // A launch of 4 blocks of 256 threads, as older versions have it too.
  const ByteVector Start =
      ByteVector{'B', 'M', 'R', '1', 6, 0, 0, 0} +
      record::packChunk(record::ChunkType::Info,
                        {1, 'p', 1, 'd', 1, 'e', 0, 0, 0}) +
      record::packChunk(record::ChunkType::Control,
                        {1, 0, 0, 0, 1, 'k', 4, 1, 1, 32, 8, 1, 0, 0, 0, 0});
  auto parse = [&](const ByteVector &Body, uint8_t Version = 6) {
    ByteVector File = Start + record::packChunk(record::ChunkType::Warps, Body);
    File[4] = Version;
    return parseRecording(File.data(), File.size(), "r").status().message();
  };
  // Launch 0, block 3, code 0, of 8 warps: a new path with a new route of one
  // visit of all lanes and one access of two sectors, and seven times the same.
  const ByteVector Good = {2,    0,    6, 0,  8, 0, 0, 1, 1, 0xff, 0xff, 0xff,
                           0xff, 0x0f, 8, 20, 0, 1, 1, 1, 1, 1,    1,    1};
  EXPECT_EQ(parse(Code + Good), "");
  ByteVector AsOfVersion5 = Good;
  AsOfVersion5[14] = 4;
  EXPECT_NE(parse(Code + AsOfVersion5), "");
  EXPECT_EQ(parse(Code + AsOfVersion5, 5), "");
  const struct {
    size_t At;
    uint8_t Value;
    const char *Problem;
  } Cases[] = {
      {0, 4, "a warps chunk has an unknown entry"},
      {1, 2, "a trace names a block that was not launched"},
      {2, 8, "a trace names a block that was not launched"},
      {3, 1, "a trace names a code that is not there"},
      {4, 7, "a trace does not have the warps of its block"},
      {5, 1, "a trace is cut short"},
      {6, 1, "a trace is cut short"},
      {8, 3, "the path of a warp does not fit its code"},
      {8, 0, "the path of a warp does not fit its code"},
      {14, 100, "the path of a warp does not fit its code"},
      {15, 19, "the path of a warp does not fit its code"},
      {17, 2, "a trace is cut short"},
  };
  for (const auto &[At, Value, Problem] : Cases) {
    ByteVector Bad = Good;
    Bad[At] = Value;
    EXPECT_EQ(parse(Code + Bad),
              std::string("r: corrupt recording: ") + Problem)
        << At;
  }
  for (size_t At : {5, 6, 7, 8}) {
    ByteVector BadCode = Code;
    BadCode[At] = 17;
    EXPECT_EQ(parse(BadCode + Good),
              "r: corrupt recording: the code of a trace is impossible")
        << At;
  }
  ByteVector Again = Good;
  Again[2] = 0;
  EXPECT_EQ(parse(Code + Good + Again), "");
  EXPECT_EQ(parse(Code + Good + ByteVector{3} + Again),
            "r: corrupt recording: a trace names a code that is not there")
      << "it was forgotten";
}

TEST_F(TraceTest, LanesThatABlockHasNotAreRefused) {
  auto Writer = openTraced();
  RecordedLaunch Narrow = makeLaunch(1, "k", {4, 1, 1});
  Narrow.Block = {40, 1, 1};
  Writer->launch(Narrow, {});
  Writer->warpsRan({1, 0, makeCode(), {makePath(1, 0), makePath(1, 0, 0x1ff)}});
  ASSERT_TRUE(Writer->close().ok());
  EXPECT_EQ(readRecording(Path).status().message(),
            Path + ": corrupt recording: a warp has lanes that its block has "
                   "not");
}
