// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluate.h"

#include "AccessDomain.h"
#include "Leaving.h"
#include "Membership.h"
#include "Parts.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace blockmaestro {

/// The parts of one access, and about those of all accesses of a launch.
static constexpr size_t MostPartsOfOne = 16;
static constexpr size_t MostParts = 64;

static constexpr const char *CrowdedReason =
    "several small allocations begin right behind its pointer";

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

/// Finds where the access may be and the address the offset counts from. Null
/// when it worked, else why not.
static const char *findRoot(const Launch &L, const Access &A,
                            const AllocationMap &Known, Neighbourhood &Where,
                            uint64_t &Address) {
  if (A.Base.Kind == RootKind::Global) {
    Where.Inside = Known.findGlobal(A.Base.Global);
    if (!Where.Inside)
      return "the address of the device global is not known";
    Address = Where.Inside->Base;
    return nullptr;
  }
  if (A.Base.Kind != RootKind::Argument || !readPointer(L, A.Base, Address))
    return "where its pointer comes from is not known";
  Where = Known.around(Address);
  return Where.first() ? nullptr
                       : "its pointer is in no allocation the runtime knows";
}

/// Offsets from a null pointer that may not be the address of something else.
static constexpr int64_t NullReach = int64_t(1) << 31;

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
static const char *closeRange(const Launch &L, const SymbolValues &N,
                              const Polynomial &Value, WideInterval &Out) {
  IndexSpace S(L.Kernel->Bytes, N, L);
  S.add(Value);
  Affine Sum;
  if (const char *Why = S.substitute(Value, Sum))
    return Why;
  Out = rangeOf(Sum, S.box());
  return nullptr;
}

/// Whether What holds at the points that meet the constraints it is under,
/// taken as a box. Range bounds it everywhere.
static bool holdsUnder(const Launch &L, const Access &A, const SymbolValues &N,
                       const Assumption &What, WideInterval Range) {
  Access There;
  There.Offset = What.Value;
  for (uint16_t Place : What.Under)
    There.Domain.push_back(A.Domain[Place]);
  const AccessDomain S(L, N, There);
  Affine Sum;
  if (S.empty())
    return true;
  if (S.indices().substitute(What.Value, Sum))
    return false;
  const WideInterval Close = rangeOf(Sum, S.box());
  Range.Low = std::max(Range.Low, Close.Low);
  Range.High = std::min(Range.High, Close.High);
  return fits(Range, What);
}

/// Why the access may be anywhere in its allocation, whatever its guards say.
static const char *checkSymbols(const Access &A, const SymbolValues &N,
                                SymbolUse &Use) {
  if (N.ordinary())
    return nullptr;
  N.addUse(A.Offset, Use);
  for (const Constraint &C : A.Domain)
    N.addUse(C.Value, Use);
  SymbolUse Assumed = Use;
  for (const Assumption &What : A.Assumptions)
    N.addUse(What.Value, Assumed);
  return Assumed.Invalid ? "it divides by less than 1 or shifts by too much "
                           "with the numbers of this launch"
                         : nullptr;
}

/// The offset as bytes from the allocation's base. Null when it worked.
static const char *findOffset(const Access &A, const AccessDomain &S,
                              int64_t Start, Affine &Out) {
  if (const char *Why = S.indices().substitute(A.Offset, Out))
    return Why;
  if (!usableFromZero(Out, S.box()) || Start > LargestValue ||
      __builtin_add_overflow(Out.Constant, Start, &Out.Constant))
    return "its offset leaves 64 bits with the numbers of this launch";
  return nullptr;
}

/// The addresses from the lowest to the highest byte of Parts, which have
/// coordinates, and whether exact ones leave their allocation. Clears Placed
/// where one has no coordinates.
struct PartsHull {
  PartsHull(std::span<const BlockAccess> Parts, Dim3 Grid);

  bool isWithin(const Allocation &Where) const {
    return Low >= Wide(Where.Base) && High < Wide(Where.Base) + Where.Bytes;
  }
  bool meets(const Allocation &Where) const {
    return High >= Wide(Where.Base) && Low < Wide(Where.Base) + Where.Bytes;
  }

