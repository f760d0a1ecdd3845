// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClauseWidths.h"

#include "KernelModel.h"
#include "Polynomials.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace blockmaestro {
namespace {

enum DependFlag : uint8_t { DependIn = 1, DependOut = 2, DependInOut = 3 };

bool sameSymbol(const Symbol &A, const Symbol &B) {
  return A.Kind == B.Kind && A.Index == B.Index && A.Offset == B.Offset &&
         A.Bytes == B.Bytes && A.Signed == B.Signed;
}

/// P of From in the symbols of To, which gets what it lacks; nothing where P
/// has others than numbers of the record.
std::optional<Polynomial> translated(Polynomial P, const Footprint &From,
                                     Footprint &To) {
  for (Monomial &Term : P.Terms) {
    for (uint16_t &Factor : Term.Factors) {
      const Symbol &Of = From.Symbols[Factor];
      if (Of.Kind != SymbolKind::Argument)
        return std::nullopt;
      auto Known = find_if(
          To.Symbols, [&](const Symbol &Each) { return sameSymbol(Each, Of); });
      Factor = uint16_t(Known - To.Symbols.begin());
      if (Known == To.Symbols.end())
        To.Symbols.push_back(Of);
    }
    sort(Term.Factors);
  }
  sort(P.Terms, [](const Monomial &A, const Monomial &B) {
    return A.Factors < B.Factors;
  });
  return P;
}

/// The least or the largest of P over the iterations of loops, if it has no
/// other symbols at points: each loop stands alone in a term with a number.
CheckedPolynomial extremeOf(const Footprint &F, const Polynomial &P,
                            bool Largest) {
  CheckedPolynomial Out = 0;
  for (const Monomial &Term : P.Terms) {
    const bool Moves = mentions(Polynomial{{Term}}, F, AtPoints);
    if (!Moves) {
      Out += Polynomial{{Term}};
      continue;
    }
    if (Term.Factors.size() != 1 ||
        F.Symbols[Term.Factors[0]].Kind != SymbolKind::Counter)
      return NoPolynomial();
    if (Term.Coefficient > 0 != Largest)
      continue; // The first iteration.
    const Polynomial &Extent =
        F.CounterExtents[F.Symbols[Term.Factors[0]].Index];
    if (mentions(Extent, F, AtPoints))
      return NoPolynomial();
    Out += CheckedPolynomial(Term.Coefficient) *
           (CheckedPolynomial(Extent) - CheckedPolynomial(1));
  }
  return Out;
}

/// A number above 0.
std::optional<int64_t> positive(const CheckedPolynomial &P) {
  if (!P || P->Terms.size() != 1 || !P->Terms[0].Factors.empty() ||
      P->Terms[0].Coefficient <= 0)
    return std::nullopt;
  return P->Terms[0].Coefficient;
}

/// Whether the integers are those that the program computes, as far as it may
/// assume so itself.
bool isAsComputed(const Access &Of) {
  return all_of(Of.Assumptions,
                [](const Assumption &Each) { return Each.Signed; });
}

class Comparison {
public:
  Comparison(const Footprint &Task, const Footprint &Ends)
      : Ends(Ends), Both(Task) {}

  /// The first and the last byte of the clause are known.
  bool begin() {
    if (Ends.Accesses.size() != 2)
      return false;
    for (const Access &Each : Ends.Accesses) {
      if (Each.How != Exactness::Exact || !Each.Domain.empty())
        return false;
      std::optional<Polynomial> Where = translated(Each.Offset, Ends, Both);
      if (!Where)
        return false;
      (writes(Each.Kind) ? Last : First) = *Where;
      InRange &= isAsComputed(Each);
    }
    return sameRoot(Ends.Accesses[0].Base, Ends.Accesses[1].Base);
  }
  const Root &root() const { return Ends.Accesses[0].Base; }

  void meet(const Access &Of) {
    InRange &= isAsComputed(Of) &&
               (Of.How == Exactness::Exact || Of.How == Exactness::Bounded);
    if (!InRange)
      return;
    const CheckedPolynomial Least = extremeOf(Both, Of.Offset, false);
    const CheckedPolynomial Most =
        extremeOf(Both, Of.Offset, true) +
        CheckedPolynomial(int64_t(Of.ElementBytes) - 1);
    narrow(Before, positive(Least - CheckedPolynomial(First)));
    narrow(Behind, positive(CheckedPolynomial(Last) - Most));
  }

  /// "its first 4 bytes and its last 8 bytes"
  std::string unmet() const {
    std::string Out;
    if (!InRange)
      return Out;
    if (Before && *Before)
      Out = "its first " + std::to_string(*Before) + " bytes";
    if (Behind && *Behind)
      Out += (Out.empty() ? "its last " : " and its last ") +
             std::to_string(*Behind) + " bytes";
    return Out;
  }

private:
  /// No number counts as 0.
  static void narrow(std::optional<int64_t> &To, std::optional<int64_t> By) {
    To = std::min(To.value_or(INT64_MAX), By.value_or(0));
  }

  const Footprint &Ends;
  Footprint Both; ///< The task's, with symbols of the clause.
  Polynomial First, Last;
  bool InRange = true;
  std::optional<int64_t> Before, Behind; ///< Bytes that no access meets.
};

/// Whether all accesses are by pointers that are known.
bool isFollowed(const Footprint &Of) {
  return none_of(Of.Accesses, [](const Access &Each) {
    return Each.How == Exactness::Unknown || Each.Base.Kind == RootKind::None;
  });
}

/// Whether the clause names a variable whose value goes with the record.
bool isCopied(const Root &Of, const KindLayout &Kind) {
  return any_of(Kind.Copies, [&](const CopiedVariable &Each) {
    return Each.Bytes && Of.Offset == Kind.SharedsOffset + Each.Field;
  });
}

} // namespace

std::string unneededOf(const Footprint &Task, const KindLayout &Kind,
                       const Footprint &Ends, uint8_t Flags) {
  Comparison Of(Task, Ends);
  if (!isFollowed(Task) || !Of.begin() || isCopied(Of.root(), Kind))
    return "";
  bool Touches = false, Writes = false;
  for (const Access &Each : Task.Accesses)
    if (sameRoot(Each.Base, Of.root())) {
      Touches = true;
      Writes |= writes(Each.Kind);
      Of.meet(Each);
    }
  if (!Touches)
    return "touches nothing by this pointer";
  std::string Out = Of.unmet();
  if (!Out.empty())
    Out = "does not touch " + Out + " by this pointer";
  if (!Writes && (Flags == DependOut || Flags == DependInOut))
    Out += (Out.empty() ? "" : ", and ") +
           std::string("only reads what it touches by this pointer");
  return Out;
}

} // namespace blockmaestro
