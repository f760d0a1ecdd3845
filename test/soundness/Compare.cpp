// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"

#include "Arguments.h"
#include "Expand.h"
#include "Instance.h"
#include "IslSets.h"

#include "Evaluate.h"

#include <algorithm>

namespace blockmaestro::soundness {

namespace {

constexpr const char *Kinds[] = {"read", "write", "atomic"};

/// Whether dependences made for Have cover those of an access of kind Need.
bool covers(AccessKind Have, AccessKind Need) {
  return Have == Need || Have == AccessKind::Atomic ||
         (Need == AccessKind::Atomic && Have == AccessKind::Write);
}

/// The worst exactness of the accesses of one instruction.
struct Instruction {
  Exactness Compiled = Exactness::Exact;
  bool Launched = false;
  bool LaunchExact = true, LaunchFollowed = true;
};
using Instructions = std::map<Touch, Instruction>;

void idiomsByLine(const Node &N, std::map<unsigned, unsigned> &Out) {
  if (isStatement(N.What) && N.What != Op::Sequence)
    Out[N.Line] = N.Idiom;
  for (const Node &Kid : N.Kids)
    idiomsByLine(Kid, Out);
}

std::string place(const Kernel &K, unsigned Array, AccessKind Kind,
                  int64_t Byte) {
  return std::string(Kinds[unsigned(Kind)]) + " of byte " +
         std::to_string(Byte) + " of array " + std::to_string(Array) +
         (K.Arrays[Array].Where >= ArrayInfo::Device ? " (a device global)"
                                                     : "");
}

class Comparison {
public:
  Comparison(const Kernel &K, const KernelRecord &R, const LaunchCase &L,
             Tally &T)
      : K(K), R(R), L(L), T(T), Made(makeLaunch(K, R, L)), Here(R.Bytes, Made) {
  }

  std::optional<Finding> run(bool CountRows);

private:
  void fail(std::string What, Dim3 Block) {
    if (!Found)
      Found = Finding{std::move(What), L, Block};
  }
  void prepare();
  void compiled(const BlockTruth &Truth, Dim3 Block, bool First);
  void exactAccess(const Access &A, const AccessBytes &Is,
                   const BlockTruth &Truth, Dim3 Block, bool AskIsl);
  void launched(const BlockTruth &Truth, Dim3 Block);
  Bytes truthOf(const BlockTruth &Truth, unsigned Array, AccessKind Kind,
                const SourceLocation *Where) const;
  void countRows();

