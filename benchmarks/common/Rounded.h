// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a number as a reference computes it, together with how far the
// same computation in T, rounded after every operation, may stray from it. A
// reference written with Rounded<float> instead of float gives its own
// tolerance. Contracting a product and a sum into one operation only rounds
// less, so the bound holds with and without it. Where a device adds in another
// order than the reference, say so by sum().
// Threads: values, no shared state.

#ifndef BLOCKMAESTRO_BENCHMARKS_ROUNDED_H
#define BLOCKMAESTRO_BENCHMARKS_ROUNDED_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cuda_fp16.h>
#include <vector>

namespace bench {

/// What a type rounds to: half the distance of neighbours relative to their
/// value, the least positive normal number (below it results may be flushed to
/// zero), and the type in which references compute.
template <typename T> struct Rounding;
template <> struct Rounding<float> {
  using Wide = double;
  static constexpr double Unit = 0x1p-24, Least = 0x1p-126;
};
template <> struct Rounding<double> {
  using Wide = long double;
  static constexpr double Unit = 0x1p-53, Least = 0x1p-1022;
};
template <> struct Rounding<__half> {
  using Wide = double;
  static constexpr double Unit = 0x1p-11, Least = 0x1p-14;
};

/// A number as a built-in type, which __half alone is not.
template <typename T> T builtIn(T X) { return X; }
inline float builtIn(__half X) { return __half2float(X); }

template <typename T> class Rounded {
public:
  using Wide = typename Rounding<T>::Wide;

  Rounded() = default;
  /// A number that T holds exactly.
  Rounded(T Exact) : Value(builtIn(Exact)) {}
  /// A number known up to \p Error.
  static Rounded within(Wide Value, Wide Error) {
    Rounded Result;
    Result.Value = Value;
    Result.Error = Error;
    return Result;
  }
  /// The nearest T to a number known up to \p Error, after \p Roundings of half
  /// a unit each.
  static Rounded nearest(Wide Value, Wide Error, Wide Roundings = 1) {
    // The units of Wide itself are covered by the 1 + 2^-10.
    Wide Size = std::fabs(Value) + Error;
    return within(Value,
                  Error + Roundings * (1 + Wide(0x1p-10)) *
                              (Rounding<T>::Unit * Size + Rounding<T>::Least));
  }

  Wide value() const { return Value; }
  Wide error() const { return Error; }

  friend Rounded operator-(const Rounded &A) {
    return within(-A.Value, A.Error);
  }
  friend Rounded operator+(const Rounded &A, const Rounded &B) {
    return nearest(A.Value + B.Value, A.Error + B.Error);
  }
  friend Rounded operator-(const Rounded &A, const Rounded &B) {
    return nearest(A.Value - B.Value, A.Error + B.Error);
  }
  friend Rounded operator*(const Rounded &A, const Rounded &B) {
    return nearest(A.Value * B.Value, std::fabs(A.Value) * B.Error +
                                          std::fabs(B.Value) * A.Error +
                                          A.Error * B.Error);
  }
  friend Rounded operator/(const Rounded &A, const Rounded &B) {
    Wide Quotient = A.Value / B.Value;
    return nearest(Quotient, (A.Error + std::fabs(Quotient) * B.Error) /
                                 (std::fabs(B.Value) - B.Error));
  }
  Rounded &operator+=(const Rounded &B) { return *this = *this + B; }
  Rounded &operator-=(const Rounded &B) { return *this = *this - B; }
  Rounded &operator*=(const Rounded &B) { return *this = *this * B; }
  Rounded &operator/=(const Rounded &B) { return *this = *this / B; }

private:
  Wide Value = 0;
  Wide Error = 0;
};

/// A function whose slope around \p X is at most \p Slope and which the device
/// gives within \p Ulps units in the last place.
template <typename T, typename F>
Rounded<T> apply(const Rounded<T> &X, F Function,
                 typename Rounding<T>::Wide Slope, double Ulps) {
  return Rounded<T>::nearest(Function(X.value()), Slope * X.error(), 2 * Ulps);
}

/// sqrt() of the device is rounded to the nearest.
template <typename T> Rounded<T> sqrt(const Rounded<T> &X) {
  using Wide = typename Rounding<T>::Wide;
  Wide Root = std::sqrt(X.value());
  Wide Low = std::sqrt(std::max(Wide(0), X.value() - X.error()));
  return Rounded<T>::nearest(Root,
                             X.error() == 0 ? 0 : X.error() / (Root + Low));
}

/// exp() of the device is within \p Ulps units (CUDA's tables: 2 for float, 1
/// for double).
template <typename T> Rounded<T> exp(const Rounded<T> &X, double Ulps = 2) {
  using Wide = typename Rounding<T>::Wide;
  return apply<T>(
      X, [](Wide V) { return std::exp(V); }, std::exp(X.value() + X.error()),
      Ulps);
}

template <typename T> Rounded<T> max(const Rounded<T> &A, const Rounded<T> &B) {
  return Rounded<T>::within(std::max(A.value(), B.value()),
                            std::max(A.error(), B.error()));
}
template <typename T> Rounded<T> min(const Rounded<T> &A, const Rounded<T> &B) {
  return -max(-A, -B);
}
template <typename T> Rounded<T> abs(const Rounded<T> &A) {
  return Rounded<T>::within(std::fabs(A.value()), A.error());
}

/// One step of an iteration whose exact form enlarges no error by more than
/// \p Norm (of a linear step: the greatest sum of the sizes of its
/// coefficients). Carrying errors through every operation would forget that
/// they cancel; here every step adds only what its own roundings may, to Norm
/// times the worst error before it.
template <typename T, typename F>
std::vector<Rounded<T>> stable(const std::vector<Rounded<T>> &From, double Norm,
                               F Step) {
  using Wide = typename Rounding<T>::Wide;
  std::vector<Rounded<T>> Exact;
  Wide Worst = 0;
  for (const Rounded<T> &Each : From) {
    Exact.push_back(Rounded<T>::within(Each.value(), 0));
    Worst = std::max(Worst, Each.error());
  }
  std::vector<Rounded<T>> To = Step(Exact);
  for (Rounded<T> &Each : To)
    Each = Rounded<T>::within(Each.value(), Each.error() + Norm * Worst);
  return To;
}

/// How much \p Operations roundings in a row may change a number of size 1.
template <typename T> double gamma(double Operations) {
  double Grown = Operations * Rounding<T>::Unit * (1 + 0x1p-10);
  return Grown / (1 - Grown);
}

/// The sum of what is added here, whatever the order in which a device adds.
template <typename T> class Sum {
public:
  using Wide = typename Rounding<T>::Wide;

  void add(const Rounded<T> &X) {
    Value += X.value();
    Error += X.error();
    Size += std::fabs(X.value()) + X.error();
    ++Count;
  }
  /// With a product of each two numbers rounded before it is added.
  void addProduct(T A, T B) { add(Rounded<T>(A) * Rounded<T>(B)); }

  Rounded<T> total() const {
    return Rounded<T>::within(Value, Error + gamma<T>(Count) * Size +
                                         Count * Rounding<T>::Least);
  }

private:
  Wide Value = 0, Error = 0, Size = 0;
  size_t Count = 0;
};

} // namespace bench

#endif
