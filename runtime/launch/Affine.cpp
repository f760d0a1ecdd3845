// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Affine.h"

#include <algorithm>

namespace blockmaestro {

WideInterval rangeOf(const Affine &Value, const IndexBox &Box) {
  WideInterval Sum{Value.Constant, Value.Constant};
  for (unsigned I = 0; I < Box.Count; ++I) {
    if (Value.Of[I] == 0)
      continue;
    Wide Coefficient = Value.Of[I];
    bool Up = Coefficient >= 0;
    Sum.Low += Coefficient * (Up ? Box[I].Low : Box[I].High);
    Sum.High += Coefficient * (Up ? Box[I].High : Box[I].Low);
  }
  return Sum;
}

static bool addProduct(int64_t &To, int64_t A, int64_t B) {
  int64_t Product = 0;
  return !__builtin_mul_overflow(A, B, &Product) &&
         !__builtin_add_overflow(To, Product, &To);
}

bool addScaled(Affine &To, int64_t Scale, const Affine &From) {
  bool Fits = addProduct(To.Constant, Scale, From.Constant);
  for (unsigned I = 0; I < MaxIndices; ++I)
    Fits &= From.Of[I] == 0 || addProduct(To.Of[I], Scale, From.Of[I]);
  return Fits;
}

Affine negated(const Affine &Value) {
  Affine Out;
  Out.Constant = -Value.Constant;
  for (unsigned I = 0; I < MaxIndices; ++I)
    Out.Of[I] = -Value.Of[I];
  return Out;
}

bool usableFromZero(const Affine &Value, const IndexBox &Box) {
  WideInterval Sum{Value.Constant, Value.Constant};
  for (unsigned I = 0; I < Box.Count; ++I) {
    if (Value.Of[I] == 0)
      continue;
    const Wide First = Wide(Value.Of[I]) * std::min<int64_t>(Box[I].Low, 0);
    const Wide Last = Wide(Value.Of[I]) * std::max<int64_t>(Box[I].High, 0);
    Sum.Low += std::min(First, Last);
    Sum.High += std::max(First, Last);
  }
  return Sum.usable();
}

} // namespace blockmaestro
