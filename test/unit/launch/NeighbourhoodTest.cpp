// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which allocation a pointer at the edge of one belongs to.

#include "Evaluate.h"
#include "Membership.h"
#include "Oracle.h"
#include "Window.h"

#include <gtest/gtest.h>

#include <tuple>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

constexpr uint64_t Bytes = 512;
constexpr uint64_t Left = MemoryA, Right = MemoryA + Bytes;

/// Two allocations side by side, and memory nobody knows around them.
AllocationMap sideBySide(uint64_t Gap = 0) {
  AllocationMap Known;
  Known.add({Left, Bytes});
  Known.add({Right + Gap, Bytes});
  return Known;
}

/// Four blocks of 32 threads touch one int each, Index ints from Pointer.
Case touching(const Poly &Index, uint64_t Pointer) {
  Case C = one(Index, {4, 1, 1}, {32, 1, 1});
  C.Pointers[0] = Pointer;
  return C;
}

const Poly Linear = 32 * bx + tx;

LaunchAccesses accesses(const Case &C, const AllocationMap &Known,
                        Exactness How = Exactness::Exact) {
  KernelRecord Kernel = C.kernel();
  Kernel.Bytes.Accesses[0].How = How;
  if (How != Exactness::Exact)
    Kernel.Bytes.Accesses[0].Reason = "a test says so";
  LaunchAccesses Found = evaluate(C.launch(Kernel), Known);
  Found.Inputs = nullptr;
  return Found;
}

/// What an access has outside of its allocation does not count:
/// BlockOverlap.cpp.
bool isMet(const BlockAccess &A, uint64_t Address, Dim3 Grid) {
  if (A.How != Reach::Everything && Address - A.Where.Base >= A.Where.Bytes)
    return false;
  for (uint32_t B = 0; B < Grid.X; ++B)
    if (hasByte(A, {B, 0, 0}, Address))
      return true;
  return false;
}

bool mayHave(const LaunchAccesses &Of, uint64_t Address) {
  return std::any_of(
      Of.Accesses.begin(), Of.Accesses.end(),
      [&](const BlockAccess &A) { return isMet(A, Address, Of.Grid); });
}

} // namespace

TEST(Neighbourhood, OfAnAddress) {
  const AllocationMap Known = sideBySide();
  EXPECT_EQ(Known.around(Left).Inside->Base, Left);
  EXPECT_EQ(Known.around(Left).Ending, nullptr);
  EXPECT_EQ(Known.around(Left).Behind, nullptr);
  EXPECT_EQ(Known.around(Right).Inside->Base, Right);
  EXPECT_EQ(Known.around(Right).Ending->Base, Left);
  EXPECT_EQ(Known.around(Right - 4).Inside->Base, Left);
  EXPECT_EQ(Known.around(Right - 4).Behind->Base, Right);
  EXPECT_EQ(Known.around(Right - 4).Ending, nullptr);
  EXPECT_EQ(Known.around(Right - 65).Behind, nullptr);
  EXPECT_EQ(Known.around(Right + Bytes).Inside, nullptr);
  EXPECT_EQ(Known.around(Right + Bytes).Ending->Base, Right);
  EXPECT_EQ(Known.around(Right + Bytes + 1).first(), nullptr);
  EXPECT_EQ(Known.around(Left - 8).Behind->Base, Left);
  EXPECT_EQ(Known.around(Left - 8).Inside, nullptr);
  EXPECT_EQ(sideBySide(4).around(Right).Ending->Base, Left);
  EXPECT_EQ(sideBySide(4).around(Right).Behind->Base, Right + 4);
}

/// end[-1 - i] where the end of one allocation is the start of another.
TEST(Neighbourhood, ExactBeforeTheEnd) {
  const LaunchAccesses Found =
      accesses(touching(-1 - Linear, Right), sideBySide());
  ASSERT_EQ(Found.Accesses.size(), 1u);
  EXPECT_TRUE(Found.Accesses[0].Exact);
  EXPECT_EQ(Found.Accesses[0].Where.Base, Left);
  EXPECT_TRUE(mayHave(Found, Left));
  EXPECT_TRUE(mayHave(Found, Right - 1));
  EXPECT_FALSE(mayHave(Found, Right));
}

TEST(Neighbourhood, BoundedBeforeTheEnd) {
  const LaunchAccesses Found =
      accesses(touching(-1 - Linear, Right), sideBySide(), Exactness::Bounded);
  EXPECT_TRUE(mayHave(Found, Left));
  EXPECT_TRUE(mayHave(Found, Right - 1));
  EXPECT_FALSE(mayHave(Found, Right));
}

