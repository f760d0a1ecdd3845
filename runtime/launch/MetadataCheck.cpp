// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MetadataCheck.h"

#include <algorithm>
#include <initializer_list>

namespace blockmaestro {
namespace {

/// Offset and Bytes lie inside the kernel's parameter Number.
bool insideParameter(const KernelRecord &K, size_t Number, uint64_t Offset,
                     uint64_t Bytes) {
  return Number < K.Parameters.size() &&
         Offset + Bytes <= K.Parameters[Number].Bytes;
}

bool validParameter(const KernelRecord &K, const Parameter &P) {
  return P.Alignment != 0 && (P.Alignment & (P.Alignment - 1)) == 0 &&
         uint64_t(P.Offset) + P.Bytes <= K.ArgumentBytes;
}

bool validSymbol(const KernelRecord &K, const Symbol &S) {
  bool KnownWidth =
      S.Bytes == 1 || S.Bytes == 2 || S.Bytes == 4 || S.Bytes == 8;
  switch (S.Kind) {
  case SymbolKind::Argument:
    return KnownWidth && insideParameter(K, S.Index, S.Offset, S.Bytes);
  case SymbolKind::Counter:
    return S.Index < K.Bytes.CounterExtents.size();
  case SymbolKind::Quotient:
    return S.Index < K.Bytes.Quotients.size();
  case SymbolKind::Power:
    return S.Index < K.Bytes.Powers.size();
  case SymbolKind::Value:
    return S.Index < K.Bytes.Values.size();
  default:
    return S.Dimension < 3;
  }
}

bool validPolynomial(const Footprint &F, const Polynomial &P) {
  return std::all_of(P.Terms.begin(), P.Terms.end(), [&](const Monomial &Term) {
    return std::all_of(
        Term.Factors.begin(), Term.Factors.end(),
        [&](uint16_t Factor) { return Factor < F.Symbols.size(); });
  });
}

/// The definitions of a footprint's symbols: the extents, quotients, powers
/// and values, numbered through, each with those it uses.
class Definitions {
public:
  explicit Definitions(const Footprint &F);
  /// Whether some definition uses itself, through others or not. Takes out
  /// those that no other uses until none is left.
  bool circular() const;

private:
  void define(std::initializer_list<const Polynomial *> By);
  static constexpr size_t None = ~size_t(0);

