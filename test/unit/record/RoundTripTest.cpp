// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recordings written and read back: everything survives.

#include "Chunk.h"
#include "Reader.h"
#include "RecordCases.h"

#include <cstring>
#include <iterator>

using namespace blockmaestro;
using namespace blockmaestro::test;

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

TEST_F(RecordTest, RegistersAndPlacesComeBack) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  EXPECT_EQ(Read->Launches[0].Registers, 40u);
  EXPECT_EQ(Read->Launches[2].Registers, 42u);
  EXPECT_EQ(Read->Launches[0].RegistersAsRun, 0u);
  EXPECT_EQ(Read->Launches[2].RegistersAsRun, 600u);
  EXPECT_EQ(Read->Copies[1].From, MemoryPlace::Pageable);
  EXPECT_EQ(Read->Copies[1].To, MemoryPlace::Device);
}

/// Threads get numbers in the order of their first entries.
TEST_F(RecordTest, HostTimesComeBack) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  const HostTime Times[] = {Read->Launches[0].Asked, Read->Launches[1].Asked,
                            Read->Barriers[0].Asked, Read->Launches[2].Asked};
  const uint64_t Want[] = {0, 1000, 1500, 2000};
  for (size_t I = 0; I < std::size(Want); ++I) {
    EXPECT_EQ(Times[I].Thread, 0u);
    EXPECT_EQ(Times[I].Ns, Want[I]);
  }
  for (const RecordedCopy &C : Read->Copies) {
    EXPECT_EQ(C.Asked.Thread, 1u);
    EXPECT_EQ(C.Asked.Ns, uint64_t(1) << 40);
  }
}

TEST_F(RecordTest, BarriersEventsAndCostsComeBack) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok());
  ASSERT_EQ(Read->Barriers.size(), 1u) << "two in a row are one";
  EXPECT_EQ(Read->Barriers[0].BeforeLaunch, 2u);
  EXPECT_EQ(Read->Barriers[0].BeforeCopy, 1u);
  EXPECT_EQ(Read->Barriers[0].What, "cudaMemcpy");
  ASSERT_EQ(Read->Events.size(), 4u);
  const auto Events = Read->Events.all();
  const auto Costs = Read->Costs.all();
  EXPECT_EQ(Events[1].Launch, 1u);
  EXPECT_EQ(Events[1].Block, 143u);
  EXPECT_EQ(Events[1].Start, 900u);
  EXPECT_EQ(Events[1].End, 1400u);
  EXPECT_EQ(Events[0].Where, 3u);
  EXPECT_EQ(Events[3].Block, 6u);
  ASSERT_EQ(Read->Costs.size(), 3u) << "the fourth block had none";
  EXPECT_EQ(Costs[1].Cost.Other, 5u);
  EXPECT_EQ(Costs[2].Launch, 2u);
  EXPECT_EQ(Costs[2].Cost.SharedWavefronts, 7u);
  EXPECT_EQ(Costs[2].Cost.Other, uint64_t(1) << 63);
}

/// A file with one launch of a kernel of 40 registers, as of Version.
static ByteVector fileOfVersion(uint8_t Version, const ByteVector &Launch) {
  record::ByteWriter Info;
  for (const char *Text : {"p", "d", "e"})
    Info.text(Text);
  for (int I = 0; I < 3; ++I)
    Info.number(0);
  ByteVector File = {'B', 'M', 'R', '1', Version, 0, 0, 0};
  for (const ByteVector &Chunk :
       {record::packChunk(record::ChunkType::Info, Info.Bytes),
        record::packChunk(record::ChunkType::Control, Launch)})
    File.insert(File.end(), Chunk.begin(), Chunk.end());
  return File;
}

