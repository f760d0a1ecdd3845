// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DomainSimplifier.h"

#include "Polynomials.h"

#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>
#include <map>
#include <set>

// Note [Relax]
// A product such as blockIdx.x*blockDim.x is not affine, so every distinct
// product becomes a dimension of its own, and isl does not know that it is a
// product. Its set is therefore larger than the true one: it has every true
// point and others besides. What holds for all points of the larger set holds
// for the true points, so a constraint that is implied there is implied here,
// and a set that is empty there is empty here. So is what is equal there: "x <
// min(a, b)" comes as "a <= b and x < a" or "a > b and x < b", and is x < a and
// x < b, which each alternative implies and which no other point meets. Nothing
// else is concluded.

namespace blockmaestro {

namespace {

constexpr unsigned long MaxOperations = 200000;

using Factors = std::vector<uint16_t>;

/// A linear space with products as dimensions, and what is known about them.
class Products {
public:
  explicit Products(const Footprint &F) : F(F) {}
  void addDimensions(const Polynomial &P) {
    for (const Monomial &M : P.Terms)
      if (!M.Factors.empty() &&
          Dimensions.try_emplace(M.Factors, Dimensions.size()).second)
        Occurring.insert(M.Factors.begin(), M.Factors.end());
  }
  isl_basic_set *universe(isl_ctx *Context) const {
    return isl_basic_set_universe(isl_space_set_alloc(
        Context, 0, static_cast<unsigned>(Dimensions.size())));
  }
  isl_basic_set *constrain(isl_basic_set *Set, const Constraint &C) const;
  /// Where C, an inequality, does not hold.
  isl_basic_set *exclude(isl_basic_set *Set, const Constraint &C) const;
  isl_basic_set *constrain(isl_basic_set *Set,
                           const std::vector<Constraint> &All) const {
    for (const Constraint &C : All)
      Set = constrain(Set, C);
    return Set;
  }

  void addSigns();
  /// { [products] : what is known and All }
  isl_basic_set *where(isl_ctx *Context,
                       const std::vector<Constraint> &All) const {
    return constrain(constrain(universe(Context), Known), All);
  }

protected:
  isl_constraint *rowOf(isl_basic_set *Set, const Constraint &C) const;
  void require(const Polynomial &P) {
    addDimensions(P);
    Known.push_back({P, false});
  }
  /// Small <= Large, unless their difference is no polynomial.
  void requireOrder(const Polynomial &Small, const Polynomial &Large) {
    if (const CheckedPolynomial Room = Large - Small)
      require(*Room);
  }

  const Footprint &F;
  std::map<Factors, size_t> Dimensions;
  std::set<uint16_t> Occurring; ///< In a dimension.
  std::vector<Constraint> Known;
};

/// The linear space of one access: its products as dimensions, and what is
/// known about them before any guard.
class Relaxation : Products {
public:
  /// A counter that only constraint Without of Domain mentions need not run.
  Relaxation(const std::vector<Constraint> &Domain, const Polynomial &Offset,
             const Footprint &F, Iterations Loops, size_t Without = SIZE_MAX)
      : Products(F) {
    addDimensions(Offset);
    addRunning(Offset);
    for (size_t I = 0; I < Domain.size(); ++I) {
      addDimensions(Domain[I].Value);
      if (I != Without)
        addRunning(Domain[I].Value);
    }
    addComputed();
    if (Loops == Iterations::Applied)
      addCounters();
    addThreads();
    addSigns();
  }

  /// { [products] : context and Domain without Left, and not Left }, where
  /// Left is an index into Domain, or none to keep all.
  isl_basic_set *build(isl_ctx *Context, const std::vector<Constraint> &Domain,
                       size_t Left) const;

private:
  void addRunning(const Polynomial &P) {
    for (const Monomial &M : P.Terms)
      Running.insert(M.Factors.begin(), M.Factors.end());
  }
  bool has(const Factors &Product) const { return Dimensions.count(Product); }
  void addComputed();
  void addCounters();
  void addThreads();