  std::vector<size_t> OfSymbol; ///< None for indices, sizes and arguments.
  std::vector<std::vector<size_t>> Uses;
};

Definitions::Definitions(const Footprint &F) {
  const size_t FirstQuotient = F.CounterExtents.size();
  const size_t FirstPower = FirstQuotient + F.Quotients.size();
  const size_t FirstValue = FirstPower + F.Powers.size();
  for (const Symbol &S : F.Symbols)
    OfSymbol.push_back(S.Kind == SymbolKind::Counter ? S.Index
                       : S.Kind == SymbolKind::Quotient
                           ? FirstQuotient + S.Index
                       : S.Kind == SymbolKind::Power ? FirstPower + S.Index
                       : S.Kind == SymbolKind::Value ? FirstValue + S.Index
                                                     : None);
  for (const Polynomial &Extent : F.CounterExtents)
    define({&Extent});
  for (const Quotient &Q : F.Quotients)
    define({&Q.Numerator, &Q.Denominator});
  for (const Polynomial &Exponent : F.Powers)
    define({&Exponent});
  for (const ValueRange &Range : F.Values)
    define({&Range.Low, &Range.High});
}

void Definitions::define(std::initializer_list<const Polynomial *> By) {
  Uses.emplace_back();
  for (const Polynomial *P : By)
    for (const Monomial &Term : P->Terms)
      for (uint16_t Factor : Term.Factors)
        if (OfSymbol[Factor] != None)
          Uses.back().push_back(OfSymbol[Factor]);
}

bool Definitions::circular() const {
  std::vector<size_t> Users(Uses.size()), Unused;
  for (const std::vector<size_t> &Each : Uses)
    for (size_t Used : Each)
      ++Users[Used];
  for (size_t I = 0; I < Users.size(); ++I)
    if (Users[I] == 0)
      Unused.push_back(I);
  for (size_t Next = 0; Next < Unused.size(); ++Next)
    for (size_t Used : Uses[Unused[Next]])
      if (--Users[Used] == 0)
        Unused.push_back(Used);
  return Unused.size() != Uses.size();
}

bool validRoot(const KernelRecord &K, const Access &A) {
  constexpr unsigned PointerBytes = 8;
  switch (A.Base.Kind) {
  case RootKind::Argument:
    return insideParameter(K, A.Base.Argument, A.Base.Offset, PointerBytes);
  case RootKind::Global:
    return !A.Base.Global.empty();
  case RootKind::None:
    return A.How == Exactness::Unknown;
  }
  return false;
}

/// Places of constraints, each once.
bool validPlaces(const std::vector<uint16_t> &Places, const Access &A) {
  return std::is_sorted(Places.begin(), Places.end(), std::less_equal<>()) &&
         (Places.empty() || Places.back() < A.Domain.size());
}

bool validAccess(const KernelRecord &K, const Access &A) {
  const Footprint &F = K.Bytes;
  const bool Explained = A.How == Exactness::Exact || !A.Reason.empty();
  return Explained && validRoot(K, A) && validPolynomial(F, A.Offset) &&
         std::all_of(A.Domain.begin(), A.Domain.end(),
                     [&](const Constraint &C) {
                       return validPolynomial(F, C.Value);
                     }) &&
         std::all_of(A.Assumptions.begin(), A.Assumptions.end(),
                     [&](const Assumption &S) {
                       return S.Bits >= 1 && S.Bits <= 64 &&
                              validPlaces(S.Under, A) &&
                              validPolynomial(F, S.Value);
                     });
}

template <typename T, typename Check>
bool all(const std::vector<T> &Values, Check Valid) {
  return std::all_of(Values.begin(), Values.end(), Valid);
}

std::string findInconsistency(const KernelRecord &K) {
  const Footprint &F = K.Bytes;
  if (K.Symbol.empty())
    return "a kernel has no symbol";
  if (!all(K.Parameters,
           [&](const Parameter &P) { return validParameter(K, P); }))
    return "a parameter of " + K.Symbol + " is outside its arguments";
  if (!all(F.Symbols, [&](const Symbol &S) { return validSymbol(K, S); }))
    return "a symbol of " + K.Symbol + " names nothing";
  if (!all(F.CounterExtents,
           [&](const Polynomial &P) { return validPolynomial(F, P); }))
    return "a loop of " + K.Symbol + " uses a symbol that is not there";
  if (!all(F.Quotients,
           [&](const Quotient &Q) {
             return validPolynomial(F, Q.Numerator) &&
                    validPolynomial(F, Q.Denominator);
           }) ||
      !all(F.Powers,
           [&](const Polynomial &P) { return validPolynomial(F, P); }) ||
      !all(F.Values, [&](const ValueRange &R) {
        return validPolynomial(F, R.Low) && validPolynomial(F, R.High);
      }))
    return "a quotient, power or value of " + K.Symbol +
           " uses a symbol that is not there";
  if (Definitions(F).circular())
    return "the symbols of " + K.Symbol + " are computed from each other";
  if (K.Features >= 1u << FeatureCount)
    return K.Symbol + " has features that do not exist";
  const auto &[X, Y, Z] = K.Cluster;
  if ((X != 0) != (Y != 0) || (X != 0) != (Z != 0))
    return K.Symbol + " has a cluster without an extent";
  if (!all(F.Accesses, [&](const Access &A) { return validAccess(K, A); }))
    return "an access of " + K.Symbol + " uses what is not there";
  return {};
}

} // namespace

std::string findInconsistency(const ModuleRecord &Record) {
  for (const KernelRecord &K : Record.Kernels)
    if (std::string Error = findInconsistency(K); !Error.empty())
      return Error;
  return {};
}

} // namespace blockmaestro
