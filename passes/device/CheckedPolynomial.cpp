// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckedPolynomial.h"

#include <algorithm>
#include <iterator>

namespace blockmaestro {

namespace {

constexpr size_t MaxTerms = 4096;
constexpr size_t MaxFactors = 32;

bool lessFactors(const Monomial &A, const Monomial &B) {
  return A.Factors < B.Factors;
}

/// Sorts, joins equal factors, drops zeros.
CheckedPolynomial normalised(std::vector<Monomial> Terms) {
  std::sort(Terms.begin(), Terms.end(), lessFactors);
  Polynomial Sum;
  for (Monomial &M : Terms) {
    if (Sum.Terms.empty() || Sum.Terms.back().Factors != M.Factors)
      Sum.Terms.push_back(std::move(M));
    else if (__builtin_add_overflow(Sum.Terms.back().Coefficient, M.Coefficient,
                                    &Sum.Terms.back().Coefficient))
      return NoPolynomial();
  }
  std::erase_if(Sum.Terms,
                [](const Monomial &M) { return M.Coefficient == 0; });
  if (Sum.Terms.size() > MaxTerms)
    return NoPolynomial();
  return Sum;
}

} // namespace

Polynomial constantPolynomial(int64_t Value) {
  Polynomial P;
  if (Value != 0)
    P.Terms.push_back({Value, {}});
  return P;
}

Polynomial symbolPolynomial(uint16_t Symbol) {
  Polynomial P;
  P.Terms.push_back({1, {Symbol}});
  return P;
}

CheckedPolynomial &CheckedPolynomial::operator+=(CheckedPolynomial B) {
  if (!Value || !B)
    return *this = NoPolynomial();
  std::vector<Monomial> Terms = std::move(Value->Terms);
  std::move(B.Value->Terms.begin(), B.Value->Terms.end(),
            std::back_inserter(Terms));
  return *this = normalised(std::move(Terms));
}

CheckedPolynomial &CheckedPolynomial::operator-=(CheckedPolynomial B) {
  if (B)
    for (Monomial &M : B.Value->Terms)
      if (__builtin_sub_overflow(0, M.Coefficient, &M.Coefficient))
        return *this = NoPolynomial();
  return *this += std::move(B);
}

CheckedPolynomial &CheckedPolynomial::operator*=(const CheckedPolynomial &B) {
  if (!Value || !B || Value->Terms.size() * B->Terms.size() > MaxTerms)
    return *this = NoPolynomial();
  std::vector<Monomial> Terms;
  for (const Monomial &X : Value->Terms)
    for (const Monomial &Y : B->Terms) {
      Monomial &M = Terms.emplace_back();
      if (__builtin_mul_overflow(X.Coefficient, Y.Coefficient,
                                 &M.Coefficient) ||
          X.Factors.size() + Y.Factors.size() > MaxFactors)
        return *this = NoPolynomial();
      std::merge(X.Factors.begin(), X.Factors.end(), Y.Factors.begin(),
                 Y.Factors.end(), std::back_inserter(M.Factors));
    }
  return *this = normalised(std::move(Terms));
}

CheckedPolynomial operator+(CheckedPolynomial A, CheckedPolynomial B) {
  return std::move(A += std::move(B));
}

CheckedPolynomial operator-(CheckedPolynomial A, CheckedPolynomial B) {
  return std::move(A -= std::move(B));
}

CheckedPolynomial operator-(CheckedPolynomial P) { return 0 - std::move(P); }

CheckedPolynomial operator*(CheckedPolynomial A, const CheckedPolynomial &B) {
  return std::move(A *= B);
}

} // namespace blockmaestro
