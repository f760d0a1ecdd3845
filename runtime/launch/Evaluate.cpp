// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluate.h"

#include "Coordinates.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro {

namespace {

/// What one guard did to the index box.
enum class Narrowed { No, Yes, Empty };

/// The guards of an access, as far as they can be used.
struct Conditions {
  Guards Left;                   ///< Those of two or more indices.
  const char *Dropped = nullptr; ///< Why one was left out.
  bool Never = false;            ///< No thread of the launch gets there.
};

} // namespace

static BlockAccess widen(BlockAccess A, Reach How, std::string Why) {
  A.How = How;
  A.Exact = false;
  A.Coordinates.clear();
  A.Reason = std::move(Why);
  return A;
}

/// The pointer an access starts from; false when it is not in the arguments.
static bool readPointer(const Launch &L, const Root &Base, uint64_t &Out) {
  const std::vector<Parameter> &Layout = L.Kernel->Parameters;
  if (Base.Argument >= Layout.size())
    return false;
  size_t At = size_t(Layout[Base.Argument].Offset) + Base.Offset;
  if (At + sizeof(Out) > L.Arguments.size())
    return false;
  std::memcpy(&Out, L.Arguments.data() + At, sizeof(Out));
  return true;
}

/// Finds the allocation and the address the offset counts from. Null when it
/// worked, else why not.
static const char *findRoot(const Launch &L, const Access &A,
                            const AllocationMap &Known, Allocation &Where,
                            uint64_t &Address) {
  const Allocation *Found = nullptr;
  if (A.Base.Kind == RootKind::Global) {
    Found = Known.findGlobal(A.Base.Global);
    if (!Found)
      return "the address of the device global is not known";
    Address = Found->Base;
  } else {
    if (A.Base.Kind != RootKind::Argument || !readPointer(L, A.Base, Address))
      return "where its pointer comes from is not known";
    Found = Known.find(Address);
    if (!Found)
      return "its pointer is in no allocation the runtime knows";
  }
  Where = *Found;
  return nullptr;
}

static bool fits(const WideInterval &Range, const Assumption &What) {
  if (What.Bits == 0 || What.Bits > 64)
    return false;
  Wide Half = Wide(1) << (What.Bits - 1);
  Wide Low = What.Signed ? -Half : 0;
  Wide High = What.Signed ? Half - 1 : 2 * Half - 1;
  return Range.Low >= Low && Range.High <= High;
}

/// Over all threads, blocks and iterations, with no help from the guards: a
/// guard may itself be computed with the arithmetic in question.
static const char *checkAssumptions(const Access &A, const Numbers &N) {
  for (const Assumption &What : A.Assumptions) {
    WideInterval Range;
    if (const char *Why = N.range(What.Value, Range))
      return Why;
    if (!fits(Range, What))
      return "its index arithmetic may wrap around with the numbers of this "
             "launch";
  }
  return nullptr;
}

static uint32_t mentionedBy(const Access &A, const Numbers &N) {
  uint32_t Bits = N.mentioned(A.Offset);
  for (const Constraint &C : A.Domain)
    Bits |= N.mentioned(C.Value);
  return Bits;
}

/// Uses Guard >= 0 on its only index.
static Narrowed narrowOne(const Affine &Guard, unsigned Index, IndexBox &Box) {
  Interval &Of = Box[Index];
  Wide Slope = Guard.Of[Index], Constant = Guard.Constant;
  if (Slope > 0)
    Of.Low = int64_t(
        std::min<Wide>(std::max<Wide>(Of.Low, -floorDivWide(Constant, Slope)),
                       Wide(Of.High) + 1));
  else
    Of.High = int64_t(
        std::max<Wide>(std::min<Wide>(Of.High, floorDivWide(Constant, -Slope)),
                       Wide(Of.Low) - 1));
  return Of.Low > Of.High ? Narrowed::Empty : Narrowed::Yes;
}

/// Uses one inequality as far as the box can express it: drops it when it
/// always holds or bounds one index, keeps it in Left otherwise.
static Narrowed narrow(const Affine &Guard, IndexBox &Box, Guards &Left) {
  WideInterval Range = rangeOf(Guard, Box);
  if (Range.Low >= 0)
    return Narrowed::No;
  if (Range.High < 0)
    return Narrowed::Empty;
  unsigned Only = 0, Count = 0;
  Affine Folded = Guard;
  for (unsigned I = 0; I < MaxIndices; ++I) {
    if (Guard.Of[I] == 0)
      continue;
    if (!Box[I].single()) {
      Only = I;
      ++Count;
      continue;
    }
    Folded.Constant += Guard.Of[I] * Box[I].Low;
    Folded.Of[I] = 0;
  }
  if (Count == 1)
    return narrowOne(Folded, Only, Box);
  Left.push_back(Folded);
  return Narrowed::No;
}

static Affine negated(const Affine &Value) {
  Affine Out;
  Out.Constant = -Value.Constant;
  for (unsigned I = 0; I < MaxIndices; ++I)
    Out.Of[I] = -Value.Of[I];
  return Out;
}

/// The guards as inequalities with numbers in them.
static Guards instantiate(const Access &A, const Numbers &N, Conditions &Out) {
  Guards All;
  for (const Constraint &C : A.Domain) {
    Affine Value;
    const char *Why = N.substitute(C.Value, N.box(), Value);
    if (!Why && !rangeOf(Value, N.box()).usable())
      Why = "a condition around it leaves 64 bits";
    if (Why) {
      Out.Dropped = Why;
      continue;
    }
    All.push_back(Value);
    if (C.Equality)
      All.push_back(negated(Value));
  }
  return All;
}