  Wide Low = Wide(1) << 100;
  Wide High = -(Wide(1) << 100);
  bool Placed = true;
  bool ExactOutside = false;
};

PartsHull::PartsHull(std::span<const BlockAccess> Parts, Dim3 Grid) {
  for (const BlockAccess &Part : Parts) {
    if (Part.How != Reach::Coordinates) {
      Placed = false;
      continue;
    }
    const WideInterval Own = hullOf(Part, Grid);
    Low = std::min(Low, Wide(Part.Where.Base) + Own.Low);
    High = std::max(High, Wide(Part.Where.Base) + Own.High);
    ExactOutside |=
        Part.Exact && (Own.Low < 0 || Own.High >= Wide(Part.Where.Bytes));
  }
}

/// Of the parts from number First on, in Where: exact ones that have nothing in
/// it are in another allocation, those that have more in several.
static void keepWithin(const Allocation &Where, Dim3 Grid, size_t First,
                       std::vector<BlockAccess> &Out) {
  std::vector<BlockAccess> Kept;
  for (BlockAccess &Part : std::span(Out).subspan(First)) {
    const PartsHull Own(std::span(&Part, 1), Grid);
    if (Part.Exact && !Own.meets(Where))
      continue;
    if (Part.Exact && !Own.isWithin(Where))
      notExact(Part, "it is in several allocations");
    Kept.push_back(std::move(Part));
  }
  Out.resize(First);
  std::move(Kept.begin(), Kept.end(), std::back_inserter(Out));
}

namespace {

/// The accesses of one launch, one after the other.
class Evaluator {
public:
  Evaluator(const Launch &L, const SymbolValues &N, const AllocationMap &Known)
      : L(L), N(N), Known(Known) {}

  /// Appends the access, in parts; nothing when no block makes it. Form as in
  /// follow().
  void add(const Access &A, std::vector<BlockAccess> &Out,
           std::optional<AccessForm> &Form);
  /// Whether what was added last is not just in the allocation that its pointer
  /// is in.
  bool displaced() const { return Displaced; }
  /// Whether what was added last has more than is known of the access.
  bool lossy() const { return Lossy; }

private:
  const char *check(const Access &A, const Assumption &What);
  bool hasHeld(const Assumption &What, size_t Guess) const;
  const char *checkAssumptions(const Access &A);
  std::string whyWidened(const Access &A, SymbolUse &Use);
  void addRanges(const Neighbourhood &Where, const BlockAccess &One,
                 const std::string &Why, std::vector<BlockAccess> &Out);
  const AccessDomain &scopeOf(const Access &A);
  bool happensNever(const Access &A);
  bool isRanged(const Access &A) const;
  bool isWithinKnown(const Access &A) const;
  bool touchesNothing(const Access &A, BlockAccess One);
  void follow(const Access &A, const Allocation &Where, BlockAccess One,
              std::vector<BlockAccess> &Out, std::optional<AccessForm> &Form);
  void place(const Access &A, const Neighbourhood &Where, BlockAccess One,
             std::vector<BlockAccess> &Out, std::optional<AccessForm> &Form);
  void placeAgain(const Access &A, const Neighbourhood &Where,
                  const PartsHull &Hull, const BlockAccess &One, size_t Before,
                  std::vector<BlockAccess> &Out);

  const Launch &L;
  const SymbolValues &N;
  const AllocationMap &Known;
  uint64_t Address = 0; ///< Of the pointer of the access at hand.
  bool Displaced = false;
  bool Lossy = false;
  std::vector<const Assumption *> Held; ///< Everywhere in the launch.
  std::optional<AccessDomain> Last;
};

} // namespace

