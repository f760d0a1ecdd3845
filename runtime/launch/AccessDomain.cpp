// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessDomain.h"

#include "Narrow.h"

#include <algorithm>

namespace blockmaestro {

/// Of a few numbers, for which a call would cost more than comparing them.
static bool same(const std::vector<uint16_t> &A,
                 const std::vector<uint16_t> &B) {
  if (A.size() != B.size())
    return false;
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I] != B[I])
      return false;
  return true;
}

bool same(const Polynomial &A, const Polynomial &B) {
  if (A.Terms.size() != B.Terms.size())
    return false;
  for (size_t I = 0; I < A.Terms.size(); ++I)
    if (A.Terms[I].Coefficient != B.Terms[I].Coefficient ||
        !same(A.Terms[I].Factors, B.Terms[I].Factors))
      return false;
  return true;
}

bool same(const Constraint &A, const Constraint &B) {
  return A.Equality == B.Equality && same(A.Value, B.Value);
}

bool same(const Assumption &A, const Assumption &B) {
  return A.Bits == B.Bits && A.Signed == B.Signed && same(A.Value, B.Value);
}

AccessDomain::AccessDomain(const Launch &At, const SymbolValues &Of,
                           const Access &What)
    : What(What), Indices(At.Kernel->Bytes, Of, At) {
  Indices.add(What.Offset);
  for (const Constraint &C : What.Domain)
    Indices.add(C.Value);
  instantiate();
  Box = Indices.box();
  Empty = !narrow(Conditions, Box);
}

bool AccessDomain::serves(const Access &Other) const {
  return Indices.servesToo(Other.Offset) && same(What.Domain, Other.Domain);
}

/// Makes Value >= 0 a guard. False when that leaves 64 bits.
bool AccessDomain::use(const Affine &Value) {
  if (!usableFromZero(Value, Indices.box()))
    return false;
  Conditions.push_back(Value);
  return true;
}

/// Puts numbers into the guards.
void AccessDomain::instantiate() {
  Conditions.reserve(2 * What.Domain.size() + Indices.bounds().size());
  for (const Constraint &C : What.Domain) {
    Affine Value;
    const char *Why = Indices.substitute(C.Value, Value);
    if (!Why && !use(Value))
      Why = "a condition around it leaves 64 bits";
    if (Why)
      Dropped = Why;
    else if (C.Equality)
      Conditions.push_back(negated(Value));
  }
  for (const Affine &Bound : Indices.bounds())
    if (!use(Bound))
      Dropped = reasons::Overflows;
}

} // namespace blockmaestro
