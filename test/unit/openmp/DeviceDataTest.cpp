// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeMemory.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

namespace {

uint64_t at(const void *Pointer) { return reinterpret_cast<uint64_t>(Pointer); }

class DeviceDataTest : public ::testing::Test {
protected:
  void ok(const Status &Done) { ASSERT_TRUE(Done.ok()) << Done.message(); }
  /// What the device has for the host's variable.
  template <typename T> T &device(const T &Host) {
    const auto Found = Data.deviceAddressOf(at(&Host), sizeof(T));
    EXPECT_TRUE(Found.has_value());
    static T None;
    return Found ? *reinterpret_cast<T *>(*Found) : None;
  }
  bool isPresent(const void *Where) {
    return Data.deviceAddressOf(at(Where)).has_value();
  }

  FakeMemory Memory;
  DeviceData Data{Memory};
};

TEST_F(DeviceDataTest, DataIsCopiedWhereItIsNewAndBackWhereItIsLast) {
  int X = 5;
  Clauses Map;
  Map.add(X, MapTo | MapFrom);
  ok(Data.enter(Map));
  X = 6;
  ok(Data.enter(Map));
  EXPECT_EQ(device(X), 5);
  device(X) = 7;
  ok(Data.leave(Map));
  EXPECT_EQ(X, 6);
  ok(Data.leave(Map));
  EXPECT_EQ(X, 7);
  EXPECT_FALSE(isPresent(&X));
  EXPECT_TRUE(Memory.All.empty());
}

TEST_F(DeviceDataTest, AllocCopiesNothing) {
  int X[8] = {};
  Clauses Map;
  Map.add(X, 0);
  ok(Data.enter(Map));
  ok(Data.leave(Map));
  EXPECT_EQ(Memory.BytesTo + Memory.BytesFrom, 0u);
}

TEST_F(DeviceDataTest, AlwaysCopiesWhateverTheCount) {
  int X = 1;
  Clauses Alloc, Always;
  Alloc.add(X, 0);
  Always.add(X, MapTo | MapFrom | MapAlways);
  ok(Data.enter(Alloc));
  ok(Data.enter(Always));
  EXPECT_EQ(device(X), 1);
  device(X) = 2;
  ok(Data.leave(Always));
  EXPECT_EQ(X, 2);
  EXPECT_TRUE(isPresent(&X));
}

TEST_F(DeviceDataTest, DeleteEndsAllUsesButHeldOnes) {
  int X = 1;
  Clauses Map, Hold, Delete;
  Map.add(X, MapTo);
  Hold.add(X, MapTo | MapHold);
  Delete.add(X, MapDelete);
  ok(Data.enter(Map));
  ok(Data.enter(Map));
  ok(Data.enter(Hold));
  ok(Data.leave(Delete));
  EXPECT_TRUE(isPresent(&X));
  ok(Data.leave(Hold));
  EXPECT_FALSE(isPresent(&X));
  ok(Data.enter(Map));
  ok(Data.enter(Map));
  ok(Data.leave(Delete));
  EXPECT_FALSE(isPresent(&X));
}

TEST_F(DeviceDataTest, LeavingWhatIsNotThereDoesNothing) {
  int X = 1;
  Clauses Map;
  Map.add(X, MapFrom);
  ok(Data.leave(Map));
  EXPECT_EQ(X, 1);
}

TEST_F(DeviceDataTest, PresentDemandsThatDataIsThere) {
  int X[4] = {};
  Clauses Map;
  Map.add(X, X, sizeof(X), MapTo | MapPresent, nullptr, ";X;a.cpp;3;9;;");
  for (const Status &Done :
       {Data.enter(Map), Data.leave(Map), Data.update(Map)}) {
    EXPECT_FALSE(Done.ok());
    EXPECT_EQ(Done.message().rfind("X (16 bytes at 0x", 0), 0u);
    EXPECT_NE(Done.message().find("is not on the device, as `present`"),
              std::string::npos);
  }
  EXPECT_TRUE(Memory.All.empty());
}

TEST_F(DeviceDataTest, OverlapsThatAreNotWithinAreRefused) {
  int X[10] = {};
  Clauses Middle, Inside, After, Before, Around, Beside;
  Middle.add(X, X + 3, 16, MapTo, nullptr, ";X[3:4];a.cpp;3;9;;");
  Inside.add(X, X + 4, 8, MapTo);
  After.add(X, X + 5, 16, MapTo);
  Before.add(X, X + 1, 16, MapTo);
  Around.add(X, X, 40, MapTo);
  Beside.add(X, X + 7, 12, MapTo);
  ok(Data.enter(Middle));
  ok(Data.enter(Inside));
  ok(Data.enter(Beside));
  for (MapList Each : {MapList(After), MapList(Before), MapList(Around)}) {
    const Status Done = Data.enter(Each);
    EXPECT_FALSE(Done.ok());
    EXPECT_NE(Done.message().find("overlaps but is not within 16 bytes at"),
              std::string::npos);
    EXPECT_NE(Done.message().find("of X[3:4] that are on the device"),
              std::string::npos);
  }
}

/// The compiler's own maps take what there is.
TEST_F(DeviceDataTest, ImplicitOverlapsUseWhatIsThere) {
  int X[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  Clauses Half, All;
  Half.add(X, X, 20, MapTo | MapFrom);
  All.add(X, X, 40, MapTo | MapFrom | MapImplicit | MapParameter);
  ok(Data.enter(Half));
  Result<RegionArguments> Made = Data.mapArguments(All);
  ASSERT_TRUE(Made.ok());
  EXPECT_EQ(Made->Values[0], at(&device(X[0])));
  device(X[4]) = 50;
  ok(Data.leave(Half));
  ok(Data.unmapArguments(All, *Made));
  EXPECT_EQ(X[4], 50);
  EXPECT_EQ(X[5], 6);
  EXPECT_TRUE(Memory.All.empty());
}

TEST_F(DeviceDataTest, ARegionUsesDataThatIsThereAndMovesNone) {
  int X[4] = {1, 2, 3, 4};
  int *Pointer = X;
  Clauses Outer, Inner;
  Outer.add(X, MapTo | MapFrom).add(Pointer, MapTo);
  ok(Data.enter(Outer));
  const size_t Before = Memory.BytesTo;
  Inner.add(reinterpret_cast<void *>(7), nullptr, 4, MapLiteral | MapParameter)
      .add(X, X + 1, 8, MapTo | MapFrom | MapParameter)
      .add(&Pointer, X + 1, 8, MapAttach);
  Result<RegionArguments> Made = Data.mapArguments(Inner);
  ASSERT_TRUE(Made.ok());
  EXPECT_EQ(Made->Values, (std::vector<uint64_t>{7, at(&device(X))}));
  EXPECT_EQ(Memory.BytesTo, Before);
  device(X)[2] = 8;
  ok(Data.leave(Outer));
  EXPECT_EQ(X[2], 3);
  ok(Data.unmapArguments(Inner, *Made));
  EXPECT_EQ(X[2], 8);
  EXPECT_TRUE(Memory.All.empty());
}

TEST_F(DeviceDataTest, NoMemoryIsAnErrorThatNamesTheItem) {
  static char Large[2 << 20];
  Clauses Map;
  Map.add(Large, Large, sizeof(Large), MapTo, nullptr, ";Large;a.cpp;3;9;;");
  const Status Done = Data.enter(Map);
  EXPECT_FALSE(Done.ok());
  EXPECT_NE(Done.message().find("Large ("), std::string::npos);
  EXPECT_NE(Done.message().find("out of memory"), std::string::npos);
}

struct Vector {
  int Before;
  int Length;
  double *Values;
};

/// map(tofrom: V.Length, V.Values[0:3]) of older compilers.
Clauses vectorClauses(Vector &V, uint64_t Way) {
  Clauses Out;
  Out.add(&V, &V.Length, 12, 0);
  Out.add(&V, &V.Length, 4, Way | memberOf(0));
  Out.add(&V.Values, V.Values, 24, Way | memberOf(0) | MapPointerAndObject);
  return Out;
}

TEST_F(DeviceDataTest, MembersAreOneMappingAlignedAsOnTheHost) {
  double Values[3] = {1, 2, 3};
  Vector V = {1, 3, Values};
  Clauses Map = vectorClauses(V, MapTo | MapFrom);
  ok(Data.enter(Map));
  ok(Data.enter(Map));
  EXPECT_EQ(at(&device(V.Length)) % 8, 4u);
  EXPECT_EQ(device(V.Length), 3);
  EXPECT_EQ(device(V.Values), &device(Values[0]));
  EXPECT_EQ(device(Values[2]), 3);
  device(V.Length) = 4;
  device(Values[1]) = 20;
  ok(Data.leave(Map));
  EXPECT_EQ(V.Length, 3);
  ok(Data.leave(Map));
  EXPECT_EQ(V.Length, 4);
  EXPECT_EQ(Values[1], 20);
  EXPECT_EQ(V.Values, Values);
  EXPECT_TRUE(Memory.All.empty());
}

TEST_F(DeviceDataTest, AttachedPointersStayWhatEachSideHas) {
  double Values[3] = {1, 2, 3};
  Vector V = {1, 3, Values};
  Clauses Whole, Section;
  Whole.add(V, MapTo | MapFrom);
  Section.add(Values, Values, 24, MapTo | MapFrom);
  Section.add(&V.Values, Values, 8, MapAttach);
  ok(Data.enter(Whole));
  EXPECT_EQ(device(V).Values, Values);
  ok(Data.enter(Section));
  double *Attached = device(V).Values;
  EXPECT_EQ(Attached, &device(Values[0]));
  V.Before = 9;
  Clauses To, From;
  To.add(V, MapTo);
  From.add(V, MapFrom);
  ok(Data.update(To));
  EXPECT_EQ(device(V).Before, 9);
  EXPECT_EQ(device(V).Values, Attached);
  device(V).Before = 10;
  ok(Data.update(From));
  EXPECT_EQ(V.Before, 10);
  EXPECT_EQ(V.Values, Values);
  ok(Data.leave(Section));
  ok(Data.leave(Whole));
  EXPECT_EQ(V.Values, Values);
  EXPECT_TRUE(Memory.All.empty());
}

/// `map(to: P[10:5])` attaches P only where one of the two is new.
TEST_F(DeviceDataTest, AttachmentNeedsSomethingNewOrAlways) {
  int Memories[2][20] = {};
  int *P = Memories[0];
  Clauses Pointer, Both, Pointee, Again, Always;
  Pointer.add(P, MapTo);
  Pointee.add(Memories[0], Memories[0] + 10, 20, MapTo);
  Again.add(Memories[0], Memories[0] + 10, 20, MapTo);
  Again.add(&P, Memories[0] + 10, 8, MapAttach);
  Always.add(&P, Memories[0] + 10, 8, MapAttach | MapAlways);
  ok(Data.enter(Pointee));
  ok(Data.enter(Pointer));
  ok(Data.enter(Again));
  EXPECT_EQ(device(P), Memories[0]);
  ok(Data.enter(Always));
  EXPECT_EQ(device(P) + 10, &device(Memories[0][10]));
}

TEST_F(DeviceDataTest, SectionsWithoutBytesUseWhatIsThere) {
  int X[10] = {};
  Clauses Map, Nothing;
  Map.add(X, X + 4, 8, MapTo);
  Nothing.add(X, X, 0, MapTo | MapFrom | MapParameter);
  Result<RegionArguments> Absent = Data.mapArguments(Nothing);
  ASSERT_TRUE(Absent.ok());
  EXPECT_EQ(Absent->Values[0], at(X)); // As a firstprivate pointer.
  ok(Data.unmapArguments(Nothing, *Absent));
  ok(Data.enter(Map));
  Result<RegionArguments> Present = Data.mapArguments(Nothing);
  ASSERT_TRUE(Present.ok());
  EXPECT_EQ(Present->Values[0] + 16, at(&device(X[4])));
  ok(Data.unmapArguments(Nothing, *Present));
  EXPECT_TRUE(isPresent(X + 4));
}

TEST_F(DeviceDataTest, UseDevicePointersAreGivenBack) {
  int X[10] = {};
  Clauses Map;
  Map.add(X, X + 4, 8, MapTo);
  ok(Data.enter(Map));
  int Other = 0;
  Clauses Use;
  Use.add(X, X + 5, 0, MapReturned);
  Use.add(&Other, &Other, 0, MapReturned);
  Use.add(&Other, &Other, 0, MapReturned | MapNullWhereAbsent);
  ok(Data.enter(Use));
  EXPECT_EQ(at(Use.Bases[0]) + 16, at(&device(X[4])));
  EXPECT_EQ(Use.Bases[1], &Other);
  EXPECT_EQ(Use.Bases[2], nullptr);
}

TEST_F(DeviceDataTest, ArgumentsAreValuesPlacesAndPrivates) {
  int X[4] = {1, 2, 3, 4};
  int Private[3] = {7, 8, 9};
  int Scratch[100];
  Clauses Map;
  Map.add(X, X + 1, 8, MapTo | MapParameter);
  Map.add(reinterpret_cast<void *>(42), nullptr, 4, MapLiteral | MapParameter);
  Map.add(Private, Private, 12, MapPrivate | MapTo | MapParameter);
  Map.add(Scratch, Scratch, 400, MapPrivate | MapParameter);
  Result<RegionArguments> Made = Data.mapArguments(Map);
  ASSERT_TRUE(Made.ok());
  ASSERT_EQ(Made->Values.size(), 4u);
  EXPECT_EQ(Made->Values[0] + 4, at(&device(X[1])));
  EXPECT_EQ(Made->Values[1], 42u);
  EXPECT_EQ(std::memcmp(reinterpret_cast<void *>(Made->Values[2]), Private, 12),
            0);
  EXPECT_GE(Made->Values[3], Made->Values[2] + 12);
  EXPECT_EQ(Made->Values[3] % 64, 0u);
  EXPECT_FALSE(isPresent(Private));
  ok(Data.unmapArguments(Map, *Made));
  EXPECT_TRUE(Memory.All.empty());
}

/// Clang 22's private copy of a pointer whose section is mapped.
TEST_F(DeviceDataTest, PrivatePointersPointToTheDevice) {
  int X[4] = {};
  int *P = X;
  Clauses Map;
  Map.add(X, X + 1, 8, MapTo);
  Map.add(&P, X + 1, 8, MapPrivate | MapAttach | MapParameter);
  Result<RegionArguments> Made = Data.mapArguments(Map);
  ASSERT_TRUE(Made.ok());
  ASSERT_EQ(Made->Values.size(), 1u);
  const int *Copy = *reinterpret_cast<int **>(Made->Values[0]);
  EXPECT_EQ(Copy + 1, &device(X[1]));
  EXPECT_EQ(P, X);
}

/// A lambda that captures X by reference: an argument, and one item per
/// capture.
TEST_F(DeviceDataTest, LambdasPointToTheDevice) {
  int X = 3;
  struct {
    int *Captured;
  } Lambda = {&X};
  Clauses Map;
  Map.add(Lambda, MapTo | MapParameter);
  Map.add(X, MapTo | MapFrom);
  Map.add(&Lambda.Captured, &X, 4,
          MapPointerAndObject | MapLiteral | MapImplicit | memberOf(0));
  Result<RegionArguments> Made = Data.mapArguments(Map);
  ASSERT_TRUE(Made.ok());
  ASSERT_EQ(Made->Values.size(), 1u);
  EXPECT_EQ(device(Lambda).Captured, &device(X));
}

TEST_F(DeviceDataTest, AssociatedMemoryStays) {
  int X[4] = {}, Mine[4] = {}, Other[4] = {};
  ok(Data.associate(at(X), 16, at(Mine), ""));
  ok(Data.associate(at(X), 16, at(Mine), ""));
  EXPECT_FALSE(Data.associate(at(X), 16, at(Other), "").ok());
  EXPECT_FALSE(Data.associate(at(X + 1), 16, at(Other), "").ok());
  Clauses Map, Delete;
  Map.add(X, MapTo | MapFrom);
  Delete.add(X, MapDelete);
  ok(Data.enter(Map));
  EXPECT_EQ(&device(X[0]), Mine);
  EXPECT_EQ(Memory.BytesTo, 0u);
  ok(Data.leave(Delete));
  ok(Data.leave(Map));
  EXPECT_TRUE(isPresent(X));
  ok(Data.disassociate(at(X)));
  EXPECT_FALSE(Data.disassociate(at(X)).ok());
  ok(Data.enter(Map));
  EXPECT_FALSE(Data.disassociate(at(X)).ok());
}

TEST_F(DeviceDataTest, UpdatesCopyWhatIsThere) {
  int X = 1, Absent = 2;
  Clauses Map, To, From;
  Map.add(X, 0);
  To.add(X, MapTo).add(Absent, MapTo);
  From.add(X, MapFrom).add(Absent, MapFrom);
  ok(Data.enter(Map));
  ok(Data.update(To));
  EXPECT_EQ(device(X), 1);
  device(X) = 5;
  ok(Data.update(From));
  EXPECT_EQ(X, 5);
  EXPECT_EQ(Absent, 2);
}

/// X[1:2][3:2:4] of int[4][16], and X[3:5:2] of int[16].
TEST_F(DeviceDataTest, StridedSectionsAreUpdatedWithoutTheGaps) {
  int X[4][16];
  for (int I = 0; I < 64; ++I)
    X[I / 16][I % 16] = I + 1;
  Clauses Map, To, Flat;
  Map.add(X, 0);
  ok(Data.enter(Map));
  std::memset(device(X), 0, sizeof(X));
  const StridedDimension Two[] = {{1, 2, 64}, {3, 2, 16}, {0, 1, 4}};
  To.add(X, Two, 3, MapTo | MapStrided);
  ok(Data.update(To));
  for (int I = 0; I < 64; ++I) {
    const bool Meant =
        (I / 16 == 1 || I / 16 == 2) && (I % 16 == 3 || I % 16 == 7);
    EXPECT_EQ(device(X[I / 16][I % 16]), Meant ? I + 1 : 0) << I;
  }
  const StridedDimension One[] = {{3, 5, 8}, {0, 1, 4}};
  Flat.add(X, One, 2, MapFrom | MapStrided);
  ok(Data.update(Flat));
  for (int I = 0; I < 16; ++I)
    EXPECT_EQ(X[0][I], I >= 3 && I <= 11 && I % 2 ? 0 : I + 1) << I;
}

} // namespace