/// Whether What holds over all threads, blocks and iterations; where that is
/// too much, over those that meet the guards it is under, which do not rest on
/// it. Null when it does, else why the access is widened: where a value is in
/// the way, why there is one says more than that it may wrap.
const char *Evaluator::check(const Access &A, const Assumption &What) {
  WideInterval Range, Close;
  if (const char *Why = N.range(What.Value, Range))
    return Why;
  bool Holds = fits(Range, What);
  if (!Holds && !closeRange(L, N, What.Value, Close)) {
    Range.Low = std::max(Range.Low, Close.Low);
    Range.High = std::min(Range.High, Close.High);
    Holds = fits(Range, What);
  }
  if (Holds) {
    Held.push_back(&What);
    return nullptr;
  }
  if (!What.Under.empty() && holdsUnder(L, A, N, What, Range))
    return nullptr;
  SymbolUse Of;
  N.addUse(What.Value, Of);
  if (Of.Ranged && !A.Reason.empty())
    return A.Reason.c_str();
  return "its index arithmetic may wrap around with the numbers of this launch";
}

/// Whether What has held before, perhaps as number Guess of Held.
bool Evaluator::hasHeld(const Assumption &What, size_t Guess) const {
  if (Guess < Held.size() && same(*Held[Guess], What))
    return true;
  return std::any_of(Held.begin(), Held.end(),
                     [&](const Assumption *Each) { return same(*Each, What); });
}

/// Null where the assumptions hold, else why the access is widened.
const char *Evaluator::checkAssumptions(const Access &A) {
  for (size_t I = 0; I < A.Assumptions.size(); ++I) {
    const Assumption &What = A.Assumptions[I];
    if (hasHeld(What, I))
      continue;
    if (const char *Why = check(A, What))
      return Why;
  }
  return nullptr;
}

/// Why all that can be said of the access is its root; empty when there is
/// more. Use is what its symbols are.
std::string Evaluator::whyWidened(const Access &A, SymbolUse &Use) {
  if (A.How == Exactness::Allocation)
    return A.Reason;
  if (A.ElementBytes == 0)
    return "how many bytes it touches is not known";
  const char *Why = checkSymbols(A, N, Use);
  if (!Why)
    Why = checkAssumptions(A);
  return Why ? Why : "";
}

const AccessDomain &Evaluator::scopeOf(const Access &A) {
  if (!Last || !Last->serves(A))
    Last.emplace(L, N, A);
  return *Last;
}

/// Whether no block makes the access at this launch: then its root may be no
/// pointer at all, like a number beside the pointers of a structure.
bool Evaluator::happensNever(const Access &A) {
  SymbolUse Use;
  return whyWidened(A, Use).empty() && (Use.Never || scopeOf(A).empty());
}

/// Whether the access, whose pointer is null, is none: C++ lets nothing be
/// reached from there. Where its offsets are known and as large as an address,
/// the program may mean one.
bool Evaluator::touchesNothing(const Access &A, BlockAccess One) {
  SymbolUse Use;
  if (A.How == Exactness::Allocation || !whyWidened(A, Use).empty() ||
      Use.Never)
    return true;
  One.How = Reach::Coordinates;
  std::vector<BlockAccess> Parts;
  std::optional<AccessForm> Unused;
  follow(A, {0, uint64_t(NullReach)}, One, Parts, Unused);
  const PartsHull Hull(Parts, L.Grid);
  return Parts.empty() || !Hull.Placed ||
         (Hull.Low >= -NullReach && Hull.High < NullReach);
}

/// Whether all that is not exact about the access is a condition that was left
/// out.
bool Evaluator::isWithinKnown(const Access &A) const {
  SymbolUse Use;
  checkSymbols(A, N, Use);
  return A.How == Exactness::Bounded && !Use.Ranged;
}

