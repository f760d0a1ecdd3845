// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SymbolOrder.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace blockmaestro {

namespace {

/// Calls Do on every polynomial of the accesses.
template <typename Function> void forEachOfAccesses(Footprint &F, Function Do) {
  for (Access &A : F.Accesses) {
    Do(A.Offset);
    for (Constraint &C : A.Domain)
      Do(C.Value);
    for (Assumption &S : A.Assumptions)
      Do(S.Value);
  }
}

/// Calls Do on every polynomial that what S stands for is made of.
template <typename Function>
void forEachOfSymbol(Footprint &F, const Symbol &S, Function Do) {
  if (S.Kind == SymbolKind::Counter && S.Index < F.CounterExtents.size()) {
    Do(F.CounterExtents[S.Index]);
  } else if (S.Kind == SymbolKind::Quotient) {
    Do(F.Quotients[S.Index].Numerator);
    Do(F.Quotients[S.Index].Denominator);
  } else if (S.Kind == SymbolKind::Power) {
    Do(F.Powers[S.Index]);
  } else if (S.Kind == SymbolKind::Value) {
    Do(F.Values[S.Index].Low);
    Do(F.Values[S.Index].High);
  }
}

auto orderOf(const Symbol &S) {
  return std::tuple(S.Kind, S.Index, S.Offset, S.Dimension, S.Bytes, S.Signed);
}

/// The symbols of the accesses, and those that these are made of.
std::set<uint16_t> usedSymbols(Footprint &F) {
  std::set<uint16_t> Used;
  std::vector<uint16_t> Work;
  auto Add = [&](Polynomial &P) {
    for (const Monomial &M : P.Terms)
      for (uint16_t Factor : M.Factors)
        if (Used.insert(Factor).second)
          Work.push_back(Factor);
  };
  forEachOfAccesses(F, Add);
  while (!Work.empty()) {
    Symbol S = F.Symbols[Work.back()];
    Work.pop_back();
    forEachOfSymbol(F, S, Add);
  }
  return Used;
}

/// Keeps those of List whose symbols of kind Kind are in Used, and numbers the
/// symbols anew. The order stays: each uses earlier ones only.
template <typename T>
void keepUsed(Footprint &F, SymbolKind Kind, const std::set<uint16_t> &Used,
              std::vector<T> &List) {
  std::map<uint16_t, uint16_t> Places;
  for (uint16_t Symbol : Used)
    if (F.Symbols[Symbol].Kind == Kind)
      Places[F.Symbols[Symbol].Index] = Symbol;
  std::vector<T> Kept;
  for (auto [Place, Symbol] : Places) {
    F.Symbols[Symbol].Index = static_cast<uint16_t>(Kept.size());
    Kept.push_back(std::move(List[Place]));
  }
  List = std::move(Kept);
}

/// The symbols in Used in their final order; elsewhere, where each went.
std::map<uint16_t, uint16_t> arrange(Footprint &F,
                                     const std::set<uint16_t> &Used) {
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
  return Position;
}

void rename(Polynomial &P, const std::map<uint16_t, uint16_t> &Position) {
  for (Monomial &M : P.Terms) {
    for (uint16_t &Factor : M.Factors)
      Factor = Position.at(Factor);
    std::sort(M.Factors.begin(), M.Factors.end());
  }
  std::sort(P.Terms.begin(), P.Terms.end(),
            [](const Monomial &A, const Monomial &B) {
              return A.Factors < B.Factors;
            });
}

} // namespace

void orderSymbols(Footprint &F) {
  std::set<uint16_t> Used = usedSymbols(F);
  keepUsed(F, SymbolKind::Counter, Used, F.CounterExtents);
  keepUsed(F, SymbolKind::Quotient, Used, F.Quotients);
  keepUsed(F, SymbolKind::Power, Used, F.Powers);
  keepUsed(F, SymbolKind::Value, Used, F.Values);
  std::map<uint16_t, uint16_t> Position = arrange(F, Used);
  auto Rename = [&](Polynomial &P) { rename(P, Position); };
  forEachOfAccesses(F, Rename);
  for (const Symbol &S : std::vector(F.Symbols))
    forEachOfSymbol(F, S, Rename);
}

} // namespace blockmaestro
