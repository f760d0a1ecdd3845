// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mutants.h"

#include <algorithm>
#include <utility>

namespace blockmaestro::soundness {

namespace {

void addConstant(Polynomial &P, int64_t Value) {
  for (Monomial &M : P.Terms)
    if (M.Factors.empty()) {
      M.Coefficient += Value;
      return;
    }
  P.Terms.insert(P.Terms.begin(), {Value, {}});
}

bool usesSymbol(const Polynomial &P, const Footprint &F, SymbolKind Kind,
                uint16_t &Index) {
  for (const Monomial &M : P.Terms)
    for (uint16_t Id : M.Factors)
      if (F.Symbols[Id].Kind == Kind) {
        Index = F.Symbols[Id].Index;
        return true;
      }
  return false;
}

/// The first symbol of a kind in an access.
bool usesSymbol(const Access &A, const Footprint &F, SymbolKind Kind,
                uint16_t &Index) {
  if (usesSymbol(A.Offset, F, Kind, Index))
    return true;
  return std::any_of(
      A.Domain.begin(), A.Domain.end(),
      [&](const Constraint &C) { return usesSymbol(C.Value, F, Kind, Index); });
}

bool tightenGuard(KernelRecord &R, size_t I) {
  for (Constraint &C : R.Bytes.Accesses[I].Domain)
    if (!C.Equality) {
      addConstant(C.Value, -1);
      return true;
    }
  return false;
}

bool shiftEquality(KernelRecord &R, size_t I) {
  for (Constraint &C : R.Bytes.Accesses[I].Domain)
    if (C.Equality) {
      addConstant(C.Value, 1);
      return true;
    }
  return false;
}

bool dropGuard(KernelRecord &R, size_t I) {
  Access &A = R.Bytes.Accesses[I];
  if (A.How != Exactness::Exact || A.Domain.empty())
    return false;
  A.Domain.pop_back();
  for (Assumption &S : A.Assumptions)
    std::erase(S.Under, A.Domain.size());
  return true;
}

bool turnGuard(KernelRecord &R, size_t I) {
  for (Constraint &C : R.Bytes.Accesses[I].Domain)
    if (!C.Equality) {
      for (Monomial &M : C.Value.Terms)
        M.Coefficient = -M.Coefficient;
      return true;
    }
  return false;
}

bool shiftOffset(KernelRecord &R, size_t I) {
  Access &A = R.Bytes.Accesses[I];
  if (A.How > Exactness::Bounded)
    return false;
  addConstant(A.Offset, A.ElementBytes);
  return true;
}

bool scaleOffset(KernelRecord &R, size_t I) {
  for (Monomial &M : R.Bytes.Accesses[I].Offset.Terms)
    if (!M.Factors.empty()) {
      M.Coefficient *= 2;
      return true;
    }
  return false;
}

bool shortenElement(KernelRecord &R, size_t I) {
  Access &A = R.Bytes.Accesses[I];
  return A.How <= Exactness::Bounded && A.ElementBytes-- > 1;
}

bool shortenExtent(KernelRecord &R, size_t I) {
  uint16_t Counter = 0;
  if (!usesSymbol(R.Bytes.Accesses[I], R.Bytes, SymbolKind::Counter, Counter))
    return false;
  addConstant(R.Bytes.CounterExtents[Counter], -1);
  return true;
}

bool enlargeDivisor(KernelRecord &R, size_t I) {
  uint16_t Quotient = 0;
  if (!usesSymbol(R.Bytes.Accesses[I], R.Bytes, SymbolKind::Quotient, Quotient))
    return false;
  addConstant(R.Bytes.Quotients[Quotient].Denominator, 1);
  return true;
}

/// Powers stand in denominators as well, so any access will do.
bool doublePower(KernelRecord &R, size_t I) {
  if (I != 0 || R.Bytes.Powers.empty())
    return false;
  addConstant(R.Bytes.Powers[0], 1);
  return true;
}

bool shortenValue(KernelRecord &R, size_t I) {
  uint16_t Value = 0;
  if (!usesSymbol(R.Bytes.Accesses[I], R.Bytes, SymbolKind::Value, Value))
    return false;
  addConstant(R.Bytes.Values[Value].High, -1);
  return true;
}

bool raiseValue(KernelRecord &R, size_t I) {
  uint16_t Value = 0;
  if (!usesSymbol(R.Bytes.Accesses[I], R.Bytes, SymbolKind::Value, Value))
    return false;
  addConstant(R.Bytes.Values[Value].Low, 1);
  return true;
}

bool dropAccess(KernelRecord &R, size_t I) {
  R.Bytes.Accesses.erase(R.Bytes.Accesses.begin() + I);
  return true;
}

bool dropAssumptions(KernelRecord &R, size_t I) {
  Access &A = R.Bytes.Accesses[I];
  return !std::exchange(A.Assumptions, {}).empty();
}

bool callExact(KernelRecord &R, size_t I) {
  Access &A = R.Bytes.Accesses[I];
  if (A.How != Exactness::Bounded)
    return false;
  A.How = Exactness::Exact;
  A.Reason.clear();
  return true;
}

bool writeAsRead(KernelRecord &R, size_t I) {
  Access &A = R.Bytes.Accesses[I];
  return std::exchange(A.Kind, AccessKind::Read) == AccessKind::Write;
}

bool otherArray(KernelRecord &R, size_t I) {
  Access &A = R.Bytes.Accesses[I];
  if (A.Base.Kind != RootKind::Argument)
    return false;
  for (uint16_t P = 0; P < R.Parameters.size(); ++P)
    if (R.Parameters[P].Pointer && P != A.Base.Argument) {
      A.Base.Argument = P;
      A.Base.Offset = 0;
      return true;
    }
  return false;
}

} // namespace

const std::vector<Mutant> Mutants = {
    {"a guard tighter by one", tightenGuard},
    {"an equality off by one", shiftEquality},
    {"a guard of an exact access dropped", dropGuard},
    {"a guard turned round", turnGuard},
    {"an offset one element further", shiftOffset},
    {"a stride doubled", scaleOffset},
    {"an element shorter by a byte", shortenElement},
    {"an extent shorter by one", shortenExtent},
    {"a divisor larger by one", enlargeDivisor},
    {"a power doubled", doublePower},
    {"a value's range ending one early", shortenValue},
    {"a value's range starting one late", raiseValue},
    {"an access left out", dropAccess},
    {"assumptions left out", dropAssumptions},
    {"a superset called exact", callExact},
    {"a write called a read", writeAsRead},
    {"another array's pointer", otherArray},
};

} // namespace blockmaestro::soundness
