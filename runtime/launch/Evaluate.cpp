// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluate.h"

#include "IndexSpace.h"
#include "Membership.h"
#include "Narrow.h"
#include "Parts.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace blockmaestro {

/// The parts of one access, and about those of all accesses of a launch.
static constexpr size_t MostPartsOfOne = 16;
static constexpr size_t MostParts = 64;

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

/// Bounds of Value that know how its quotients depend on each other. Null when
/// it worked.
static const char *closeRange(const Launch &L, const Numbers &N,
                              const Polynomial &Value, WideInterval &Out) {
  IndexSpace S(L.Kernel->Bytes, N, L);
  S.add(Value);
  Affine Sum;
  if (const char *Why = S.substitute(Value, Sum))
    return Why;
  Out = rangeOf(Sum, S.box());
  return nullptr;
}

/// Over all threads, blocks and iterations, with no help from the guards: a
/// guard may itself be computed with the arithmetic in question. Where a value
/// is in the way, why there is one says more than that it may wrap.
static const char *checkAssumptions(const Launch &L, const Access &A,
                                    const Numbers &N) {
  for (const Assumption &What : A.Assumptions) {
    WideInterval Range, Close;
    if (const char *Why = N.range(What.Value, Range))
      return Why;
    if (fits(Range, What))
      continue;
    if (!closeRange(L, N, What.Value, Close)) {
      Range.Low = std::max(Range.Low, Close.Low);
      Range.High = std::min(Range.High, Close.High);
    }
    if (fits(Range, What))
      continue;
    Meaning Of;
    N.addUse(What.Value, Of);
    if (Of.Ranged && !A.Reason.empty())
      return A.Reason.c_str();
    return "its index arithmetic may wrap around with the numbers of this "
           "launch";
  }
  return nullptr;
}

/// Why the access may be anywhere in its allocation, whatever its guards say.
static const char *checkSymbols(const Access &A, const Numbers &N,
                                Meaning &Use) {
  N.addUse(A.Offset, Use);
  for (const Constraint &C : A.Domain)
    N.addUse(C.Value, Use);
  Meaning Assumed = Use;
  for (const Assumption &What : A.Assumptions)
    N.addUse(What.Value, Assumed);
  return Assumed.Invalid ? "it divides by less than 1 or shifts by too much "
                           "with the numbers of this launch"
                         : nullptr;
}

/// The guards with numbers in them. Null when all could be used, else why one
/// was left out.
static const char *instantiate(const Access &A, const IndexSpace &S,
                               Guards &Out) {
  const char *Dropped = nullptr;
  Out.reserve(2 * A.Domain.size() + S.bounds().size());
  const IndexBox FromZero = fromZero(S.box());
  auto Use = [&](const Affine &Value) {
    if (!rangeOf(Value, FromZero).usable())
      return false;
    Out.push_back(Value);
    return true;
  };
  for (const Constraint &C : A.Domain) {
    Affine Value;
    const char *Why = S.substitute(C.Value, Value);
    if (!Why && !Use(Value))
      Why = "a condition around it leaves 64 bits";
    if (Why)
      Dropped = Why;
    else if (C.Equality)
      Out.push_back(negated(Value));
  }
  for (const Affine &Bound : S.bounds())
    if (!Use(Bound))
      Dropped = reasons::Overflows;
  return Dropped;
}

/// The offset as bytes from the allocation's base. Null when it worked.
static const char *findOffset(const Access &A, const IndexSpace &S,
                              const IndexBox &Box, int64_t Start, Affine &Out) {
  if (const char *Why = S.substitute(A.Offset, Out))
    return Why;
  if (!rangeOf(Out, fromZero(Box)).usable() || Start > LargestValue ||
      __builtin_add_overflow(Out.Constant, Start, &Out.Constant))
    return "its offset leaves 64 bits with the numbers of this launch";
  return nullptr;
}

