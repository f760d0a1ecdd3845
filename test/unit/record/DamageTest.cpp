// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A cut recording reads up to its last whole chunk; a damaged one, a foreign
// one and nonsense under checksums that are right are refused.

#include "Chunk.h"
#include "Reader.h"
#include "RecordCases.h"

#include <algorithm>
#include <iterator>

using namespace blockmaestro;
using namespace blockmaestro::test;

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
  Newer[4] = 12;
  auto Version = parseRecording(Newer.data(), Newer.size(), "r");
  EXPECT_EQ(Version.status().code(), StatusCode::VersionMismatch);
  EXPECT_EQ(Version.status().message(),
            "r: recording of version 12; this reads versions 5 to 11");
  ByteVector Older = All;
  Older[4] = 2;
  EXPECT_EQ(parseRecording(Older.data(), Older.size(), "r").status().message(),
            "r: recording of version 2; this reads versions 5 to 11");
  Older[4] = 5;
  EXPECT_TRUE(parseRecording(Older.data(), Older.size(), "r").ok());
  All.push_back(0);
  EXPECT_EQ(parseRecording(All.data(), All.size(), "r").status().code(),
            StatusCode::Corrupt);
  EXPECT_EQ(readRecording("/nonexistent/r").status().message(),
            "/nonexistent/r: No such file or directory");
}

/// The file up to its description, and a chunk of Body behind it.
static ByteVector withChunk(const ByteVector &Empty, record::ChunkType Type,
                            const ByteVector &Body) {
  size_t Info = record::unpackChunk(Empty.data() + 8, Empty.size() - 8).Bytes;
  ByteVector Out(Empty.begin(), Empty.begin() + 8 + Info);
  ByteVector Chunk = record::packChunk(Type, Body);
  Out.insert(Out.end(), Chunk.begin(), Chunk.end());
  return Out;
}

/// Parses a control chunk of these bytes; the message, empty when it is fine.
static std::string controlError(const ByteVector &Empty,
                                const ByteVector &Body) {
  ByteVector File = withChunk(Empty, record::ChunkType::Control, Body);
  return parseRecording(File.data(), File.size(), "r").status().message();
}

TEST_F(RecordTest, WellSummedNonsenseIsRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  ByteVector Empty = bytes();
  // Thread 0 at 5 ns, kernel 0 "k", grid, block, shared, registers, those as
  // run, no reasons, relations.
  const ByteVector Good = {1,  0, 5, 0, 1, 'k', 2, 1, 1,
                           32, 1, 1, 0, 9, 9,   0, 0};
  auto parse = [&](const ByteVector &Body) {
    return controlError(Empty, Body);
  };
  EXPECT_EQ(parse(Good), "");
  ByteVector EmptyGrid = Good;
  EmptyGrid[6] = 0;
  EXPECT_EQ(parse(EmptyGrid),
            "r: corrupt recording: a launch has an impossible size");
  ByteVector Self = Good;
  Self.back() = 1;
  Self.push_back(0);
  EXPECT_EQ(parse(Self), "r: corrupt recording: a relation names a producer "
                         "that is not earlier");
  EXPECT_EQ(parse({1, 0, 0, 0, 3, 'k', 'k'}),
            "r: corrupt recording: a launch is cut short");
  EXPECT_EQ(parse({7}),
            "r: corrupt recording: a control chunk has an unknown entry");
}

TEST_F(RecordTest, WellSummedNonsenseAboutCopiesIsRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  ByteVector Empty = bytes();
  // Thread 0 at 0 ns, copy "c", 9 bytes, the host waits, from pageable memory
  // to the device, one range at 5 of 9 bytes, written.
  const ByteVector Good = {3, 0, 0, 0, 1, 'c', 9, 1, 4, 2, 1, 5, 9, 1, 0};
  EXPECT_EQ(controlError(Empty, Good), "");
  ByteVector NoFlag = Good;
  NoFlag[7] = 2;
  EXPECT_EQ(controlError(Empty, NoFlag),
            "r: corrupt recording: a copy is cut short");
  ByteVector NoPlace = Good;
  NoPlace[8] = 6;
  EXPECT_EQ(controlError(Empty, NoPlace),
            "r: corrupt recording: a copy is cut short");
  ByteVector Itself = Good;
  Itself.back() = 1;
  Itself.insert(Itself.end(), {1, 0});
  EXPECT_EQ(controlError(Empty, Itself),
            "r: corrupt recording: a relation names a producer that is not "
            "earlier");
  EXPECT_EQ(controlError(Empty, {4, 1, 1, 9, 0}),
            "r: corrupt recording: an observation is not of two launches");
  EXPECT_EQ(controlError(Empty, {3, 0, 0, 1, 1, 'c', 9, 0, 0, 0, 0, 0}),
            "r: corrupt recording: a copy is cut short")
      << "a string that was not given";
  EXPECT_EQ(controlError(Empty, {3, 0, 0, 0, 1, 'c', 9, 0, 0, 0, 0, 0,
                                 5, 3, 0, 0, 0, 9,   0, 0, 0, 0, 0}),
            "r: corrupt recording: a copy is cut short")
      << "a string that was forgotten";
}

