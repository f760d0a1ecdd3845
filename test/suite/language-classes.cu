// Feature: language: Classes, templates, operators, lambdas, placement new, variadic
// functions and templates, fold expressions, alloca, switches, goto.
// Flags: -std=c++20

#include "Inputs/suite.h"
#include <cstdarg>
#include <new>

template <typename T, int N> class Vector {
public:
  __host__ __device__ Vector() {
    for (T &E : Elements)
      E = T();
  }
  template <typename... Values>
  __host__ __device__ explicit Vector(Values... V) : Elements{T(V)...} {}
  __host__ __device__ T &operator[](int I) { return Elements[I]; }
  __host__ __device__ const T &operator[](int I) const { return Elements[I]; }
  __host__ __device__ friend Vector operator+(const Vector &A, const Vector &B) {
    Vector Sum;
    for (int I = 0; I < N; ++I)
      Sum[I] = A[I] + B[I];
    return Sum;
  }
  __host__ __device__ T dot(const Vector &Other) const {
    T Sum{};
    for (int I = 0; I < N; ++I)
      Sum += Elements[I] * Other[I];
    return Sum;
  }

private:
  T Elements[N];
};

// Counts constructions and destructions.
struct Guard {
  int &Count;
  __host__ __device__ explicit Guard(int &Count) : Count(Count) { Count += 1; }
  __host__ __device__ ~Guard() { Count += 100; }
};

template <typename... Ts> __host__ __device__ auto total(Ts... Values) {
  return (Values + ... + 0);
}

template <typename F> __host__ __device__ int applyAll(int N, F Each) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += Each(I);
  return Sum;
}

__host__ __device__ int sumOf(int Count, ...) {
  va_list Rest;
  va_start(Rest, Count);
  double Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum += I % 2 ? va_arg(Rest, double) : va_arg(Rest, int);
  va_end(Rest);
  return static_cast<int>(Sum * 4);
}

__host__ __device__ int states(int Start) {
  int Steps = 0;
again:
  switch (Start % 7) {
  case 0:
    return Steps;
  case 1:
  case 2:
    Start += 2;
    break;
  case 3:
    Start *= 3;
    [[fallthrough]];
  case 4:
    ++Start;
    break;
  default:
    Start -= 3;
  }
  if (++Steps < 50)
    goto again;
  return -1;
}

__host__ __device__ int reversed(int N) {
  int *Numbers = static_cast<int *>(__builtin_alloca(N * sizeof(int)));
  for (int I = 0; I < N; ++I)
    Numbers[N - 1 - I] = I * 3;
  int Out = 0;
  for (int I = 0; I < N; ++I)
    Out = (Out * 5 + Numbers[I]) % 10007;
  return Out;
}

struct Empty {};
struct alignas(32) Wide {
  char C;
  long long L;
};

__host__ __device__ int compute(int I) {
  Vector<int, 3> A(I, 2, 3), B(1, I, 1);
  int Out = (A + B).dot(A);
  int Lifetimes = 0;
  {
    Guard Outer(Lifetimes);
    for (int K = 0; K < I % 3; ++K)
      Guard Inner(Lifetimes);
  }
  Out += Lifetimes;
  Out += total(I, 2.5, 'a', 3ll) > 50 ? 7 : 9;
  int Factor = I;
  Out += applyAll(5, [=](int K) { return K * Factor; });
  Out += applyAll(3, [&](auto K) mutable { return Factor += K; });
  Out += sumOf(4, I, 1.5, 7, 0.25);
  Out += states(I);
  Out += reversed(I % 20 + 1);
  alignas(Wide) char Place[sizeof(Wide)];
  Wide *W = new (Place) Wide{'x', I};
  Out += W->L + W->C + sizeof(Empty) + alignof(Wide);
  if constexpr (sizeof(void *) == 8)
    Out += 1;
  auto [P, Q] = Wide{'a', I * 2ll};
  return Out + P + static_cast<int>(Q);
}

__global__ void all(int *Out, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = compute(I);
}

template <typename F> __global__ void transform(F Function, double *Out, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = Function(I);
}

struct Scale {
  double By;
  __host__ __device__ double operator()(int I) const { return I * By; }
};

int main() {
  const int N = 300;
  suite::Array<int> Out(N);
  all<<<3, 128>>>(Out, N);
  std::vector<int> Expected(N);
  for (int I = 0; I < N; ++I)
    Expected[I] = compute(I);
  same(Out.host(), Expected);

  suite::Array<double> Scaled(N);
  transform<<<3, 128>>>(Scale{1.25}, Scaled.get(), N);
  std::vector<double> ExpectedScaled(N);
  for (int I = 0; I < N; ++I)
    ExpectedScaled[I] = I * 1.25;
  same(Scaled.host(), ExpectedScaled);
  return suite::finish();
}
