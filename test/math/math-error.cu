// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures the greatest error of CUDA's mathematical functions on the device
// against a reference in long double, and compares with the published bounds.
//   math-error [samples per function]          only what is above its bound
//   math-error --table [samples per function]  docs/math.md's table
// Exits with 1 when a function is above its bound.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Wide = long double;
constexpr double Most32 = 3.4e38;
constexpr double Most64 = 1.79e308;
constexpr Wide Pi = 3.14159265358979323846264338327950288L;

Wide sinOfPi(Wide X) {
  Wide R = std::remainder(X, 2.0L);
  if (std::fabs(R) > 0.5L)
    R = std::copysign(1.0L, R) - R;
  return R == 0 ? std::copysign(0.0L, X) : sinl(Pi * R);
}

Wide cosOfPi(Wide X) {
  Wide R = std::fabs(std::remainder(X, 2.0L));
  return R <= 0.25L ? cosl(Pi * R) : sinl(Pi * (0.5L - R));
}

/// exp(x^2) erfc(x), by its continued fraction where erfc underflows.
Wide scaledErfc(Wide X) {
  if (X < 25)
    return expl(X * X) * erfcl(X);
  Wide Fraction = X;
  for (int K = 40; K >= 1; --K)
    Fraction = X + K / 2.0L / Fraction;
  return 1 / (Fraction * sqrtl(Pi));
}

/// By bisection, of the function that has no cancellation at the place.
Wide inverseErf(Wide Y) {
  if (std::fabs(Y) < 1e-9L)
    return Y * sqrtl(Pi) / 2;
  Wide Low = -7, High = 7;
  for (int I = 0; I < 100; ++I) {
    Wide Middle = (Low + High) / 2;
    (erfl(Middle) < Y ? Low : High) = Middle;
  }
  return (Low + High) / 2;
}

Wide inverseErfc(Wide Y) {
  if (Y > 0.5L && Y < 1.5L)
    return inverseErf(1 - Y);
  Wide Low = -7, High = 120;
  for (int I = 0; I < 100; ++I) {
    Wide Middle = (Low + High) / 2;
    (erfcl(Middle) > Y ? Low : High) = Middle;
  }
  return (Low + High) / 2;
}

/// The series of the modified Bessel function of order 0 or 1.
Wide besselI(int Order, Wide X) {
  Wide Term = Order ? X / 2 : 1, Sum = Term;
  for (int K = 1; K < 2000; ++K) {
    Term *= X * X / 4 / (Wide(K) * (K + Order));
    Sum += Term;
    if (std::fabs(Term) < std::fabs(Sum) * 1e-21L)
      break;
  }
  return Sum;
}

/// The distance of single-precision numbers around \p R.
Wide ulp(Wide R) {
  int Exponent = R == 0 ? -126 : std::max(std::ilogb(R), -126);
  return std::ldexp(1.0L, Exponent - 23);
}

/// The number of representable numbers from \p A to \p B.
template <typename T, typename Int> double distance(T A, T B) {
  if (std::isnan(A) && std::isnan(B))
    return 0;
  if (std::isnan(A) || std::isnan(B))
    return INFINITY;
  auto Rank = [](T X) {
    Int Bits;
    std::memcpy(&Bits, &X, sizeof Bits);
    return Bits < 0 ? std::numeric_limits<Int>::min() - Bits : Bits;
  };
  return std::fabs(double(__int128(Rank(A)) - Rank(B)));
}
double distance(float A, float B) { return distance<float, int32_t>(A, B); }
double distance(double A, double B) { return distance<double, int64_t>(A, B); }

uint64_t next(uint64_t &State) {
  State = State * 6364136223846793005ull + 1442695040888963407ull;
  return State ^ State >> 29;
}

/// \p Count operands within \p Low..\p High: half with all exponents alike,
/// half spread evenly, and what lies at the edges.
template <typename T>
std::vector<T> operands(int Count, double Low, double High, uint64_t Seed) {
  std::vector<T> Out;
  for (double Edge : {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, Low, High})
    if (Edge >= Low && Edge <= High)
      Out.push_back(T(Edge));
  while (int(Out.size()) < Count) {
    uint64_t Random = next(Seed);
    T X;
    if (Random & 1) {
      std::memcpy(&X, reinterpret_cast<char *>(&Random) + (8 - sizeof(T)),
                  sizeof(T));
    } else {
      double Span = std::min(High, 1e6) - std::max(Low, -1e6);
      X = T(std::max(Low, -1e6) + Span * double(next(Seed) >> 11) * 0x1p-53);
    }
    if (X >= T(Low) && X <= T(High))
      Out.push_back(X);
  }
  return Out;
}

template <typename F, typename T>
__global__ void evaluate(const T *X, const T *Y, T *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = F::at(X[I], Y[I]);
}

void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::printf("%s\n", cudaGetErrorString(Error));
  std::exit(2);
}