/// The access in coordinates of the allocation Where; One is what is known so
/// far. Where only coordinates are not exact, Form is the access over its
/// indices, or what that is within.
void Evaluator::follow(const Access &A, const Allocation &Where,
                       BlockAccess One, std::vector<BlockAccess> &Out,
                       std::optional<AccessForm> &Form) {
  const AccessDomain &S = scopeOf(A);
  const int64_t Start = int64_t(Address - Where.Base);
  One.Where = Where;
  if (S.empty())
    return;
  Affine Offset;
  if (const char *Why = findOffset(A, S, Start, Offset)) {
    setBlocks(S.box(), One);
    Out.push_back(widen(std::move(One), Reach::Range, Why));
    return;
  }
  const char *Grown = S.indices().grown();
  const bool Within = !One.Exact && isWithinKnown(A);
  const std::string Why = One.Reason;
  One.Exact |= Within;
  const bool Whole = One.Exact && !S.dropped() && !Grown;
  for (const char *Lost : {S.dropped(), Grown})
    if (Lost)
      notExact(One, Lost);
  const size_t Most = MostParts / L.Kernel->Bytes.Accesses.size();
  const size_t Before = Out.size();
  makeParts({S.indices(), Offset, A.ElementBytes, One,
             std::clamp<size_t>(Most, 1, MostPartsOfOne)},
            S.guards(), S.box(), Out);
  if (Whole && std::any_of(Out.begin() + std::ptrdiff_t(Before), Out.end(),
                           [](const BlockAccess &Part) { return !Part.Exact; }))
    Form = {Offset, A.ElementBytes, S.guards(), S.box(), !Within};
  Lossy = std::any_of(Out.begin() + std::ptrdiff_t(Before), Out.end(),
                      [](const BlockAccess &Part) { return !Part.Exact; });
  for (BlockAccess &Part :
       std::span(Out).subspan(Within ? Before : Out.size())) {
    Part.Exact = false;
    Part.Reason = Why;
  }
}

/// Anywhere in each allocation that the pointer may point into.
void Evaluator::addRanges(const Neighbourhood &Where, const BlockAccess &One,
                          const std::string &Why,
                          std::vector<BlockAccess> &Out) {
  if (!Where.Inside)
    return Out.push_back(
        widen(One, Reach::Everything,
              "its pointer is in no allocation the runtime knows"));
  if (Where.Crowded)
    return Out.push_back(widen(One, Reach::Everything, CrowdedReason));
  Displaced |= Where.Ending || Where.Behind;
  for (const Allocation *Each : {Where.Inside, Where.Ending, Where.Behind})
    if (Each) {
      Out.push_back(widen(One, Reach::Range, Why));
      Out.back().Where = *Each;
    }
}

/// Whether where the access is depends on a number of which only the range is
/// known.
bool Evaluator::isRanged(const Access &A) const {
  SymbolUse Use;
  N.addUse(A.Offset, Use);
  return Use.Ranged;
}

/// The access, whose bytes lie within Hull and not all in Where.first(), in
/// each of the neighbourhood that it may be in; all of it in one when that has
/// all. Where it is in none, its blocks that leave may touch anything; but
/// nothing where only numbers from memory say that, for no correct program has
/// such. Replaces what there is behind the first Before of Out.
void Evaluator::placeAgain(const Access &A, const Neighbourhood &Where,
                           const PartsHull &Hull, const BlockAccess &One,
                           size_t Before, std::vector<BlockAccess> &Out) {
  std::vector<const Allocation *> Met;
  for (const Allocation *Each : {Where.Inside, Where.Ending, Where.Behind})
    if (Each && Hull.meets(*Each))
      Met.push_back(Each);
  const bool Nowhere = Met.empty() && Where.Inside && !Hull.ExactOutside;
  if (Hull.ExactOutside || !Where.Inside)
    std::erase_if(
        Met, [&](const Allocation *Each) { return !Hull.isWithin(*Each); });
  if (Met.size() == 1 && Met[0] == Where.Inside)
    return;
  Displaced = true;
  const std::vector<BlockAccess> Parts(Out.begin() + std::ptrdiff_t(Before),
                                       Out.end());
  Out.resize(Before);
  if (Where.Crowded && !Hull.ExactOutside)
    return Out.push_back(widen(One, Reach::Everything, CrowdedReason));
  std::optional<AccessForm> Unused;
  for (const Allocation *Each : Met) {
    const size_t First = Out.size();
    follow(A, *Each, One, Out, Unused);
    keepWithin(*Each, L.Grid, First, Out);
  }
  if (Met.empty() && !(Nowhere && isRanged(A)))
    for (const BlockAccess &Part : Parts)
      splitLeaving(Part, L.Grid, Out);
}

