// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: every step of a decoder block once more on the host, in double,
// with how far a device may stray that reads half, computes in float and
// rounds to half at the end. A product of two halves is exact in float.

#ifndef BLOCKMAESTRO_BENCHMARKS_TRANSFORMER_REFERENCE_H
#define BLOCKMAESTRO_BENCHMARKS_TRANSFORMER_REFERENCE_H

#include "../common/Program.h"

namespace bench {

static constexpr int Threads = 256, Warps = Threads / 32;
static constexpr float Epsilon = 1e-5f, Base = 10000.0f;

using Values = std::vector<float>;
using Singles = std::vector<Rounded<float>>;
using Halves = std::vector<Rounded<__half>>;

/// What the device rounds to half at the end.
inline Rounded<__half> halved(const Rounded<float> &X) {
  return Rounded<__half>::nearest(X.value(), X.error());
}

/// A sum whose products are exact and pass at most \p Depth additions.
inline Rounded<float> exactProducts(double Value, double Size, double Depth) {
  return Rounded<float>::within(Value, gamma<float>(Depth) * Size);
}

/// The additions that a product passes where \p Lanes lanes share \p Count
/// numbers and then add in a tree.
inline double sharedDepth(size_t Count, int Lanes) {
  return double(Count / Lanes + 1) + std::log2(Lanes);
}

/// In over the root of its mean square, times Weight.
inline Halves normalized(const Values &In, const Values &Weight) {
  double Squares = 0;
  for (float Each : In)
    Squares += double(Each) * Each;
  Rounded<float> Total =
      exactProducts(Squares, Squares, sharedDepth(In.size(), Threads));
  Rounded<float> Mean =
      Total / Rounded<float>(float(In.size())) + Rounded<float>(Epsilon);
  double Low = Mean.value() - Mean.error();
  Rounded<float> Scale = apply(
      Mean, [](double V) { return 1 / std::sqrt(V); },
      0.5 * std::pow(Low, -1.5), 2);
  Halves Result;
  for (size_t I = 0; I < In.size(); ++I)
    Result.push_back(
        halved(Rounded<float>(In[I]) * Scale * Rounded<float>(Weight[I])));
  return Result;
}

/// The product of two rows of \p Count; a warp adds it two by two.
inline Rounded<float> dot(size_t Count, const float *A, const float *B) {
  double Value = 0, Size = 0;
  for (size_t I = 0; I < Count; ++I) {
    double Product = double(A[I]) * B[I];
    Value += Product;
    Size += std::fabs(Product);
  }
  return exactProducts(Value, Size, 1 + sharedDepth(Count / 2, 32));
}

/// Every row of \p Rows times \p In.
inline Halves times(const Values &Rows, const Values &In) {
  Halves Result(Rows.size() / In.size());
  parallelFor(Result.size(), [&](size_t Row) {
    Result[Row] = halved(dot(In.size(), &Rows[Row * In.size()], In.data()));
  });
  return Result;
}

/// The pairs (I, I + Dim / 2) of each head turned by an angle that grows with
/// the position and falls with I.
inline Halves rotated(int Dim, int Position, const Values &In) {
  Halves Result(In.size());
  for (size_t Head = 0; Head < In.size(); Head += Dim)
    for (int I = 0; I < Dim / 2; ++I) {
      Rounded<float> Exponent =
          Rounded<float>(-2.0f * I) / Rounded<float>(float(Dim));
      auto Power = [](double V) { return std::pow(double(Base), V); };
      double Slope = 1.001 * std::log(double(Base)) * Power(Exponent.value());
      Rounded<float> Angle =
          Rounded<float>(float(Position)) * apply(Exponent, Power, Slope, 4);
      auto Sin = apply(Angle, [](double V) { return std::sin(V); }, 1, 2);
      auto Cos = apply(Angle, [](double V) { return std::cos(V); }, 1, 2);
      Rounded<float> A(In[Head + I]), B(In[Head + I + Dim / 2]);
      Result[Head + I] = halved(A * Cos - B * Sin);
      Result[Head + I + Dim / 2] = halved(A * Sin + B * Cos);
    }
  return Result;
}

/// How well each head's query fits the keys of every position; \p Sharing
/// heads in a row have the same keys.
inline Singles scored(int Dim, const Values &Query, const Values &Keys,
                      float Scale, int Sharing = 1) {
  size_t Hidden = Query.size(), Width = Hidden / Sharing;
  size_t Length = Keys.size() / Width;
  Singles Result(Hidden / Dim * Length);
  parallelFor(Hidden / Dim, [&](size_t Head) {
    for (size_t At = 0; At < Length; ++At)
      Result[Head * Length + At] =
          dot(Dim, &Query[Head * Dim],
              &Keys[At * Width + Head / Sharing * Dim]) *
          Rounded<float>(Scale);
  });
  return Result;
}

/// Each row of \p Length as shares of 1.
inline Singles shared(size_t Length, const Values &Scores) {
  Singles Result(Scores.size());
  parallelFor(Scores.size() / Length, [&](size_t Row) {
    const float *In = &Scores[Row * Length];
    Rounded<float> Largest(*std::max_element(In, In + Length));
    double Value = 0, Error = 0;
    for (size_t I = 0; I < Length; ++I) {
      Rounded<float> Each = exp(Rounded<float>(In[I]) - Largest);
      Result[Row * Length + I] = Each;
      Value += Each.value();
      Error += Each.error();
    }
    double Rounding = gamma<float>(sharedDepth(Length, Threads));
    auto Total =
        Rounded<float>::within(Value, Error + Rounding * (Value + Error));
    for (size_t I = 0; I < Length; ++I)
      Result[Row * Length + I] /= Total;
  });
  return Result;
}

/// The values of all positions by each head's shares. Four groups of a block
/// share the positions; the products are rounded. \p Sharing heads in a row
/// have the same values.
inline Halves attended(int Dim, const Values &Shares, const Values &Cached,
                       size_t Hidden, int Sharing = 1) {
  size_t Width = Hidden / Sharing, Length = Cached.size() / Width;
  Halves Result(Hidden);
  parallelFor(Hidden / Dim, [&](size_t Head) {
    std::vector<double> Value(Dim), Size(Dim);
    for (size_t At = 0; At < Length; ++At)
      for (int I = 0; I < Dim; ++I) {
        double Product = double(Shares[Head * Length + At]) *
                         Cached[At * Width + Head / Sharing * Dim + I];
        Value[I] += Product;
        Size[I] += std::fabs(Product);
      }
    for (int I = 0; I < Dim; ++I)
      Result[Head * Dim + I] = halved(Rounded<float>::within(
          Value[I], gamma<float>(double(Length / 4 + 1) + 5) * Size[I] +
                        double(Length) * Rounding<float>::Least));
  });
  return Result;
}

inline Halves added(const Values &A, const Values &B) {
  Halves Result;
  for (size_t I = 0; I < A.size(); ++I)
    Result.push_back(halved(Rounded<float>(A[I]) + Rounded<float>(B[I])));
  return Result;
}

/// The first half of \p In through SiLU, times the second.
inline Halves gated(const Values &In) {
  Halves Result;
  for (size_t I = 0; I < In.size() / 2; ++I) {
    Rounded<float> Gate(In[I]);
    Rounded<float> Open = Gate / (Rounded<float>(1.0f) + exp(-Gate));
    Result.push_back(halved(Open * Rounded<float>(In[I + In.size() / 2])));
  }
  return Result;
}

/// The values without their bounds.
template <typename T> Values valuesOf(const std::vector<Rounded<T>> &Of) {
  Values Result;
  for (const Rounded<T> &Each : Of)
    Result.push_back(float(Each.value()));
  return Result;
}

/// Each step against what must hold of it: a norm of 1, rows added backwards,
/// products of turned vectors that only the distance of positions decides,
/// shares that make 1, equal values that stay, a gate at known points.
inline void checkSteps(Program &Run) {
  Random From(Run.seed());
  int Dim = 16;
  Values A = randomVector<float>(From, 64, -1, 1), Ones(64, 1.0f);
  Values B = randomVector<float>(From, 64, -1, 1), Twos(64, 2.0f);
  double Squares = 0, Backwards = 0;
  for (float Each : valuesOf(normalized(A, Ones)))
    Squares += double(Each) * Each / 64;
  Run.expect(std::fabs(Squares - 1) < 1e-3, "a norm is 1");
  for (int I = 63; I >= 0; --I)
    Backwards += double(A[I]) * B[I];
  Run.compare("a product", Singles{dot(64, A.data(), B.data())},
              Singles{Rounded<float>::within(Backwards, 0)});

  auto Turned = [&](int M, int N) {
    return scored(Dim, valuesOf(rotated(Dim, M, A)),
                  valuesOf(rotated(Dim, N, B)), 0.25f);
  };
  Singles Here = Turned(7, 3), There = Turned(1007, 1003);
  for (size_t I = 0; I < Here.size(); ++I)
    Run.expect(std::fabs(Here[I].value() - There[I].value()) < 1e-5,
               "turned by the distance of positions");

  Values Shares = valuesOf(shared(32, A));
  double Total = 0;
  for (float Each : Shares)
    Total += Each;
  Run.expect(std::fabs(Total - 2) < 1e-5, "shares make 1 in each row");
  Run.expect(std::fabs(Shares[0] / Shares[1] - std::exp(A[0] - A[1])) < 1e-4,
             "shares are exponentials");
  Values Quarters(16, 0.25f), Same(64, 2.0f);
  Run.compare("equal values", attended(4, Quarters, Same, 16),
              Halves(16, Rounded<__half>::within(2, 0)));
  Run.compare("a sum", added(Ones, Ones),
              Halves(64, Rounded<__half>::within(2, 0)));
  double Open = 2 / (1 + std::exp(-2.0));
  Run.compare("a gate", gated({0.0f, 2.0f, 3.0f, 3.0f}),
              Halves{Rounded<__half>::within(0, 0),
                     Rounded<__half>::within(3 * Open, 0)});
}

} // namespace bench

#endif
