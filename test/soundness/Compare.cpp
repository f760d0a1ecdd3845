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
             const std::vector<BlockTruth> &Blocks, Tally &T)
      : K(K), R(R), L(L), T(T), Blocks(Blocks),
        Memory(planMemory(K, L, Blocks)), Made(makeLaunch(K, R, L, Memory)),
        Here(R.Bytes, Made) {}

  std::optional<Finding> run(bool FirstLaunch);

private:
  void fail(std::string What, Dim3 Block) {
    if (!Found)
      Found = Finding{std::move(What), L, Block};
  }
  void prepare();
  void compiled(const BlockTruth &Truth, Dim3 Block, bool AskIsl);
  void exactAccess(const Access &A, const AccessBytes &Is,
                   const BlockTruth &Truth, Dim3 Block, bool AskIsl);
  bool hasLaunched(const Touch &Key, const Bytes &True, Dim3 Block);
  void launched(const BlockTruth &Truth, Dim3 Block);
  void launchedExactly(const BlockAccess &A, const BlockTruth &Truth,
                       Dim3 Block);
  Bytes truthIn(const Allocation &Where, const BlockTruth &Truth,
                AccessKind Kind) const;
  Bytes truthOf(const BlockTruth &Truth, unsigned Array, AccessKind Kind,
                const SourceLocation *Where) const;
  void countRows();

  const Kernel &K;
  const KernelRecord &R;
  const LaunchCase &L;
  Tally &T;
  const std::vector<BlockTruth> &Blocks;
  MemoryPlan Memory;
  Launch Made;
  Instance Here;
  LaunchAccesses Evaluated;
  std::vector<bool> Degraded;
  std::optional<Finding> Found;
};

void Comparison::prepare() {
  Evaluated = evaluate(Made, Memory.Known);
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
  if (arrayOf(K, A.Base) < 0) {
    if (!Is.Set.empty())
      fail("said to be exact at line " + std::to_string(A.Where.Line) +
               ", through what is no pointer",
           Block);
    return;
  }
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
void Comparison::compiled(const BlockTruth &Truth, Dim3 Block, bool AskIsl) {
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
      exactAccess(A, Is, Truth, Block, AskIsl);
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

/// Whether the launch has all that is touched of one array in one way.
bool Comparison::hasLaunched(const Touch &Key, const Bytes &True, Dim3 Block) {
  const Allocation &In = Memory.Allocations[Key.Array];
  const int64_t Shift = int64_t(Memory.Pointers[Key.Array] - In.Base);
  std::vector<const BlockAccess *> Sets;
  for (const BlockAccess &A : Evaluated.Accesses) {
    const bool Same = A.Where.Base == In.Base;
    if (!covers(A.Kind, Key.Kind))
      continue;
    if (A.How == Reach::Everything || (Same && A.How == Reach::Range))
      return true;
    if (Same)
      Sets.push_back(&A);
  }
  for (auto [Low, High] : True.ranges())
    for (int64_t Byte = Low; Byte <= High; ++Byte)
      if (std::none_of(Sets.begin(), Sets.end(), [&](const BlockAccess *A) {
            return contains(*A, Block, Byte + Shift);
          })) {
        fail("the launch lacks the " + place(K, Key.Array, Key.Kind, Byte) +
                 " at line " + std::to_string(Key.Line) + "; its pointer is " +
                 std::to_string(Shift) + " bytes into an allocation of " +
                 std::to_string(In.Bytes),
             Block);
        return false;
      }
  return true;
}

/// What Kind really touches of an allocation.
Bytes Comparison::truthIn(const Allocation &Where, const BlockTruth &Truth,
                          AccessKind Kind) const {
  Bytes All;
  for (const auto &[Key, Set] : Truth) {
    const Allocation &In = Memory.Allocations[Key.Array];
    if (Key.Kind != Kind || In.Base != Where.Base)
      continue;
    const int64_t Shift = int64_t(Memory.Pointers[Key.Array] - In.Base);
    for (auto [Low, High] : Set.ranges())
      All.add(Low + Shift, High + Shift);
  }
  All.normalise();
  return All;
}

void Comparison::launchedExactly(const BlockAccess &A, const BlockTruth &Truth,
                                 Dim3 Block) {
  if (A.How != Reach::Coordinates)
    return fail("the launch says exact, but gives no set", Block);
  const Bytes True = truthIn(A.Where, Truth, A.Kind);
  const std::optional<Bytes> Set = expand(A, Block, True.count() + 1);
  if (!Set)
    return fail("the launch says exact, but has more bytes than there are",
                Block);
  if (auto Byte = Set->firstOutside(True))
    fail(std::string("the launch says exact, but there is no ") +
             Kinds[unsigned(A.Kind)] + " of byte " + std::to_string(*Byte) +
             " of an allocation of " + std::to_string(A.Where.Bytes),
         Block);
}

/// What the launch path makes of the footprint, against the truth.
void Comparison::launched(const BlockTruth &Truth, Dim3 Block) {
  for (const auto &[Key, True] : Truth)
    if (!hasLaunched(Key, True, Block))
      return;
  for (const BlockAccess &A : Evaluated.Accesses)
    if (A.Exact && !Found)
      launchedExactly(A, Truth, Block);
}

/// How well each instruction is known, here and after evaluation.
void Comparison::countRows() {
  std::map<unsigned, unsigned> Idioms;
  idiomsByLine(K.Body, Idioms);
  for (const Function &F : K.Functions)
    idiomsByLine(K.Relocatable && F.Weak ? F.Decoy : F.Body, Idioms);
  Instructions All;
  KernelRecord One = R;
  for (const Access &A : R.Bytes.Accesses) {
    Instruction &Of = All[{unsigned(arrayOf(K, A.Base)), A.Kind, A.Where.Line}];
    Of.Compiled = std::max(Of.Compiled, A.How);
    One.Bytes.Accesses = {A};
    Launch Single = Made;
    Single.Kernel = &One;
    for (const BlockAccess &B : evaluate(Single, Memory.Known).Accesses) {
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

std::optional<Finding> Comparison::run(bool FirstLaunch) {
  prepare();
  for (uint64_t B = 0; B < Blocks.size() && !Found; ++B) {
    Dim3 Block = blockOf(B, L.Grid);
    compiled(Blocks[B], Block, FirstLaunch && B == Blocks.size() / 2);
    launched(Blocks[B], Block);
  }
  if (FirstLaunch && !Found)
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
                               const LaunchCase &L, Tally &T,
                               bool FirstLaunch) {
  ++T.Launches;
  std::vector<BlockTruth> Blocks;
  const Outcome Ran = interpret(K, L, Blocks);
  if (Ran == Outcome::Done)
    return Comparison(K, R, L, Blocks, T).run(FirstLaunch);
  ++(Ran == Outcome::Undefined ? T.Undefined : T.TooLong);
  return std::nullopt;
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
    if (A.How != Exactness::Unknown && arrayOf(K, A.Base) == -1)
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