template <typename F, typename T>
std::vector<T> onDevice(const std::vector<T> &X, const std::vector<T> &Y) {
  T *Memory;
  size_t Count = X.size(), Bytes = Count * sizeof(T);
  check(cudaMalloc(&Memory, 3 * Bytes));
  check(cudaMemcpy(Memory, X.data(), Bytes, cudaMemcpyHostToDevice));
  check(cudaMemcpy(Memory + Count, Y.data(), Bytes, cudaMemcpyHostToDevice));
  evaluate<F><<<(Count + 255) / 256, 256>>>(Memory, Memory + Count,
                                            Memory + 2 * Count, int(Count));
  check(cudaGetLastError());
  std::vector<T> Out(Count);
  check(cudaMemcpy(Out.data(), Memory + 2 * Count, Bytes,
                   cudaMemcpyDeviceToHost));
  check(cudaFree(Memory));
  return Out;
}

bool Table = false;
int Samples = 2000;
int Above = 0;

void report(const char *Name, const std::string &Bound, double Worst,
            double Limit, const char *Unit, double At, double At2) {
  bool Bad = !(Worst <= Limit);
  Above += Bad;
  if (Table)
    std::printf("| `%s` | %s | %.3g%s | %.9g%s |\n", Name, Bound.c_str(), Worst,
                Unit, At, Bad ? " **above**" : "");
  else if (Bad)
    std::printf("%s: error %g%s, published %s, at %.17g, %.17g\n", Name, Worst,
                Unit, Bound.c_str(), At, At2);
}

template <typename F, typename T> void measure() {
  auto X = operands<T>(Samples, F::Low, F::High, 1);
  auto Y = operands<T>(Samples, F::Low, F::High, 77);
  if (F::Small)
    for (T &V : Y)
      V = T(std::remainder(V, T(40)));
  auto Got = onDevice<F>(X, Y);
  double Worst = 0, At = 0, At2 = 0;
  for (size_t I = 0; I < X.size(); ++I) {
    double Error = distance(Got[I], T(F::reference(X[I], Y[I])));
    if (Error <= Worst)
      continue;
    Worst = Error;
    At = X[I];
    At2 = Y[I];
  }
  char Bound[32];
  std::snprintf(Bound, sizeof Bound, "%g ulp", F::Bound);
  report(F::Name, Bound, Worst, F::Bound, " ulp", At, At2);
}

template <typename F> void measureApproximate() {
  auto X = operands<float>(Samples, F::Low, F::High, 1);
  auto Got = onDevice<F>(X, X);
  double Worst = 0, At = 0;
  for (size_t I = 0; I < X.size(); ++I) {
    Wide R = F::reference(X[I]);
    if (std::fabs(R) > 3.4e38L || std::fabs(R) < 0x1p-126L)
      continue;
    double Error = double(std::fabs(Got[I] - float(R)) / F::bound(X[I], R));
    if (Error <= Worst)
      continue;
    Worst = Error;
    At = X[I];
  }
  report(F::Name, F::Words, Worst, 1.0000001, " of it", At, At);
}

#define FUNCTION(T, Function, Published, Reference, From, To, Call, Powers)    \
  struct Of_##Function {                                                       \
    static constexpr const char *Name = #Function;                             \
    static constexpr double Bound = Published, Low = From, High = To;          \
    static constexpr bool Small = Powers;                                      \
    static __device__ T at(T X, T Y) { return (void)Y, Call; }                 \
    static Wide reference(Wide X, Wide Y) { return (void)Y, Reference; }       \
  };
#define UNARY(T, Function, Bound, Reference, From, To)                         \
  FUNCTION(T, Function, Bound, Reference, From, To, Function(X), false)
#define BINARY(T, Function, Bound, Reference, From, To)                        \
  FUNCTION(T, Function, Bound, Reference, From, To, Function(X, Y),            \
           std::string_view(#Function).substr(0, 3) == "pow")
#define APPROXIMATE(Function, Published, Reference, From, To, Text)            \
  struct Of_##Function {                                                       \
    static constexpr const char *Name = #Function, *Words = Text;              \
    static constexpr double Low = From, High = To;                             \
    static __device__ float at(float X, float) { return Function(X); }         \
    static Wide reference(Wide X) { return Reference; }                        \
    static Wide bound(Wide X, Wide R) { return (void)X, (void)R, Published; }  \
  };
#include "Functions.def"
#undef UNARY
#undef BINARY
#undef APPROXIMATE

void measureAll() {
#define UNARY(T, Function, Bound, Reference, From, To)                         \
  measure<Of_##Function, T>();
#define BINARY(T, Function, Bound, Reference, From, To)                        \
  measure<Of_##Function, T>();
#define APPROXIMATE(Function, Bound, Reference, From, To, Words)               \
  measureApproximate<Of_##Function>();
#include "Functions.def"
#undef UNARY
#undef BINARY
#undef APPROXIMATE
}

} // namespace

int main(int Count, char **Words) {
  for (int I = 1; I < Count; ++I) {
    if (std::string(Words[I]) == "--table")
      Table = true;
    else
      Samples = std::atoi(Words[I]);
  }
  measureAll();
  if (!Table && Above == 0)
    std::puts("ok");
  return Above != 0;
}
