// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The chunks of a taskloop, the tables of regions, records, and the report.

#include "FakeMemory.h"
#include "LoopChunks.h"
#include "RegionReport.h"
#include "TaskRecords.h"
#include "TaskRegions.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

namespace {

TEST(LoopChunksTest, TripCountsAreThoseOfTheLoop) {
  EXPECT_EQ(tripCount(0, 9, 1), 10u);
  EXPECT_EQ(tripCount(0, uint64_t(-1), 1), 0u);
  EXPECT_EQ(tripCount(uint64_t(-5), 5, 1), 11u);
  EXPECT_EQ(tripCount(0, 9, 3), 4u);
  EXPECT_EQ(tripCount(0, 10, 3), 4u);
  EXPECT_EQ(tripCount(9, 0, -1), 10u);
  EXPECT_EQ(tripCount(9, 1, -4), 3u);
  EXPECT_EQ(tripCount(0, uint64_t(1) << 63, uint64_t(1) << 62), 3u);
}

TEST(LoopChunksTest, ChunksHaveAllIterations) {
  for (uint64_t Trip = 1; Trip < 60; ++Trip)
    for (uint64_t Size = 1; Size < 70; ++Size)
      for (LoopSchedule How : {LoopSchedule::None, LoopSchedule::GrainSize,
                               LoopSchedule::TaskCount}) {
        const LoopChunks Chunks = chunksOf(Trip, How, Size, 16);
        uint64_t Sum = 0;
        for (uint64_t I = 0; I < Chunks.Count; ++I)
          Sum += Chunks.sizeOf(I);
        EXPECT_EQ(Sum, Trip);
        if (How == LoopSchedule::GrainSize) {
          EXPECT_GE(Chunks.sizeOf(Chunks.Count - 1), std::min(Size, Trip));
          EXPECT_LT(Chunks.sizeOf(0), 2 * Size);
        } else {
          const uint64_t Most = How == LoopSchedule::None ? 16 : Size;
          EXPECT_EQ(Chunks.Count, std::min(Most, Trip));
        }
      }
}

TEST(LoopChunksTest, StrictChunksAreAllOfOneSizeButTheLast) {
  for (uint64_t Trip = 1; Trip < 60; ++Trip)
    for (uint64_t Size = 1; Size < 70; ++Size) {
      const LoopChunks Chunks =
          chunksOf(Trip, LoopSchedule::StrictGrainSize, Size, 16);
      ASSERT_EQ(Chunks.Count, (Trip + Size - 1) / Size);
      for (uint64_t I = 0; I + 1 < Chunks.Count; ++I)
        EXPECT_EQ(Chunks.sizeOf(I), Size);
      EXPECT_EQ(Chunks.sizeOf(Chunks.Count - 1),
                Trip - (Chunks.Count - 1) * Size);
    }
}

TEST(LoopChunksTest, NoIterationsAreNoTasks) {
  EXPECT_EQ(chunksOf(0, LoopSchedule::None, 0, 8).Count, 0u);
  EXPECT_EQ(chunksOf(5, LoopSchedule::TaskCount, 0, 8).Count, 1u);
}

TEST(TaskRegionsTest, TablesAreNewOnceAndWhileTheyAreThere) {
  const TaskTable First = {}, Second = {};
  TaskRegions All;
  EXPECT_TRUE(All.takeNew().empty());
  All.add(First);
  All.add(Second);
  All.remove(First);
  EXPECT_EQ(All.takeNew(), std::vector{&Second});
  EXPECT_TRUE(All.takeNew().empty());
  All.add(First);
  EXPECT_EQ(All.takeNew(), std::vector{&First});
}

TEST(TaskRegionsTest, RegionsAreKnownWhileTheirTableIs) {
  const int Ids[3] = {};
  const TaskRegion Regions[2] = {{&Ids[0], nullptr, "why"},
                                 {&Ids[1], nullptr, nullptr}};
  const TaskTable Table = {nullptr, nullptr, 0, 2, nullptr, Regions};
  TaskRegions All;
  All.add(Table);
  EXPECT_EQ(All.find(&Ids[0]).Region, &Regions[0]);
  EXPECT_EQ(All.find(&Ids[1]).In, &Table);
  EXPECT_EQ(All.find(&Ids[2]).Region, nullptr);
  All.remove(Table);
  EXPECT_EQ(All.find(&Ids[0]).Region, nullptr);
}

TEST(TaskRecordsTest, RecordsAreZeroAndApart) {
  TaskRecords All;
  std::set<void *> Taken;
  for (size_t Bytes : {1u, 256u, 257u, 5000u, 100000u}) {
    auto *Record = static_cast<std::byte *>(All.take(7, Bytes));
    EXPECT_TRUE(All.has(Record));
    EXPECT_TRUE(All.has(Record + Bytes - 1));
    EXPECT_EQ(All.kindOf(Record), 7u);
    EXPECT_EQ(reinterpret_cast<uint64_t>(Record) % 16, 0u);
    for (size_t I = 0; I < Bytes; ++I)
      EXPECT_EQ(Record[I], std::byte(0));
    std::memset(Record, 0xff, Bytes);
    EXPECT_TRUE(Taken.insert(Record).second);
    All.give(Record);
    EXPECT_EQ(*static_cast<char *>(All.take(1, Bytes)), 0);
  }
  int Host = 0;
  EXPECT_FALSE(All.has(&Host));
}

TEST(RegionReportTest, LinesAreAddedToTheFile) {
  const std::string Path =
      testing::TempDir() + "report." + std::to_string(getpid());
  InspectionCounts Counts;
  Counts.Tasks = 3;
  Counts.Edges = 2;
  Counts.Flushes = 1;
  Counts.Inspect = 1.5;
  const std::string Line = reportLine("region", Counts, {});
  EXPECT_EQ(Line, "{\"region\": \"region\", \"tasks\": 3, \"edges\": 2, "
                  "\"flushes\": 1, \"inspect_us\": 1.50, \"prepare_us\": 0.00, "
                  "\"run_us\": 0.00, \"again\": false}\n");
  EXPECT_NE(reportLine("region", Counts, {7, 1, 4})
                .find("\"again\": false, \"workers\": 7, \"least\": 1, "
                      "\"most\": 4}\n"),
            std::string::npos);
  EXPECT_TRUE(addReport(Path, Line).ok());
  EXPECT_TRUE(addReport(Path, Line).ok());
  std::stringstream Text;
  Text << std::ifstream(Path).rdbuf();
  EXPECT_EQ(Text.str(), Line + Line);
  unlink(Path.c_str());
  EXPECT_EQ(addReport("/nowhere/report", Line).message(),
            "BLOCKMAESTRO_TASK_REPORT: /nowhere/report: No such file or "
            "directory");
}

} // namespace
