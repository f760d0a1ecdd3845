// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a polynomial of the contract's that is computed: its normal form,
// or the state that there is none, as after an overflow.
// On the data's way: used by the device analysis only.
// Invariants: what is computed from no polynomial is none. It is read only
// after a test. Ownership: a plain value. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CHECKEDPOLYNOMIAL_H
#define BLOCKMAESTRO_PASSES_DEVICE_CHECKEDPOLYNOMIAL_H

#include "blockmaestro/Footprint.h"

#include <cassert>
#include <optional>
#include <utility>

namespace blockmaestro {

Polynomial constantPolynomial(int64_t Value);
Polynomial symbolPolynomial(uint16_t Symbol);

/// The failed state of a CheckedPolynomial: a coefficient left 64 bits, a limit
/// is reached, or the number is not one that a polynomial gives.
struct NoPolynomial {};

class [[nodiscard]] CheckedPolynomial {
public:
  CheckedPolynomial(Polynomial P) : Value(std::move(P)) {}
  CheckedPolynomial(int64_t Constant) : Value(constantPolynomial(Constant)) {}
  CheckedPolynomial(NoPolynomial /*Failed*/) {}

  explicit operator bool() const { return Value.has_value(); }
  const Polynomial &operator*() const & {
    assert(Value && "there is no polynomial");
    return *Value;
  }
  Polynomial &&operator*() && {
    assert(Value && "there is no polynomial");
    return *std::move(Value);
  }
  const Polynomial *operator->() const { return &**this; }

  /// Puts the polynomial into To; false, and To stays, where there is none.
  bool moveTo(Polynomial &To) && {
    if (Value)
      To = *std::move(Value);
    return Value.has_value();
  }

  CheckedPolynomial &operator+=(CheckedPolynomial B);
  CheckedPolynomial &operator-=(CheckedPolynomial B);
  CheckedPolynomial &operator*=(const CheckedPolynomial &B);

private:
  std::optional<Polynomial> Value;
};

/// None when a coefficient leaves 64 bits, or the result has more than 4096
/// terms or products of more than 32 factors.
CheckedPolynomial operator+(CheckedPolynomial A, CheckedPolynomial B);
CheckedPolynomial operator-(CheckedPolynomial A, CheckedPolynomial B);
CheckedPolynomial operator-(CheckedPolynomial P);
CheckedPolynomial operator*(CheckedPolynomial A, const CheckedPolynomial &B);

} // namespace blockmaestro

#endif