/// Everything after the root is known and the assumptions hold; One is what is
/// known so far. Where only coordinates are not exact, Form is the access over
/// its indices.
static void follow(const Launch &L, const Access &A, const Numbers &N,
                   int64_t Start, BlockAccess One,
                   std::vector<BlockAccess> &Out,
                   std::optional<AccessForm> &Form) {
  IndexSpace S(L.Kernel->Bytes, N, L);
  S.add(A.Offset);
  for (const Constraint &C : A.Domain)
    S.add(C.Value);
  Guards Conditions;
  const char *Dropped = instantiate(A, S, Conditions);
  IndexBox Box = S.box();
  if (!narrow(Conditions, Box))
    return;
  Affine Offset;
  if (const char *Why = findOffset(A, S, Box, Start, Offset)) {
    setBlocks(Box, One);
    Out.push_back(widen(std::move(One), Reach::Range, Why));
    return;
  }
  const bool Whole = One.Exact && !Dropped && !S.grown();
  for (const char *Why : {Dropped, S.grown()})
    if (Why)
      notExact(One, Why);
  const size_t Most = MostParts / L.Kernel->Bytes.Accesses.size();
  const size_t Before = Out.size();
  makeParts({S, Offset, A.ElementBytes, One,
             std::clamp<size_t>(Most, 1, MostPartsOfOne)},
            Conditions, Box, Out);
  if (Whole && std::any_of(Out.begin() + std::ptrdiff_t(Before), Out.end(),
                           [](const BlockAccess &Part) { return !Part.Exact; }))
    Form = {Offset, A.ElementBytes, std::move(Conditions), Box};
}

/// What the program would do wrong if the access were as it says.
static void checkHull(BlockAccess &A, Dim3 Grid) {
  if (!A.Exact)
    return;
  WideInterval Hull = hullOf(A, Grid);
  if (Hull.Low < 0 || Hull.High >= Wide(A.Where.Bytes))
    A = widen(std::move(A), Reach::Everything,
              "it leaves the allocation its pointer is in");
}

/// Why all that can be said of the access is its root; empty when there is
/// more. Use is what its symbols are.
static std::string whyWidened(const Launch &L, const Access &A,
                              const Numbers &N, Meaning &Use) {
  if (A.How == Exactness::Allocation)
    return A.Reason;
  if (A.ElementBytes == 0)
    return "how many bytes it touches is not known";
  const char *Why = checkSymbols(A, N, Use);
  if (!Why)
    Why = checkAssumptions(L, A, N);
  return Why ? Why : "";
}

/// Appends the access at this launch, in parts; nothing when no block makes it.
/// Form as in follow().
static void evaluateOne(const Launch &L, const Access &A, const Numbers &N,
                        const AllocationMap &Known,
                        std::vector<BlockAccess> &Out,
                        std::optional<AccessForm> &Form) {
  BlockAccess One;
  One.Kind = A.Kind;
  for (unsigned D = 0; D < 3; ++D) {
    One.BlockLow[D] = N.blocks()[D].Low;
    One.BlockHigh[D] = N.blocks()[D].High;
  }
  if (A.How == Exactness::Unknown) {
    Out.push_back(widen(std::move(One), Reach::Everything, A.Reason));
    return;
  }
  uint64_t Address = 0;
  if (const char *Why = findRoot(L, A, Known, One.Where, Address)) {
    Out.push_back(widen(std::move(One), Reach::Everything, Why));
    return;
  }
  Meaning Use;
  bool Whole = A.How == Exactness::Allocation;
  std::string Why = whyWidened(L, A, N, Use);
  if (Whole || !Why.empty()) {
    Out.push_back(widen(std::move(One), Reach::Range, std::move(Why)));
    return;
  }
  if (Use.Never)
    return;
  One.How = Reach::Coordinates;
  One.Exact = A.How == Exactness::Exact;
  One.Reason = A.Reason;
  if (Use.Ranged)
    notExact(One, "it depends on a number of which only the range is known");
  const size_t Before = Out.size();
  const int64_t Start = int64_t(Address - One.Where.Base);
  follow(L, A, N, Start, std::move(One), Out, Form);
  std::for_each(Out.begin() + std::ptrdiff_t(Before), Out.end(),
                [&L](BlockAccess &Each) { checkHull(Each, L.Grid); });
}