/// With a gap behind the end there is no doubt whose end it is.
TEST(Neighbourhood, EndOfOneAlone) {
  const LaunchAccesses Found =
      accesses(touching(-1 - Linear, Right), sideBySide(1024));
  ASSERT_EQ(Found.Accesses.size(), 1u);
  EXPECT_TRUE(Found.Accesses[0].Exact);
  EXPECT_TRUE(mayHave(Found, Left));
}

/// Indices from memory, from the end of one and the start of the other.
TEST(Neighbourhood, AnywhereFromTheEdge) {
  const LaunchAccesses Found =
      accesses(touching(Linear, Right), sideBySide(), Exactness::Allocation);
  EXPECT_TRUE(mayHave(Found, Left));
  EXPECT_TRUE(mayHave(Found, Right + Bytes - 1));
  const LaunchAccesses Inside =
      accesses(touching(Linear, Left), sideBySide(), Exactness::Allocation);
  EXPECT_TRUE(mayHave(Inside, Left));
  EXPECT_FALSE(mayHave(Inside, Right));
}

/// a - 1, for indices that begin with one.
TEST(Neighbourhood, CountedFromOne) {
  for (Exactness How : {Exactness::Exact, Exactness::Bounded}) {
    const LaunchAccesses Found =
        accesses(touching(Linear + 1, Right - 4), sideBySide(), How);
    EXPECT_TRUE(mayHave(Found, Right));
    EXPECT_TRUE(mayHave(Found, Right + Bytes - 1));
    EXPECT_FALSE(mayHave(Found, Right - 1));
  }
  EXPECT_TRUE(mayHave(accesses(touching(Linear + 1, Right - 4), sideBySide(),
                               Exactness::Allocation),
                      Right + 8));
}

/// The pointer is meant for the last of three, of which two begin right behind
/// it.
TEST(Neighbourhood, SmallOnesBetween) {
  AllocationMap Known;
  Known.add({Right - 4, 4});
  Known.add({Right, 16});
  Known.add({Right + 16, Bytes});
  EXPECT_TRUE(Known.around(Right - 4).Crowded);
  EXPECT_FALSE(Known.around(Right).Crowded);
  for (Exactness How : {Exactness::Bounded, Exactness::Allocation})
    EXPECT_TRUE(mayHave(accesses(touching(Linear + 5, Right - 4), Known, How),
                        Right + 16))
        << int(How);
  const Case Exact = touching(Linear + 5, Right - 4);
  EXPECT_TRUE(mayHave(accesses(Exact, Known), Right + 16));
}

/// A superset that leaves its allocation on both sides of a common edge.
TEST(Neighbourhood, BoundedAcrossTheEdge) {
  const LaunchAccesses Found =
      accesses(touching(Linear - 64, Right), sideBySide(), Exactness::Bounded);
  EXPECT_TRUE(mayHave(Found, Right - 4));
  EXPECT_TRUE(mayHave(Found, Right));
}

/// A pointer in no allocation, which is the end of one, is that one's where all
/// of a superset is.
TEST(Neighbourhood, BoundedFromOutside) {
  AllocationMap Known;
  Known.add({Left, Bytes});
  EXPECT_TRUE(mayHave(
      accesses(touching(Linear - 192, Right), Known, Exactness::Bounded),
      Right + Bytes));
  EXPECT_FALSE(mayHave(
      accesses(touching(Linear - 128, Right), Known, Exactness::Bounded),
      Right + Bytes));
}

/// Only the surplus of what starts inside of an allocation leaves it.
TEST(Neighbourhood, BoundedFromInside) {
  const LaunchAccesses Found = accesses(touching(Linear + 64, Left + 128),
                                        sideBySide(), Exactness::Bounded);
  EXPECT_TRUE(mayHave(Found, Right - 1));
  EXPECT_FALSE(mayHave(Found, Right));
}

/// i + i % 4 is in parts, the inexact ones of which reach into the allocation
/// before: the exact ones are of the one that they lie in.
TEST(Neighbourhood, PartsOfSeveralAllocations) {
  const Poly I = 14 * bx + tx;
  for (uint64_t Pointer : {Right, Right + 32}) {
    Case C = one(2 * I - 4 * quotient0, {4, 1, 1}, {14, 1, 1});
    C.Quotients[0] = {I, Poly(4)};
    C.Pointers[0] = Pointer;
    const LaunchAccesses Found = accesses(C, sideBySide());
    const Touches True = touchesOf(C, 0);
    unsigned Exact = 0;
    for (const BlockAccess &A : Found.Accesses)
      for (const auto &Each : A.Exact ? touchesOf(A, Found.Grid) : Touches()) {
        ++Exact;
        EXPECT_LT(Each.first - A.Where.Base, A.Where.Bytes);
        EXPECT_TRUE(std::binary_search(True.begin(), True.end(), Each));
      }
    EXPECT_GT(Exact, 0u);
    EXPECT_GT(Found.Accesses.size(), 1u);
    for (const auto &[Address, Block] : True)
      EXPECT_TRUE(mayHave(Found, Address));
  }
}