  const Kernel &K;
  const KernelRecord &R;
  const LaunchCase &L;
  Tally &T;
  Launch Made;
  Instance Here;
  AllocationMap Memory;
  LaunchAccesses Evaluated;
  std::vector<bool> Degraded;
  std::optional<Finding> Found;
};

void Comparison::prepare() {
  Memory = makeAllocations(K);
  Evaluated = evaluate(Made, Memory);
  for (const Access &A : R.Bytes.Accesses) {
    bool Followed = A.How <= Exactness::Bounded && A.ElementBytes;
    Degraded.push_back(Followed && Here.degraded(A));
    T.Instances += Followed;
    T.Degraded += Degraded.back();
  }
}

/// What Kind really touches of Array; at one line only, when that line is
/// known to.
Bytes Comparison::truthOf(const BlockTruth &Truth, unsigned Array,
                          AccessKind Kind, const SourceLocation *Where) const {
  Bytes All;
  bool ByLine = Where && Where->Line && Where->File == symbolOf(K);
  for (const auto &[Key, Set] : Truth)
    if (Key.Array == Array && Key.Kind == Kind &&
        (!ByLine || Key.Line == Where->Line))
      All.add(Set);
  All.normalise();
  return All;
}

void Comparison::exactAccess(const Access &A, const AccessBytes &Is,
                             const BlockTruth &Truth, Dim3 Block, bool AskIsl) {
  if (Is.How != Meaning::Points || Is.Loose)
    return;
  unsigned Array = unsigned(arrayOf(K, A.Base));
  Bytes True = truthOf(Truth, Array, A.Kind, &A.Where);
  if (auto Byte = Is.Set.firstOutside(True))
    return fail("said to be exact at line " + std::to_string(A.Where.Line) +
                    ", but there is no " + place(K, Array, A.Kind, *Byte),
                Block);
  if (!AskIsl)
    return;
  std::optional<Bytes> ByIsl = bytesByIsl(Here, A, Block);
  ++(ByIsl ? T.IslCompared : T.IslRefused);
  if (ByIsl && (ByIsl->firstOutside(Is.Set) || Is.Set.firstOutside(*ByIsl)))
    fail("isl counts " + std::to_string(ByIsl->count()) + " bytes, trying " +
             std::to_string(Is.Set.count()) + ", at line " +
             std::to_string(A.Where.Line),
         Block);
}

/// The footprint, tried out point by point, against the truth of one block.
void Comparison::compiled(const BlockTruth &Truth, Dim3 Block, bool First) {
  std::map<std::pair<int, AccessKind>, Bytes> Sets;
  std::map<std::pair<int, AccessKind>, bool> Whole;
  bool Anywhere[3] = {};
  for (size_t I = 0; I < R.Bytes.Accesses.size(); ++I) {
    const Access &A = R.Bytes.Accesses[I];
    std::pair<int, AccessKind> Key{arrayOf(K, A.Base), A.Kind};
    AccessBytes Is = Degraded[I] ? AccessBytes{Meaning::Allocation, false, {}}
                                 : Here.bytes(A, Block);
    T.TooMany += Is.How == Meaning::TooMany;
    T.Loose += Is.Loose;
    Anywhere[unsigned(A.Kind)] |= Is.How == Meaning::Anywhere;
    if (Is.How != Meaning::Points)
      Whole[Key] = true;
    else
      Sets[Key].add(Is.Set);
    if (A.How == Exactness::Exact)
      exactAccess(A, Is, Truth, Block, First);
  }
  for (const auto &[Key, True] : Truth) {
    Bytes Said;
    bool All = false;
    for (AccessKind Kind :
         {AccessKind::Read, AccessKind::Write, AccessKind::Atomic}) {
      if (!covers(Kind, Key.Kind))
        continue;
      std::pair<int, AccessKind> At{int(Key.Array), Kind};
      All |= Anywhere[unsigned(Kind)] || Whole[At];
      Said.add(Sets[At]);
    }
    Said.normalise();
    T.BytesCompared += True.count();
    if (All)
      continue;
    if (auto Byte = True.firstOutside(Said))
      fail("the footprint lacks the " + place(K, Key.Array, Key.Kind, *Byte) +
               " at line " + std::to_string(Key.Line),
           Block);
  }
}

/// What the launch path makes of the footprint, against the truth.
void Comparison::launched(const BlockTruth &Truth, Dim3 Block) {
  for (const auto &[Key, True] : Truth) {
    int64_t Shift = int64_t(addressOf(K, Key.Array) - allocationOf(Key.Array));
    std::vector<const BlockAccess *> Sets;
    bool All = false;
    for (const BlockAccess &A : Evaluated.Accesses) {
      if (!covers(A.Kind, Key.Kind))
        continue;
      bool Here = A.Where.Base == allocationOf(Key.Array);
      All |= A.How == Reach::Everything || (Here && A.How == Reach::Range);
      if (Here && A.How == Reach::Coordinates)
        Sets.push_back(&A);
    }
    if (All)
      continue;
    for (auto [Low, High] : True.ranges())
      for (int64_t Byte = Low; Byte <= High && !Found; ++Byte)
        if (std::none_of(Sets.begin(), Sets.end(), [&](const BlockAccess *A) {
              return contains(*A, Block, Byte + Shift);
            }))
          fail("the launch lacks the " + place(K, Key.Array, Key.Kind, Byte) +
                   " at line " + std::to_string(Key.Line),
               Block);
  }
  for (const BlockAccess &A : Evaluated.Accesses) {
    if (!A.Exact || Found)
      continue;
    unsigned Array = unsigned(A.Where.Base >> 42) - 1;
    if (A.How != Reach::Coordinates || Array >= K.Arrays.size())
      return fail("the launch says exact, but gives no set", Block);
    int64_t Shift = int64_t(addressOf(K, Array) - allocationOf(Array));
    Bytes True = truthOf(Truth, Array, A.Kind, nullptr), Shifted;
    for (auto [Low, High] : True.ranges())
      Shifted.add(Low + Shift, High + Shift);
    std::optional<Bytes> Set = expand(A, Block, Shifted.count() + 1);
    if (!Set)
      return fail("the launch says exact, but has more bytes than there are in "
                  "array " +
                      std::to_string(Array),
                  Block);
    if (auto Byte = Set->firstOutside(Shifted))
      return fail("the launch says exact, but there is no " +
                      place(K, Array, A.Kind, *Byte - Shift),
                  Block);
  }
}

/// How well each instruction is known, here and after evaluation.
void Comparison::countRows() {
  std::map<unsigned, unsigned> Idioms;
  idiomsByLine(K.Body, Idioms);
  for (const Function &F : K.Functions)
    idiomsByLine(F.Body, Idioms);
  Instructions All;
  KernelRecord One = R;
  for (const Access &A : R.Bytes.Accesses) {
    Instruction &Of = All[{unsigned(arrayOf(K, A.Base)), A.Kind, A.Where.Line}];
    Of.Compiled = std::max(Of.Compiled, A.How);
    One.Bytes.Accesses = {A};
    Launch Single = Made;
    Single.Kernel = &One;
    for (const BlockAccess &B : evaluate(Single, Memory).Accesses) {
      if (A.How == Exactness::Exact && !B.Exact)
        ++T.LaunchReasons[B.Reason];
      Of.Launched = true;
      Of.LaunchExact &= B.Exact;
      Of.LaunchFollowed &= B.How == Reach::Coordinates;
    }
  }
  for (const auto &[Key, Of] : All) {
    auto Idiom = Idioms.find(Key.Line);
    Tally::Row &Row = T.Idioms[Idiom == Idioms.end() ? 0 : Idiom->second];
    ++(Of.Compiled == Exactness::Exact        ? Row.Exact
       : Of.Compiled == Exactness::Bounded    ? Row.Bounded
       : Of.Compiled == Exactness::Allocation ? Row.Allocation
                                              : Row.Unknown);
    Row.Launched += Of.Launched;
    Row.LaunchExact += Of.Launched && Of.LaunchExact;
    Row.LaunchBounded += Of.Launched && !Of.LaunchExact && Of.LaunchFollowed;
  }
}

std::optional<Finding> Comparison::run(bool CountRows) {
  ++T.Launches;
  std::vector<BlockTruth> Blocks;
  Outcome Ran = interpret(K, L, Blocks);
  if (Ran != Outcome::Done) {
    ++(Ran == Outcome::Undefined ? T.Undefined : T.TooLong);
    return std::nullopt;
  }
  prepare();
  for (uint64_t B = 0; B < Blocks.size() && !Found; ++B) {
    Dim3 Block = blockOf(B, L.Grid);
    compiled(Blocks[B], Block, B == Blocks.size() / 2);
    launched(Blocks[B], Block);
  }
  if (CountRows && !Found)
    countRows();
  return Found;
}

} // namespace

void Tally::add(const Tally &O) {
  uint64_t Tally::*Sums[] = {
      &Tally::Kernels,     &Tally::Launches,   &Tally::Undefined,
      &Tally::TooLong,     &Tally::Accesses,   &Tally::Instances,
      &Tally::Degraded,    &Tally::TooMany,    &Tally::Loose,
      &Tally::IslCompared, &Tally::IslRefused, &Tally::BytesCompared};
  for (auto Field : Sums)
    this->*Field += O.*Field;
  uint64_t Row::*Columns[] = {
      &Row::Exact,    &Row::Bounded,     &Row::Allocation,   &Row::Unknown,
      &Row::Launched, &Row::LaunchExact, &Row::LaunchBounded};
  for (const auto &[Idiom, Of] : O.Idioms)
    for (auto Column : Columns)
      Idioms[Idiom].*Column += Of.*Column;
  for (const auto &[Why, Count] : O.Reasons)
    Reasons[Why] += Count;
  for (const auto &[Why, Count] : O.LaunchReasons)
    LaunchReasons[Why] += Count;
}

std::optional<Finding> compare(const Kernel &K, const KernelRecord &R,
                               const LaunchCase &L, Tally &T, bool CountRows) {
  return Comparison(K, R, L, T).run(CountRows);
}

std::optional<Finding> checkRecord(const Kernel &K, const KernelRecord &R,
                                   Tally &T) {
  auto Fail = [&](const std::string &What) { return Finding{What, {}, {}}; };
  if (std::string Why = checkParameters(K, R); !Why.empty())
    return Fail(Why);
  for (const Access &A : R.Bytes.Accesses) {
    ++T.Accesses;
    if (A.How != Exactness::Exact)
      ++T.Reasons[A.Reason.substr(0, A.Reason.find(" ("))];
    std::string At = " at line " + std::to_string(A.Where.Line);
    if (A.How != Exactness::Unknown && arrayOf(K, A.Base) < 0)
      return Fail("a root that is no array" + At);
    if ((A.How == Exactness::Exact) != A.Reason.empty())
      return Fail("only what is not exact has a reason" + At);
    if (A.How > Exactness::Bounded &&
        (!A.Offset.Terms.empty() || !A.Domain.empty()))
      return Fail("an offset where it says nothing" + At);
  }
  return std::nullopt;
}

static std::string digits(Wide Value) {
  if (Value < 0)
    return "-" + digits(-Value);
  std::string Low(1, char('0' + int(Value % 10)));
  return Value < 10 ? Low : digits(Value / 10) + Low;
}

std::string describe(const Kernel &K, const LaunchCase &L) {
  auto Sizes = [](Dim3 D) {
    return std::to_string(D.X) + "x" + std::to_string(D.Y) + "x" +
           std::to_string(D.Z);
  };
  std::string Text = "grid " + Sizes(L.Grid) + ", block " + Sizes(L.Block);
  for (unsigned I = 0; I < K.Scalars.size(); ++I)
    Text += ", s" + std::to_string(I) + " = " + digits(L.Scalars[I]);
  return Text + (L.WildTables ? ", wild tables" : "");
}

} // namespace blockmaestro::soundness