/// Narrows Box by every guard of one index, until nothing changes; the others
/// are left for the coordinates.
static Conditions useGuards(const Access &A, const Numbers &N, IndexBox &Box) {
  Conditions Out;
  Guards Waiting = instantiate(A, N, Out);
  for (bool Changed = true; Changed && !Out.Never;) {
    Changed = false;
    Guards Left;
    for (const Affine &Guard : Waiting) {
      Narrowed Result = narrow(Guard, Box, Left);
      Changed |= Result == Narrowed::Yes;
      Out.Never |= Result == Narrowed::Empty;
    }
    Waiting = std::move(Left);
  }
  Out.Left = std::move(Waiting);
  return Out;
}

/// Lowest and highest byte any block touches, from the allocation's base.
static WideInterval hullOf(const BlockAccess &A) {
  WideInterval Hull{A.ByteLow, A.ByteHigh};
  for (const Coordinate &C : A.Coordinates) {
    Wide Low = C.Base, High = Wide(C.Base) + C.Count - 1;
    for (unsigned D = 0; D < 3; ++D) {
      Wide First = Wide(C.PerBlock[D]) * A.BlockLow[D];
      Wide Last = Wide(C.PerBlock[D]) * A.BlockHigh[D];
      Low += std::min(First, Last);
      High += std::max(First, Last);
    }
    Hull.Low += std::max<Wide>(Low, C.ClipLow) * C.Stride;
    Hull.High += std::min<Wide>(High, C.ClipHigh) * C.Stride;
  }
  return Hull;
}

/// Box with 0 in it, so that a value usable over it has usable terms as well.
static IndexBox fromZero(IndexBox Box) {
  for (Interval &Of : Box)
    Of.Low = std::min<int64_t>(Of.Low, 0);
  return Box;
}

/// Everything after the root is known and the assumptions hold. False when no
/// block makes the access.
static bool follow(const Access &A, const Numbers &N, int64_t Start,
                   BlockAccess &Out) {
  IndexBox Box = N.box();
  Conditions Guards = useGuards(A, N, Box);
  if (Guards.Never)
    return false;
  for (unsigned D = 0; D < 3; ++D) {
    Out.BlockLow[D] = Box[FirstBlock + D].Low;
    Out.BlockHigh[D] = Box[FirstBlock + D].High;
  }
  Affine Offset;
  const char *Why = N.substitute(A.Offset, Box, Offset);
  WideInterval Range;
  if (!Why) {
    Range = rangeOf(Offset, fromZero(Box));
    if (!Range.usable() || Start > LargestValue ||
        __builtin_add_overflow(Offset.Constant, Start, &Offset.Constant))
      Why = "its offset leaves 64 bits with the numbers of this launch";
  }
  if (Why) {
    Out = widen(std::move(Out), Reach::Range, Why);
    return true;
  }
  if (Out.Exact &&
      (Guards.Dropped || (mentionedBy(A, N) & N.inexactCounters()))) {
    Out.Exact = false;
    Out.Reason = Guards.Dropped
                     ? Guards.Dropped
                     : "a loop around it has a varying number of iterations";
  }
  return makeCoordinates(Offset, A.ElementBytes, Box, Guards.Left, Out);
}

/// The access at this launch; false when no block makes it.
static bool evaluateOne(const Launch &L, const Access &A, const Numbers &N,
                        const AllocationMap &Known, BlockAccess &Out) {
  Out.Kind = A.Kind;
  for (unsigned D = 0; D < 3; ++D)
    Out.BlockHigh[D] = int64_t(L.Grid[D]) - 1;
  if (A.How == Exactness::Unknown) {
    Out = widen(std::move(Out), Reach::Everything, A.Reason);
    return true;
  }
  uint64_t Address = 0;
  if (const char *Why = findRoot(L, A, Known, Out.Where, Address)) {
    Out = widen(std::move(Out), Reach::Everything, Why);
    return true;
  }
  if (A.How == Exactness::Allocation || A.ElementBytes == 0) {
    Out = widen(std::move(Out), Reach::Range, A.Reason);
    return true;
  }
  if (const char *Why = checkAssumptions(A, N)) {
    Out = widen(std::move(Out), Reach::Range, Why);
    return true;
  }
  for (uint32_t Bits = mentionedBy(A, N), I = 0; I < MaxIndices; ++I)
    if ((Bits >> I & 1) && N.box()[I].Low > N.box()[I].High)
      return false;
  Out.How = Reach::Coordinates;
  Out.Exact = A.How == Exactness::Exact;
  Out.Reason = A.Reason;
  if (!follow(A, N, int64_t(Address - Out.Where.Base), Out))
    return false;
  if (!Out.Exact)
    return true;
  WideInterval Hull = hullOf(Out);
  if (Hull.Low < 0 || Hull.High >= Wide(Out.Where.Bytes))
    Out = widen(std::move(Out), Reach::Everything,
                "it leaves the allocation its pointer is in");
  return true;
}

LaunchAccesses evaluate(const Launch &L, const AllocationMap &Known) {
  LaunchAccesses All;
  All.Grid = L.Grid;
  Numbers N(L);
  for (const Access &A : L.Kernel->Bytes.Accesses) {
    BlockAccess Out;
    if (evaluateOne(L, A, N, Known, Out))
      All.Accesses.push_back(std::move(Out));
  }
  return All;
}

} // namespace blockmaestro