/// Moved across by an argument: nobody knows where to.
TEST(Neighbourhood, MovedAcross) {
  for (Exactness How : {Exactness::Exact, Exactness::Bounded}) {
    const LaunchAccesses Found =
        accesses(touching(Linear + 192, Left), sideBySide(256), How);
    ASSERT_EQ(Found.Accesses.size(), 1u);
    EXPECT_EQ(Found.Accesses[0].How, Reach::Everything);
  }
}

/// What is remembered of a launch does not answer for one whose pointer has
/// other neighbours.
TEST(Neighbourhood, WindowTellsThemApart) {
  const Case Back = touching(-1 - Linear, Right),
             Forth = touching(Linear, Left);
  KernelRecord Writer = Back.kernel(), Reader = Forth.kernel();
  Writer.Bytes.Accesses[0].Kind = AccessKind::Write;
  Window W;
  const auto Related = [&](const AllocationMap &Known) {
    W.clear();
    W.admit(1, Back.launch(Writer), Known);
    return W.admit(2, Forth.launch(Reader), Known).Needs.size();
  };
  AllocationMap Alone;
  Alone.add({Right, Bytes});
  Related(Alone);
  EXPECT_EQ(Related(sideBySide()), 1u);
  EXPECT_EQ(Related(sideBySide(64)), 1u);
  EXPECT_EQ(Related(sideBySide()), 1u);
}

/// Neither does it where the pointer itself is in the same allocation as then:
/// with the neighbour the launch writes that, without it may write anything.
TEST(Neighbourhood, WindowTellsNeighboursApart) {
  constexpr uint64_t Other = MemoryB;
  for (const auto &[Own, Its, Writing] :
       {std::tuple(Right, Left, touching(-1 - Linear, Right)),
        std::tuple(Left, Right, touching(Linear + 1, Right - 4))}) {
    const Case Reading = touching(Linear, Other);
    KernelRecord Writer = Writing.kernel(), Reader = Reading.kernel();
    Writer.Bytes.Accesses[0].Kind = AccessKind::Write;
    Window W;
    const auto Related = [&](bool HasNeighbour) {
      AllocationMap Known;
      Known.add({Own, Bytes});
      Known.add({Other, Bytes});
      if (HasNeighbour)
        Known.add({Its, Bytes});
      W.clear();
      W.admit(1, Writing.launch(Writer), Known);
      return W.admit(2, Reading.launch(Reader), Known).Needs.size();
    };
    for (bool HasNeighbour : {true, false, true})
      EXPECT_EQ(Related(HasNeighbour), HasNeighbour ? 0u : 1u) << Own;
  }
}
/// Through a null pointer nothing is touched, whatever is known of the offset,
/// unless that is as large as an address.
TEST(Neighbourhood, NullTouchesNothing) {
  const AllocationMap Known = sideBySide();
  for (Exactness How :
       {Exactness::Exact, Exactness::Bounded, Exactness::Allocation})
    EXPECT_TRUE(accesses(touching(Linear, 0), Known, How).Accesses.empty());
  constexpr int64_t Ints = int64_t(1) << 29;
  const Poly Last = Ints - 128 + Linear;
  EXPECT_TRUE(accesses(touching(Last, 0), Known).Accesses.empty());
  for (const Poly &Far : {Last + 1, -Ints - 1 - Linear})
    for (Exactness How : {Exactness::Exact, Exactness::Bounded}) {
      const auto Found = accesses(touching(Far, 0), Known, How).Accesses;
      ASSERT_EQ(Found.size(), 1u);
      EXPECT_EQ(Found[0].How, Reach::Everything);
    }
  const auto NotNull = accesses(touching(Linear, 4), Known).Accesses;
  ASSERT_EQ(NotNull.size(), 1u);
  EXPECT_EQ(NotNull[0].How, Reach::Everything);
}

/// What is remembered of a launch with a null pointer does not answer for one
/// with a pointer to memory that nobody knows.
TEST(Neighbourhood, WindowTellsNullApart) {
  Case Writing = touching(Linear, 0);
  const Case Reading = touching(Linear, Left);
  KernelRecord Writer = Writing.kernel(), Reader = Reading.kernel();
  Writer.Bytes.Accesses[0].Kind = AccessKind::Write;
  Window W;
  for (uint64_t Pointer : {0, 4096, 0, 4096}) {
    Writing.Pointers[0] = Pointer;
    W.clear();
    W.admit(1, Writing.launch(Writer), sideBySide());
    EXPECT_EQ(W.admit(2, Reading.launch(Reader), sideBySide()).Needs.size(),
              Pointer ? 1u : 0u);
  }
}
