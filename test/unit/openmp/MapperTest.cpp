// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What clang's mapper functions push, made by hand as their code does it.

#include "FakeMemory.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

namespace {

struct Row {
  int Length;
  int *Values;
};

void push(void *To, void *Base, void *Begin, int64_t Bytes, uint64_t Type) {
  auto &All = *static_cast<MapperComponents *>(To);
  All.Bases.push_back(Base);
  All.Begins.push_back(Begin);
  All.Sizes.push_back(Bytes);
  All.Types.push_back(int64_t(Type));
  All.Names.push_back(nullptr);
}

/// declare mapper(Row R) map(R, R.Values[0:R.Length])
void mapRows(void *To, void *Base, void *Begin, int64_t Bytes, int64_t Type,
             void *) {
  const uint64_t Way = uint64_t(Type) & (MapTo | MapFrom);
  const bool Deletes = uint64_t(Type) & MapDelete;
  const uint64_t Whole = uint64_t(Type) & ~(MapTo | MapFrom);
  const bool Several = Bytes > int64_t(sizeof(Row));
  if (Several && !Deletes)
    push(To, Base, Begin, Bytes, Whole | MapImplicit);
  auto *Rows = static_cast<Row *>(Begin);
  for (int64_t I = 0; I < Bytes / int64_t(sizeof(Row)); ++I) {
    const uint64_t Shift =
        uint64_t(static_cast<MapperComponents *>(To)->Bases.size()) << 48;
    push(To, Rows + I, Rows + I, sizeof(Row), Shift);
    push(To, Rows + I, Rows + I, sizeof(Row), Way + memberOf(0) + Shift);
    push(To, &Rows[I].Values, Rows[I].Values, Rows[I].Length * 4,
         (Way | MapPointerAndObject) + memberOf(0) + Shift);
  }
  if (Several && Deletes)
    push(To, Base, Begin, Bytes, Whole | MapImplicit);
}

class MapperTest : public ::testing::Test {
protected:
  void map(uint32_t Count, uint64_t Type) {
    Map = Clauses();
    Map.add(Rows, Rows, int64_t(Count * sizeof(Row)), Type,
            reinterpret_cast<void *>(mapRows));
  }
  void ok(const Status &Done) { ASSERT_TRUE(Done.ok()) << Done.message(); }
  template <typename T> T *device(T *Host) {
    const auto Found =
        Data.deviceAddressOf(reinterpret_cast<uint64_t>(Host), sizeof(T));
    return Found ? reinterpret_cast<T *>(*Found) : nullptr;
  }

  int First[2] = {1, 2};
  int Second[3] = {3, 4, 5};
  Row Rows[2] = {{2, First}, {3, Second}};
  Clauses Map;
  FakeMemory Memory;
  DeviceData Data{Memory};
};

TEST_F(MapperTest, OneElementComesAndGoes) {
  map(1, MapTo | MapFrom);
  for (int Round = 0; Round < 2; ++Round) {
    ok(Data.enter(Map));
    ASSERT_TRUE(device(&Rows[0]));
    EXPECT_EQ(device(&Rows[0])->Values, device(First));
    *device(&First[1]) += 10;
    ok(Data.leave(Map));
    EXPECT_EQ(First[1], 12 + 10 * Round);
    EXPECT_EQ(Rows[0].Values, First);
    EXPECT_TRUE(Memory.All.empty());
  }
}

TEST_F(MapperTest, ArraysAreCountedOnce) {
  map(2, MapTo | MapFrom);
  ok(Data.enter(Map));
  ok(Data.enter(Map));
  EXPECT_EQ(device(&Rows[1])->Values, device(Second));
  EXPECT_EQ(device(&Rows[1]), device(&Rows[0]) + 1);
  ok(Data.leave(Map));
  ASSERT_TRUE(device(&Rows[1]));
  *device(&Second[2]) = 50;
  device(&Rows[0])->Length = 1;
  ok(Data.leave(Map));
  EXPECT_EQ(Second[2], 50);
  EXPECT_EQ(Rows[0].Length, 1);
  EXPECT_EQ(Rows[1].Values, Second);
  EXPECT_FALSE(device(&Rows[1]));
}

TEST_F(MapperTest, DeletedArraysAreGone) {
  map(2, MapTo);
  ok(Data.enter(Map));
  ok(Data.enter(Map));
  map(2, MapDelete);
  ok(Data.leave(Map));
  EXPECT_FALSE(device(&Rows[0]));
  EXPECT_FALSE(device(&Rows[1]));
  EXPECT_FALSE(device(Second));
  EXPECT_TRUE(Memory.All.empty());
}

TEST_F(MapperTest, UpdatesReachWhatTheMapperNames) {
  map(2, MapTo);
  ok(Data.enter(Map));
  Second[0] = 30;
  Rows[1].Length = 3;
  ok(Data.update(Map));
  EXPECT_EQ(*device(&Second[0]), 30);
  EXPECT_EQ(device(&Rows[1])->Values, device(Second));
}

} // namespace