TEST_F(RecordTest, OlderVersionsDoNotSayWhichFormRan) {
  const ByteVector Old = {1, 0, 0, 0, 1, 'k', 1, 1, 1, 32, 1, 1, 0, 40, 0, 0};
  ByteVector New = Old;
  New.insert(New.end() - 2, 48);
  for (auto [Version, AsRun] :
       {std::pair<uint8_t, uint32_t>{8, 0}, {RecordingVersion, 48}}) {
    const ByteVector File = fileOfVersion(Version, AsRun ? New : Old);
    auto Read = parseRecording(File.data(), File.size(), "r");
    ASSERT_TRUE(Read.ok()) << Read.status().message();
    EXPECT_EQ(Read->Launches[0].Registers, 40u);
    EXPECT_EQ(Read->Launches[0].RegistersAsRun, AsRun);
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
  Info.number(0);
  ByteVector File = {'B', 'M', 'R', '1', 5, 0, 0, 0};
  auto Append = [&](record::ChunkType Type, const ByteVector &Body) {
    ByteVector Chunk = record::packChunk(Type, Body);
    File.insert(File.end(), Chunk.begin(), Chunk.end());
  };
  Append(record::ChunkType::Info, Info.Bytes);
  Append(record::ChunkType::Control,
         {1, 0, 0, 0, 1, 'k', 1, 1, 1, 32, 1, 1, 0, 0, 0, 0});
  Append(record::ChunkType::Blocks, {0, 0, 0, 0, 0, 2, 14, 10});
  auto Read = parseRecording(File.data(), File.size(), "r");
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  ASSERT_EQ(Read->Costs.size(), 1u);
  for (const CostField &F : CostFields)
    EXPECT_EQ(Read->Costs.begin()->Cost.*F.Value,
              &F == &CostFields[1] ? 5u : 0u);
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

TEST_F(RecordTest, RepeatedRelationsTakeFewBytes) {
  auto Writer = open();
  Writer->launch(makeLaunch(0, "k", {16, 9, 1}), {});
  for (uint64_t I = 1; I < 100; ++I)
    Writer->launch(makeLaunch(I, "k", {16, 9, 1}), {makeRelation(I - 1, I)});
  ASSERT_TRUE(Writer->close().ok());
  EXPECT_LT(bytes().size(), 2000u);
  EXPECT_EQ(readRecording(Path)->Relations.size(), 99u);
}

/// What the reader says that relations take, grows the file by as much.
TEST_F(RecordTest, RelationsTakeWhatTheReaderSays) {
  auto controlBytes = [&](const std::vector<RecordedRelation> &Needs) {
    auto Writer = open();
    Writer->launch(makeLaunch(0, "k", {16, 9, 1}), {});
    Writer->launch(makeLaunch(1, "k", {16, 9, 1}), {});
    Writer->launch(makeLaunch(2, "k", {16, 9, 1}), Needs);
    EXPECT_TRUE(Writer->close().ok());
    const ByteVector All = bytes();
    const size_t Info =
        record::unpackChunk(All.data() + 8, All.size() - 8).Bytes;
    return record::unpackChunk(All.data() + 8 + Info, All.size() - 8 - Info)
        .Body.size();
  };
  const size_t None = controlBytes({});
  const size_t With = controlBytes({makeRelation(0, 2), makeRelation(1, 2),
                                    makeFull(0, 2), makeListed(1, 2)});
  auto Read = readRecording(Path);
  ASSERT_TRUE(Read.ok());
  ASSERT_EQ(Read->Relations.size(), 4u);
  size_t Sum = 0;
  for (const RecordedRelation &R : Read->Relations)
    Sum += R.Stored.Bytes;
  EXPECT_EQ(Sum, With - None);
  EXPECT_FALSE(Read->Relations[0].Stored.IsShared);
  EXPECT_TRUE(Read->Relations[1].Stored.IsShared);
  EXPECT_EQ(Read->Relations[1].Stored.Bytes, 2u);
  EXPECT_EQ(Read->Relations[1].Stored.Form, Read->Relations[0].Stored.Form);
  EXPECT_FALSE(Read->Relations[2].Stored.IsShared);
}
