// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [What a launch depends on]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// evaluate() reads of a launch: its kernel, grid and block; the argument bytes
// that some symbol of the footprint names; and of each pointer that is a root,
// whether it is null, its neighbourhood (Allocations.h) and how far it is into
// each allocation of that. What comes out mentions an allocation's base in
// Where and nowhere else: coordinates count from there. So two launches for
// which all of these agree, the bases aside, touch memory in the same way, each
// in its own allocations. Which of its pointers share an allocation is part of
// the key: otherwise f(p, p) would answer for f(p, q).
//
// Arguments that no access depends on, like the factor of an axpy or the number
// of a time step, are not in the key.
//
// A relation of two launches then depends on the two shapes and on which
// allocations of one are allocations of the other, as long as different
// allocations have no byte in common (AllocationUseIndex.h sees to that).

#include "Shape.h"

#include "Evaluate.h"
#include "Membership.h"

#include <algorithm>
#include <array>
#include <limits>

namespace blockmaestro {

static void addOnce(std::vector<uint32_t> &To, uint32_t Value) {
  if (std::find(To.begin(), To.end(), Value) == To.end())
    To.push_back(Value);
}

KernelInputs::KernelInputs(const KernelRecord &Kernel) {
  const std::vector<Parameter> &Layout = Kernel.Parameters;
  for (const Symbol &S : Kernel.Bytes.Symbols)
    if (S.Kind == SymbolKind::Argument && S.Index < Layout.size())
      Scalars.push_back({uint32_t(Layout[S.Index].Offset) + S.Offset, S.Bytes});
  for (const Access &A : Kernel.Bytes.Accesses) {
    if (A.Base.Kind == RootKind::Argument && A.Base.Argument < Layout.size())
      addOnce(Pointers, Layout[A.Base.Argument].Offset + A.Base.Offset);
    if (A.Base.Kind == RootKind::Global &&
        std::find(Globals.begin(), Globals.end(), A.Base.Global) ==
            Globals.end())
      Globals.push_back(A.Base.Global);
  }
}

static uint64_t pair(uint32_t Low, uint32_t High) {
  return Low | uint64_t(High) << 32;
}

static bool isSameAllocation(const Allocation &A, const Allocation &B) {
  return A.Base == B.Base && A.Bytes == B.Bytes;
}

/// The number of What among Where, which gets it when it is new.
static uint32_t numberOf(const Allocation &What,
                         std::vector<Allocation> &Where) {
  for (size_t I = 0; I < Where.size(); ++I)
    if (isSameAllocation(Where[I], What))
      return uint32_t(I);
  Where.push_back(What);
  return uint32_t(Where.size() - 1);
}

static void addRoot(const Allocation *Found, uint64_t Address, Words &Key,
                    std::vector<Allocation> &Where) {
  if (!Found) {
    Key.push_back(Shape::Nowhere);
    return;
  }
  Key.push_back(numberOf(*Found, Where));
  Key.push_back(Address - Found->Base);
  Key.push_back(Found->Bytes);
}

/// Of a pointer; which of its neighbours there are is in the first word.
static void addRoots(const Neighbourhood &Of, uint64_t Address, Words &Key,
                     std::vector<Allocation> &Where) {
  if (Address == 0 && !Of.first())
    return Key.push_back(Shape::Null);
  const size_t First = Key.size();
  addRoot(Of.Inside, Address, Key, Where);
  if (Of.Ending) {
    Key[First] |= uint64_t(1) << 32;
    addRoot(Of.Ending, Address, Key, Where);
  }
  if (Of.Behind) {
    Key[First] |= (Of.Crowded ? uint64_t(3) : uint64_t(1)) << 33;
    addRoot(Of.Behind, Address, Key, Where);
  }
}

void launchKey(const Launch &What, const KernelInputs &Inputs,
               const AllocationMap &Known, Words &Key,
               std::vector<Allocation> &Where) {
  Key.clear();
  Where.clear();
  Key.push_back(reinterpret_cast<uintptr_t>(What.Kernel));
  Key.push_back(pair(What.Grid.X, What.Grid.Y));
  Key.push_back(pair(What.Grid.Z, What.Block.X));
  Key.push_back(pair(What.Block.Y, What.Block.Z));
  const size_t Size = What.Arguments.size();
  for (const KernelInputs::Bytes &Each : Inputs.Scalars) {
    uint64_t Value = 0;
    const bool There = size_t(Each.Offset) + Each.Count <= Size;
    if (There)
      std::memcpy(&Value, What.Arguments.data() + Each.Offset,
                  std::min<size_t>(Each.Count, sizeof(Value)));
    Key.push_back(Value);
  }
  for (uint32_t Offset : Inputs.Pointers) {
    uint64_t Address = 0;
    const bool There = size_t(Offset) + sizeof(Address) <= Size;
    if (There)
      std::memcpy(&Address, What.Arguments.data() + Offset, sizeof(Address));
    addRoots(There ? Known.around(Address) : Neighbourhood(), Address, Key,
             Where);
  }
  for (const std::string &Symbol : Inputs.Globals) {
    const Allocation *Found = Known.findGlobal(Symbol);
    addRoot(Found, Found ? Found->Base : 0, Key, Where);
  }
}

static void note(MemoryUse &Of, AccessKind Kind) {
  Of.Reads |= reads(Kind);
  Of.Writes |= writes(Kind);
}

/// What of A is not as in most accesses without coordinates.
enum Unusual : uint32_t {
  UnusualBytes = 1,
  UnusualBlocks = 2,
  UnusualNarrows = 4,
  UnusualSizes = 8,
};

static uint32_t unusualOf(const BlockAccess &A) {
  static constexpr int64_t Most = UINT32_MAX;
  const int64_t Low = A.BlockLow[0] | A.BlockLow[1] | A.BlockLow[2];
  const int64_t High = (A.BlockHigh[0] ^ Most) | (A.BlockHigh[1] ^ Most) |
                       (A.BlockHigh[2] ^ Most);
  const bool AnySize = !A.Coordinates.empty() || !A.Reason.empty();
  return ((A.ByteLow | A.ByteHigh) != 0 ? UnusualBytes : 0) |
         ((Low | High) != 0 ? UnusualBlocks : 0) |
         (A.Narrows != 0 ? UnusualNarrows : 0) | (AnySize ? UnusualSizes : 0);
}

/// What of A is Unusual.
static void appendUnusual(const BlockAccess &A, uint32_t Unusual, Words &Key) {
  const std::array<int64_t, 2> Bytes = {A.ByteLow, A.ByteHigh};
  if (Unusual & UnusualBytes)
    appendBytes(Key, Bytes.data(), sizeof(Bytes));
  if (Unusual & UnusualBlocks) {
    appendBytes(Key, A.BlockLow, sizeof(A.BlockLow));
    appendBytes(Key, A.BlockHigh, sizeof(A.BlockHigh));
  }
  if (Unusual & UnusualNarrows)
    Key.push_back(A.Narrows);
  if (!(Unusual & UnusualSizes))
    return;
  Key.push_back(
      pair(uint32_t(A.Coordinates.size()), uint32_t(A.Reason.size())));
  appendBytes(Key, A.Reason.data(), A.Reason.size());
  static_assert(std::has_unique_object_representations_v<Coordinate>);
  appendBytes(Key, A.Coordinates.data(),
              A.Coordinates.size() * sizeof(Coordinate));
}

static int64_t saturated(Wide Value) {
  return int64_t(std::clamp<Wide>(Value, std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max()));
}

static Shape::Span spanOf(const BlockAccess &A, Dim3 Grid) {
  if (A.How != Reach::Coordinates)
    return {std::numeric_limits<int64_t>::min(),
            std::numeric_limits<int64_t>::max()};
  const WideInterval Hull = hullOf(A, Grid);
  return {saturated(Hull.Low), saturated(Hull.High)};
}

bool mayMeet(const Shape &A, const std::vector<Allocation> &WhereA,
             const Shape &B, const std::vector<Allocation> &WhereB) {
  const auto Everywhere = [](const Shape &Of) {
    return Of.Everywhere.Reads || Of.Everywhere.Writes;
  };
  if (Everywhere(A) || Everywhere(B))
    return true;
  for (size_t I = 0; I < A.Spans.size(); ++I)
    for (size_t J = 0; J < B.Spans.size(); ++J) {
      const bool Written = writes(A.Touched->Accesses[I].Kind) ||
                           writes(B.Touched->Accesses[J].Kind);
      if (Written && A.Spans[I].Low <= B.Spans[J].High &&
          B.Spans[J].Low <= A.Spans[I].High &&
          WhereA[A.AllocationOf[I]].Base == WhereB[B.AllocationOf[J]].Base)
        return true;
    }
  return false;
}

namespace {

/// Some numbers, of which it may say of another that it is none.
class Sieve {
public:
  /// False when Value has not been added before; adds it.
  bool add(uint64_t Value) {
    const uint64_t Hash = Value * 0x9e3779b97f4a7c15;
    uint64_t &Word = Bits[Hash >> 61];
    const uint64_t Bit = uint64_t(1) << (Hash >> 55 & 63);
    const bool Before = (Word & Bit) != 0;
    Word |= Bit;
    return Before;
  }

private:
  std::array<uint64_t, 8> Bits = {};
};

} // namespace

/// Two words for the grid and two for each access say how the rest is to be
/// read.
void accessKey(const LaunchAccesses &Touched, Words &Key,
               std::vector<Allocation> &Where) {
  const size_t Count = Touched.Accesses.size();
  Key.resize(2 + 2 * Count);
  Where.clear();
  Where.reserve(Count);
  Key[0] = pair(Touched.Grid.X, Touched.Grid.Y);
  Key[1] = pair(Touched.Grid.Z, uint32_t(Count));
  Sieve Bases;
  size_t At = 2;
  for (const BlockAccess &A : Touched.Accesses) {
    const bool Placed = A.How != Reach::Everything;
    uint32_t Number = Shape::Nowhere;
    if (Placed && Bases.add(A.Where.Base)) {
      Number = numberOf(A.Where, Where);
    } else if (Placed) {
      Number = uint32_t(Where.size());
      Where.push_back(A.Where);
    }
    const uint32_t Unusual = unusualOf(A);
    const uint32_t What = uint32_t(A.Kind) | uint32_t(A.How) << 8 |
                          uint32_t(A.Exact) << 16 | Unusual << 24;
    Key[At++] = pair(What, Number);
    Key[At++] = Placed ? A.Where.Bytes : 0;
    if (Unusual != 0)
      appendUnusual(A, Unusual, Key);
  }
  if (Touched.Inputs)
    appendBytes(Key, Touched.Inputs->Key.data(), Touched.Inputs->Key.size());
}

std::shared_ptr<const Shape>
makeShape(std::shared_ptr<const LaunchAccesses> Touched,
          const std::vector<Allocation> &Where, uint64_t Number) {
  auto Of = std::make_shared<Shape>();
  Of->Number = Number;
  Of->Where = Where;
  Of->Uses.resize(Where.size());
  Of->AllocationOf.reserve(Touched->Accesses.size());
  Of->Spans.reserve(Touched->Accesses.size());
  for (const BlockAccess &A : Touched->Accesses) {
    const bool Placed = A.How != Reach::Everything;
    const uint32_t At = Placed ? numberOf(A.Where, Of->Where) : Shape::Nowhere;
    note(Placed ? Of->Uses[At] : Of->Everywhere, A.Kind);
    Of->AllocationOf.push_back(At);
    Of->Spans.push_back(spanOf(A, Touched->Grid));
  }
  Of->Touched = std::move(Touched);
  return Of;
}

std::shared_ptr<const LaunchAccesses>
accessesAt(const Shape &Like, const std::vector<Allocation> &Where) {
  if (std::equal(Where.begin(), Where.end(), Like.Where.begin(),
                 Like.Where.end(), isSameAllocation))
    return Like.Touched;
  auto Moved = std::make_shared<LaunchAccesses>(*Like.Touched);
  for (size_t I = 0; I < Moved->Accesses.size(); ++I)
    if (Like.AllocationOf[I] != Shape::Nowhere)
      Moved->Accesses[I].Where = Where[Like.AllocationOf[I]];
  return Moved;
}

} // namespace blockmaestro