/// Whether what the parts of one access lost may be found again block by block.
static bool narrows(const Access &A, const Numbers &N,
                    std::span<const BlockAccess> Parts) {
  auto Loses = [](const BlockAccess &Part) {
    return !Part.Exact && Part.How != Reach::Everything;
  };
  if (A.How != Exactness::Exact ||
      std::none_of(Parts.begin(), Parts.end(), Loses))
    return false;
  Meaning Use;
  checkSymbols(A, N, Use);
  return !Use.Ranged;
}

static void mark(std::span<BlockAccess> Parts, size_t Which) {
  for (BlockAccess &Part : Parts)
    Part.Narrows = uint32_t(Which) + 1;
}

static void appendArgument(const Launch &L, size_t At, size_t Bytes,
                           std::string &Key) {
  if (At + Bytes <= L.Arguments.size())
    Key.append(reinterpret_cast<const char *>(&L.Arguments[At]), Bytes);
}

/// All that evaluating a block reads besides the grid and the allocations; of
/// pointers, how far they are into theirs.
static std::string keyOf(const Launch &L, const AllocationMap &Known) {
  const Footprint &Bytes = L.Kernel->Bytes;
  const std::vector<Parameter> &Layout = L.Kernel->Parameters;
  std::string Key(reinterpret_cast<const char *>(&L.Kernel), sizeof(L.Kernel));
  for (unsigned D = 0; D < 3; ++D)
    Key += std::to_string(L.Block[D]) + ' ';
  for (const Symbol &S : Bytes.Symbols)
    if (S.Kind == SymbolKind::Argument && S.Index < Layout.size())
      appendArgument(L, size_t(Layout[S.Index].Offset) + S.Offset, S.Bytes,
                     Key);
  for (const Access &A : Bytes.Accesses) {
    Allocation Where;
    uint64_t Address = 0;
    if (!findRoot(L, A, Known, Where, Address))
      Key += std::to_string(Address - Where.Base) + ' ';
  }
  return Key;
}

static std::shared_ptr<const LaunchInputs>
keepInputs(const Launch &L, const AllocationMap &Known,
           const LaunchAccesses &Touched, LaunchInputs Narrowing) {
  auto Kept = std::make_shared<LaunchInputs>(std::move(Narrowing));
  Kept->What = L;
  Kept->Key = keyOf(L, Known);
  for (const BlockAccess &A : Touched.Accesses)
    if (A.How != Reach::Everything)
      Kept->Known.add(A.Where);
  for (const Access &A : L.Kernel->Bytes.Accesses)
    if (A.Base.Kind == RootKind::Global)
      if (const Allocation *Where = Known.findGlobal(A.Base.Global))
        Kept->Known.addGlobal(A.Base.Global, *Where);
  return Kept;
}

LaunchAccesses evaluate(const Launch &L, const AllocationMap &Known) {
  LaunchAccesses All;
  All.Grid = L.Grid;
  Numbers N(L);
  const std::vector<Access> &Accesses = L.Kernel->Bytes.Accesses;
  LaunchInputs Narrowing;
  for (size_t I = 0; I < Accesses.size(); ++I) {
    const size_t Before = All.Accesses.size();
    std::optional<AccessForm> Form;
    evaluateOne(L, Accesses[I], N, Known, All.Accesses, Form);
    const std::span<BlockAccess> Parts =
        std::span(All.Accesses).subspan(Before);
    if (!narrows(Accesses[I], N, Parts))
      continue;
    mark(Parts, Narrowing.Which.size());
    Narrowing.Which.push_back(uint32_t(I));
    Narrowing.Forms.push_back(std::move(Form));
  }
  if (!Narrowing.Which.empty())
    All.Inputs = keepInputs(L, Known, All, std::move(Narrowing));
  return All;
}

void evaluateBlock(const LaunchInputs &From, Dim3 Block,
                   std::vector<BlockAccess> &Out) {
  const Numbers N(From.What, oneBlock(Block));
  for (size_t I = 0; I < From.Which.size(); ++I) {
    if (From.Forms[I])
      continue;
    const size_t Before = Out.size();
    std::optional<AccessForm> Unused;
    evaluateOne(From.What, From.What.Kernel->Bytes.Accesses[From.Which[I]], N,
                From.Known, Out, Unused);
    mark(std::span(Out).subspan(Before), I);
  }
}

} // namespace blockmaestro