TEST_F(RecordTest, WellSummedNonsenseAboutTheHostIsRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  ByteVector Empty = bytes();
  const char *Problem =
      "r: corrupt recording: a chunk's contents do not fit its size";
  EXPECT_EQ(controlError(Empty, {2, 0, 9, 0, 1, 'b', 1, 2, 1, 9, 0, 0}), "");
  EXPECT_EQ(controlError(Empty, {2, 0, 9, 0, 1, 'b', 2}), Problem)
      << "neither does the host wait nor does it not";
  EXPECT_EQ(controlError(Empty, {6, 0, 9, 0, 1, 'w', 0}), "");
  EXPECT_EQ(controlError(Empty, {6, 0, 9, 0, 1, 'w', 1}), Problem)
      << "it waits for something before the first launch";
  EXPECT_EQ(controlError(Empty, {2, 1, 9, 0, 1, 'b', 1}), Problem)
      << "the second thread before the first";
  EXPECT_EQ(controlError(Empty, {2,    0,    0xff, 0xff, 0xff, 0xff, 0xff,
                                 0xff, 0xff, 0xff, 0xff, 1,    0,    1,
                                 'b',  1,    2,    0,    1,    0,    1}),
            Problem)
      << "more than there is time";
}

/// A launch of one block and one of two, which has a relation with this body.
static ByteVector withBody(const ByteVector &Body) {
  ByteVector Out = {1, 0, 0, 0, 1, 'k', 1, 1,  1, 32, 1, 1, 0, 0, 0, 0, 0,
                    1, 0, 0, 0, 2, 1,   1, 32, 1, 1,  0, 0, 0, 0, 1, 2, 1};
  Out.push_back(uint8_t(Body.size()));
  Out.insert(Out.end(), Body.begin(), Body.end());
  return Out;
}

/// The same, the relation listed.
static ByteVector withList(ByteVector List) {
  const uint8_t Front[] = {1, uint8_t(RelationKind::Listed)};
  List.insert(List.begin(), std::begin(Front), std::end(Front));
  return withBody(List);
}

TEST_F(RecordTest, ListsThatDoNotFitAreRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  ByteVector Empty = bytes();
  const char *Impossible =
      "r: corrupt recording: a relation has an impossible list";
  EXPECT_EQ(controlError(Empty, withList({1, 0, 1, 0})), "");
  EXPECT_EQ(controlError(Empty, withList({0, 1, 0, 1})), "");
  EXPECT_EQ(controlError(Empty, withList({0})), Impossible) << "one block only";
  EXPECT_EQ(controlError(Empty, withList({1, 2, 1, 0})), Impossible)
      << "begins behind the last producer";
  EXPECT_EQ(controlError(Empty, withList({1, 0, 9, 0})), Impossible)
      << "ends behind the last producer";
  EXPECT_EQ(controlError(Empty, withList({1, 1, 1, 0})), Impossible)
      << "begins before the first";
  EXPECT_EQ(controlError(Empty, withList({2, 0, 1, 0, 1, 0})), Impossible)
      << "runs meet";
  EXPECT_EQ(controlError(Empty, withList({0, 0, 0})),
            "r: corrupt recording: a relation's contents do not fit its size");
}

TEST_F(RecordTest, BodiesThatSayNothingPossibleAreRefused) {
  auto Writer = open();
  ASSERT_TRUE(Writer->close().ok());
  const ByteVector Empty = bytes();
  const std::string Corrupt = "r: corrupt recording: a relation ";
  const struct {
    ByteVector Body;
    const char *Problem;
  } Cases[] = {
      {{64, 0}, "has unknown flags"},
      {{1, 3}, "is of no kind"},
      {{1, 4, 0}, "has pieces and is none of pieces"},
      {{32, 0}, "is cut short"},
      {{1, 5, 33, 12}, "has an impossible piece"},
      {{1, 5, 5, 28}, "has an impossible piece"},
      {{1, 5, 5, 8, 2, 0}, "has an impossible piece"},
      {{1, 5, 5, 8, 0, 3}, "has an impossible piece"},
      {{1, 5, 5, 4, 1, 0}, "has an impossible piece"},
      {{1, 5, 5, 15, 2, 0, 0, 0}, "has an impossible piece"},
      {{1, 5, 5, 13}, "has an impossible piece"},
  };
  for (const auto &[Body, Problem] : Cases)
    EXPECT_EQ(controlError(Empty, withBody(Body)), Corrupt + Problem);
  for (const ByteVector &Body :
       {ByteVector{1, 0}, {1, 5, 4}, {1, 5, 5, 13, 0}, {1, 5, 5, 8, 0, 2}})
    EXPECT_EQ(controlError(Empty, withBody(Body)), "");
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
    EXPECT_STREQ(Out.Problem, "a chunk does not unpack to its size") << Plain;
  }
}
