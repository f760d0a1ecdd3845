// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A recording read chunk by chunk is the one that is read at once.

#include "Reader.h"
#include "RecordCases.h"
#include "RecordingStream.h"

#include <fstream>
#include <sys/stat.h>
#include <thread>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

/// Numbers of entries: launches, relations, copies, relations of these,
/// barriers, blocks, observations.
using Counts = std::array<size_t, 7>;

Counts countsOf(const Recording &Of) {
  return {Of.Launches.size(),      Of.Relations.size(), Of.Copies.size(),
          Of.CopyRelations.size(), Of.Barriers.size(),  Of.Events.size(),
          Of.Observations.size()};
}

/// Of each chunk, every one read into a recording of its own.
std::vector<Counts> chunksOf(RecordingStream &From) {
  std::vector<Counts> Out;
  for (;;) {
    Recording Part;
    Result<bool> More = From.next(Part);
    EXPECT_TRUE(More.ok()) << More.status().message();
    if (!More.ok() || !*More)
      return Out;
    Out.push_back(countsOf(Part));
  }
}

} // namespace

TEST_F(RecordTest, ChunksOfAStreamAddUpToTheRecording) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Stream = RecordingStream::open(Path);
  ASSERT_TRUE(Stream.ok());
  Counts Sum = {};
  std::vector<Counts> Chunks = chunksOf(*Stream);
  for (const Counts &Each : Chunks)
    for (size_t I = 0; I < Sum.size(); ++I)
      Sum[I] += Each[I];
  EXPECT_GT(Chunks.size(), 4u);
  EXPECT_EQ(Sum, countsOf(*readRecording(Path)));
  ASSERT_EQ(Stream->grids().size(), 3u);
  EXPECT_EQ(Stream->grids()[2].count(), 144u);
}

TEST_F(RecordTest, NumbersOfALaterChunkAreThoseOfTheWholeFile) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Stream = RecordingStream::open(Path);
  ASSERT_TRUE(Stream.ok());
  Recording Part;
  while (Part.Observations.empty()) {
    Part = Recording();
    ASSERT_TRUE(Stream->next(Part).ok());
  }
  ASSERT_EQ(Part.Launches.size(), 1u);
  EXPECT_EQ(Part.Launches[0].Id, 2u);
  ASSERT_EQ(Part.Copies.size(), 1u);
  EXPECT_EQ(Part.Copies[0].Id, 1u);
  EXPECT_EQ(Part.Copies[0].Before, 2u);
  EXPECT_EQ(Part.Barriers.size(), 0u);
  EXPECT_EQ(Part.Observations[0].Consumer, 1u);
}

TEST_F(RecordTest, BlocksOfAChunkAreReadAgain) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  auto Stream = RecordingStream::open(Path);
  ASSERT_TRUE(Stream.ok());
  ASSERT_TRUE(Stream->isSeekable());
  std::vector<uint64_t> Positions;
  Recording Whole;
  for (size_t Events = 0;; Events = Whole.Events.size()) {
    const uint64_t At = Stream->position();
    Result<bool> More = Stream->next(Whole);
    ASSERT_TRUE(More.ok());
    if (!*More)
      break;
    if (Whole.Events.size() > Events)
      Positions.push_back(At);
  }
  ASSERT_EQ(Positions.size(), 2u);
  Recording Again;
  ASSERT_TRUE(Stream->blocksAt(Positions[1], Again).ok());
  ASSERT_EQ(Again.Events.size(), 2u);
  EXPECT_EQ(Again.Events.all()[0].Block, 7u);
  EXPECT_EQ(Again.Costs.size(), 1u);
  EXPECT_EQ(Stream->blocksAt(8, Again).message(),
            Path + ": corrupt recording: it has changed while it was read");
}

TEST_F(RecordTest, AStreamOfAPipeIsReadOnce) {
  auto Writer = open();
  fill(*Writer);
  ASSERT_TRUE(Writer->close().ok());
  const ByteVector All = bytes();
  const std::string Pipe = Path + ".pipe";
  ASSERT_EQ(0, ::mkfifo(Pipe.c_str(), 0600));
  std::thread Sender([&] {
    std::ofstream(Pipe, std::ios::binary)
        .write(reinterpret_cast<const char *>(All.data()),
               std::streamsize(All.size()));
  });
  auto Stream = RecordingStream::open(Pipe);
  EXPECT_TRUE(Stream.ok());
  if (Stream.ok()) {
    EXPECT_FALSE(Stream->isSeekable());
    EXPECT_GT(chunksOf(*Stream).size(), 4u);
  }
  Sender.join();
  std::remove(Pipe.c_str());
}