/// Everything after the root is known and the assumptions hold.
void Evaluator::place(const Access &A, const Neighbourhood &Where,
                      BlockAccess One, std::vector<BlockAccess> &Out,
                      std::optional<AccessForm> &Form) {
  const size_t Before = Out.size();
  follow(A, *Where.first(), One, Out, Form);
  const std::span<const BlockAccess> Parts = std::span(Out).subspan(Before);
  if (Parts.empty())
    return;
  const PartsHull Hull(Parts, L.Grid);
  if (!Hull.Placed) {
    if (Parts.size() == 1)
      One = Parts.front();
    const std::string Why = Parts.front().Reason;
    Out.resize(Before);
    return addRanges(Where, One, Why, Out);
  }
  if (!Hull.isWithin(*Where.first()))
    placeAgain(A, Where, Hull, One, Before, Out);
}

void Evaluator::add(const Access &A, std::vector<BlockAccess> &Out,
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
  Neighbourhood Where;
  Displaced = false;
  Lossy = true;
  if (const char *Why = findRoot(L, A, Known, Where, Address)) {
    const bool Null = A.Base.Kind == RootKind::Argument &&
                      readPointer(L, A.Base, Address) && Address == 0;
    if (Null ? !touchesNothing(A, One) : !happensNever(A))
      Out.push_back(widen(std::move(One), Reach::Everything, Why));
    return;
  }
  SymbolUse Use;
  bool Whole = A.How == Exactness::Allocation;
  std::string Why = whyWidened(A, Use);
  if (Whole || !Why.empty())
    return addRanges(Where, One, Why, Out);
  if (Use.Never)
    return;
  One.How = Reach::Coordinates;
  One.Exact = A.How == Exactness::Exact;
  One.Reason = A.Reason;
  if (Use.Ranged)
    notExact(One, "it depends on a number of which only the range is known");
  place(A, Where, std::move(One), Out, Form);
}

/// Whether what the parts of one access lost, if Lossy, may be found again
/// block by block.
static bool narrows(const Access &A, const SymbolValues &N,
                    std::span<const BlockAccess> Parts, bool Lossy) {
  auto Loses = [](const BlockAccess &Part) {
    return !Part.Exact && Part.How != Reach::Everything;
  };
  const bool Bounded = A.How == Exactness::Bounded;
  if ((A.How != Exactness::Exact && !(Bounded && Lossy)) ||
      std::none_of(Parts.begin(), Parts.end(), Loses))
    return false;
  SymbolUse Use;
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
    Neighbourhood Where;
    uint64_t Address = 0;
    if (!findRoot(L, A, Known, Where, Address))
      Key += std::to_string(Address - Where.first()->Base) + ' ';
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
  SymbolValues N(L);
  const std::vector<Access> &Accesses = L.Kernel->Bytes.Accesses;
  All.Accesses.reserve(Accesses.size());
  LaunchInputs Narrowing;
  Evaluator Each(L, N, Known);
  for (size_t I = 0; I < Accesses.size(); ++I) {
    const size_t Before = All.Accesses.size();
    std::optional<AccessForm> Form;
    Each.add(Accesses[I], All.Accesses, Form);
    const std::span<BlockAccess> Parts =
        std::span(All.Accesses).subspan(Before);
    if (Each.displaced() || !narrows(Accesses[I], N, Parts, Each.lossy()))
      continue;
    mark(Parts, Narrowing.Which.size());
    Narrowing.Which.push_back(uint32_t(I));
    Narrowing.Forms.push_back(std::move(Form));
  }
  if (!Narrowing.Which.empty())
    All.Inputs = keepInputs(L, Known, All, std::move(Narrowing));
  return All;
}

bool evaluateBlock(const LaunchInputs &From, Dim3 Block,
                   std::vector<BlockAccess> &Out) {
  bool Any = false;
  const SymbolValues N(From.What, oneBlock(Block));
  Evaluator Each(From.What, N, From.Known);
  for (size_t I = 0; I < From.Which.size(); ++I) {
    if (From.Forms[I])
      continue;
    const size_t Before = Out.size();
    std::optional<AccessForm> Unused;
    Each.add(From.What.Kernel->Bytes.Accesses[From.Which[I]], Out, Unused);
    mark(std::span(Out).subspan(Before), I);
    Any |= Out.size() > Before && !Each.lossy();
  }
  return Any;
}

} // namespace blockmaestro
