// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SymbolOrder.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace blockmaestro {

namespace {

/// Calls Do on every polynomial of F that is in use; an extent is in use when
/// Used says so.
template <typename Function> void forEachPolynomial(Footprint &F, Function Do) {
  for (Access &A : F.Accesses) {
    Do(A.Offset);
    for (Constraint &C : A.Domain)
      Do(C.Value);
    for (Assumption &S : A.Assumptions)
      Do(S.Value);
  }
  for (Polynomial &P : F.CounterExtents)
    Do(P);
}

auto orderOf(const Symbol &S) {
  return std::tuple(S.Kind, S.Index, S.Offset, S.Dimension, S.Bytes, S.Signed);
}

std::set<uint16_t> usedSymbols(Footprint &F) {
  std::set<uint16_t> Used;
  forEachPolynomial(F, [&](Polynomial &P) {
    for (const Monomial &M : P.Terms)
      Used.insert(M.Factors.begin(), M.Factors.end());
  });
  return Used;
}

/// Drops extents of counters no access mentions, and numbers the rest anew. An
/// extent mentions counters of outer loops only, which come first.
void dropUnusedCounters(Footprint &F) {
  std::vector<bool> Used(F.CounterExtents.size(), false);
  auto Mark = [&](const Polynomial &P) {
    for (const Monomial &M : P.Terms)
      for (uint16_t Factor : M.Factors)
        if (F.Symbols[Factor].Kind == SymbolKind::Counter)
          Used[F.Symbols[Factor].Index] = true;
  };
  std::vector<Polynomial> Extents = std::move(F.CounterExtents);
  F.CounterExtents.clear();
  forEachPolynomial(F, Mark);
  for (size_t I = Extents.size(); I-- > 0;)
    if (Used[I])
      Mark(Extents[I]);
  std::map<uint16_t, uint16_t> Number;
  for (size_t I = 0; I < Extents.size(); ++I)
    if (Used[I]) {
      Number[static_cast<uint16_t>(I)] =
          static_cast<uint16_t>(F.CounterExtents.size());
      F.CounterExtents.push_back(std::move(Extents[I]));
    }
  for (Symbol &S : F.Symbols)
    if (S.Kind == SymbolKind::Counter && Number.count(S.Index))
      S.Index = Number[S.Index];
}

} // namespace

void orderSymbols(Footprint &F) {
  dropUnusedCounters(F);
  std::set<uint16_t> Used = usedSymbols(F);
  std::vector<uint16_t> Order(Used.begin(), Used.end());
  std::sort(Order.begin(), Order.end(), [&](uint16_t A, uint16_t B) {
    return orderOf(F.Symbols[A]) < orderOf(F.Symbols[B]);
  });
  std::map<uint16_t, uint16_t> Position;
  std::vector<Symbol> Symbols;
  for (uint16_t Old : Order) {
    Position[Old] = static_cast<uint16_t>(Symbols.size());
    Symbols.push_back(F.Symbols[Old]);
  }
  F.Symbols = std::move(Symbols);
  forEachPolynomial(F, [&](Polynomial &P) {
    for (Monomial &M : P.Terms) {
      for (uint16_t &Factor : M.Factors)
        Factor = Position.at(Factor);
      std::sort(M.Factors.begin(), M.Factors.end());
    }
    std::sort(P.Terms.begin(), P.Terms.end(),
              [](const Monomial &A, const Monomial &B) {
                return A.Factors < B.Factors;
              });
  });
}

} // namespace blockmaestro