  std::set<uint16_t> Running; ///< Symbols that the points certainly have.
};

/// P - 1; P itself, which says less of what is not negative, where that is no
/// polynomial.
Polynomial oneLess(Polynomial P) {
  (P - 1).moveTo(P);
  return P;
}

/// counter < extent for every counter that runs and whose number of iterations
/// is one for the launch.
void Relaxation::addCounters() {
  std::map<size_t, uint16_t> Counters;
  for (uint16_t S : Running)
    if (F.Symbols[S].Kind == SymbolKind::Counter &&
        F.Symbols[S].Index < F.CounterExtents.size())
      Counters[F.Symbols[S].Index] = S;
  for (auto It = Counters.rbegin(); It != Counters.rend(); ++It) {
    const Polynomial &Extent = F.CounterExtents[It->first];
    if (mentions(Extent, F, AtPoints))
      continue;
    if (const CheckedPolynomial Room = Extent - symbolPolynomial(It->second))
      require(oneLess(*Room));
  }
}

/// 0 <= numerator - denominator * quotient < denominator, and the ranges of
/// values. Later ones may use earlier ones.
void Relaxation::addComputed() {
  for (size_t I = F.Symbols.size(); I-- > 0;) {
    const Symbol &S = F.Symbols[I];
    Polynomial Self = symbolPolynomial(static_cast<uint16_t>(I));
    if (!Occurring.count(static_cast<uint16_t>(I)))
      continue;
    if (S.Kind == SymbolKind::Quotient) {
      const Quotient &Q = F.Quotients[S.Index];
      const CheckedPolynomial Rest = Q.Numerator - Q.Denominator * Self;
      const CheckedPolynomial Room = Q.Denominator - Rest;
      if (!Room)
        continue;
      require(*Rest);
      require(oneLess(*Room));
    } else if (S.Kind == SymbolKind::Value) {
      requireOrder(F.Values[S.Index].Low, Self);
      requireOrder(Self, F.Values[S.Index].High);
    }
  }
}

/// threadIdx < blockDim and blockIdx < gridDim where the left side occurs.
void Relaxation::addThreads() {
  for (uint16_t Low : std::set(Occurring)) {
    const Symbol &Inside = F.Symbols[Low];
    const bool Thread = Inside.Kind == SymbolKind::ThreadIdx;
    if ((!Thread && Inside.Kind != SymbolKind::BlockIdx) || !has({Low}))
      continue;
    const SymbolKind Kind = Thread ? SymbolKind::BlockDim : SymbolKind::GridDim;
    auto Size =
        std::find_if(F.Symbols.begin(), F.Symbols.end(), [&](const Symbol &S) {
          return S.Kind == Kind && S.Dimension == Inside.Dimension;
        });
    if (Size == F.Symbols.end())
      continue;
    const auto High = static_cast<uint16_t>(Size - F.Symbols.begin());
    if (const CheckedPolynomial Room =
            symbolPolynomial(High) - symbolPolynomial(Low))
      require(oneLess(*Room));
  }
}

/// The range each product can have in any launch.
void Products::addSigns() {
  for (const auto &[Product, Position] : std::map(Dimensions)) {
    Polynomial P;
    P.Terms.push_back({1, Product});
    const Range R = rangeOf(P, F);
    if (R.Known && R.Low >= INT64_MIN)
      requireOrder(constantPolynomial(static_cast<int64_t>(R.Low)), P);
    else if (provablyNonNegative(P, F))
      require(P);
    if (R.Known && R.High <= INT64_MAX)
      requireOrder(P, constantPolynomial(static_cast<int64_t>(R.High)));
  }
}

isl_basic_set *Products::constrain(isl_basic_set *Set,
                                   const Constraint &C) const {
  return isl_basic_set_add_constraint(Set, rowOf(Set, C));
}

isl_basic_set *Products::exclude(isl_basic_set *Set,
                                 const Constraint &C) const {
  return isl_basic_set_add_constraint(Set,
                                      isl_constraint_negate(rowOf(Set, C)));
}

isl_constraint *Products::rowOf(isl_basic_set *Set, const Constraint &C) const {
  isl_local_space *Space =
      isl_local_space_from_space(isl_basic_set_get_space(Set));
  isl_ctx *Context = isl_basic_set_get_ctx(Set);
  isl_constraint *Row = C.Equality ? isl_constraint_alloc_equality(Space)
                                   : isl_constraint_alloc_inequality(Space);
  for (const Monomial &M : C.Value.Terms) {
    isl_val *Value = isl_val_int_from_si(Context, M.Coefficient);
    Row = M.Factors.empty()
              ? isl_constraint_set_constant_val(Row, Value)
              : isl_constraint_set_coefficient_val(
                    Row, isl_dim_set,
                    static_cast<int>(Dimensions.at(M.Factors)), Value);
  }
  return Row;
}

isl_basic_set *Relaxation::build(isl_ctx *Context,
                                 const std::vector<Constraint> &Domain,
                                 size_t Left) const {
  isl_basic_set *Set = constrain(universe(Context), Known);
  for (size_t I = 0; I < Domain.size(); ++I)
    Set = I == Left ? exclude(Set, Domain[I]) : constrain(Set, Domain[I]);
  return Set;
}

} // namespace

DomainSimplifier::DomainSimplifier() : Context(isl_ctx_alloc()) {
  isl_options_set_on_error(Context, ISL_ON_ERROR_CONTINUE);
}

DomainSimplifier::~DomainSimplifier() { isl_ctx_free(Context); }

/// False when isl gave up. Takes Set.
bool DomainSimplifier::provenEmpty(isl_basic_set *Set) {
  const auto Rows = static_cast<uint64_t>(isl_basic_set_n_constraint(Set));
  const auto Columns =
      static_cast<uint64_t>(isl_basic_set_dim(Set, isl_dim_set)) + 1;
  isl_ctx_reset_operations(Context);
  isl_ctx_set_max_operations(Context, MaxOperations);
  bool Empty = Effort.spend(Rows * Columns) &&
               isl_basic_set_is_empty(Set) == isl_bool_true;
  isl_ctx_set_max_operations(Context, 0);
  isl_basic_set_free(Set);
  return Empty;
}

bool DomainSimplifier::provenEmpty(isl_set *Set) {
  isl_ctx_reset_operations(Context);
  isl_ctx_set_max_operations(Context, MaxOperations);
  bool Empty = isl_set_is_empty(Set) == isl_bool_true;
  isl_ctx_set_max_operations(Context, 0);
  isl_set_free(Set);
  return Empty;
}

/// See Note [Relax].
std::optional<std::vector<Constraint>>
DomainSimplifier::merged(const std::vector<std::vector<Constraint>> &Any,
                         const Footprint &F) {
  if (Effort.isSpent())
    return std::nullopt;
  Products Space(F);
  std::vector<Constraint> Common;
  for (const std::vector<Constraint> &All : Any)
    for (const Constraint &C : All) {
      if (C.Equality)
        return std::nullopt;
      Space.addDimensions(C.Value);
    }
  Space.addSigns();
  for (const std::vector<Constraint> &All : Any)
    for (const Constraint &C : All) {
      auto Implies = [&](const std::vector<Constraint> &Other) {
        return provenEmpty(Space.exclude(Space.where(Context, Other), C));
      };
      if (std::none_of(Common.begin(), Common.end(),
                       [&](const Constraint &D) { return equal(C, D); }) &&
          std::all_of(Any.begin(), Any.end(), Implies))
        Common.push_back(C);
    }
  isl_ctx_reset_operations(Context);
  isl_ctx_set_max_operations(Context, MaxOperations);
  isl_set *Left = isl_set_from_basic_set(Space.where(Context, Common));
  for (const std::vector<Constraint> &All : Any)
    Left = isl_set_subtract(Left,
                            isl_set_from_basic_set(Space.where(Context, All)));
  if (!provenEmpty(Left))
    return std::nullopt;
  return Common;
}

/// Domain as numbers.
static std::vector<int64_t> keyOf(const std::vector<Constraint> &Domain) {
  std::vector<int64_t> Key;
  for (const Constraint &C : Domain) {
    Key.push_back(C.Equality);
    Key.push_back(static_cast<int64_t>(C.Value.Terms.size()));
    for (const Monomial &M : C.Value.Terms) {
      Key.push_back(M.Coefficient);
      Key.push_back(static_cast<int64_t>(M.Factors.size()));
      Key.insert(Key.end(), M.Factors.begin(), M.Factors.end());
    }
  }
  return Key;
}

/// The counters in Offset, as a sum.
static Polynomial countersOf(const Polynomial &Offset, const Footprint &F) {
  Polynomial Counters;
  for (uint16_t Symbol : symbolsIn(Offset, F, kindBit(SymbolKind::Counter)))
    Counters.Terms.push_back({1, {Symbol}});
  return Counters;
}

/// Of the offset only the counters matter: where they have a value, their loops
/// run. So do those of the constraints that stay.
bool DomainSimplifier::simplify(Access &A, const Footprint &F,
                                Iterations Loops) {
  if (A.Domain.empty() || Effort.isSpent())
    return true;
  Polynomial Counters = countersOf(A.Offset, F);
  std::vector<int64_t> Key = keyOf(A.Domain);
  Key.push_back(static_cast<int64_t>(Loops));
  for (const Monomial &M : Counters.Terms)
    Key.push_back(M.Factors[0]);
  auto Known = Done.find(Key);
  if (Known == Done.end()) {
    std::optional<std::vector<Constraint>> Domain = A.Domain;
    Relaxation Space(*Domain, Counters, F, Loops);
    if (provenEmpty(Space.build(Context, *Domain, Domain->size())))
      Domain.reset();
    for (size_t I = Domain ? Domain->size() : 0; I-- > 0;)
      if (!(*Domain)[I].Equality &&
          provenEmpty(Relaxation(*Domain, Counters, F, Loops, I)
                          .build(Context, *Domain, I)))
        Domain->erase(Domain->begin() + static_cast<ptrdiff_t>(I));
    Known = Done.emplace(std::move(Key), std::move(Domain)).first;
  }
  if (Known->second)
    A.Domain = *Known->second;
  return Known->second.has_value();
}

bool DomainSimplifier::implies(const Access &A, const Polynomial &Value,
                               const Footprint &F, Iterations Loops) {
  if (Effort.isSpent())
    return false;
  std::vector<Constraint> Domain = A.Domain;
  Domain.push_back({Value, false});
  Relaxation Space(Domain, A.Offset, F, Loops, A.Domain.size());
  return provenEmpty(Space.build(Context, Domain, Domain.size() - 1));
}

} // namespace blockmaestro
