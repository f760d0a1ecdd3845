// Feature: libraries: cuRAND in device code: Philox, XORWOW and MRG32k3a sequences,
// skipping ahead, uniform, normal, log-normal and Poisson numbers.

#include <algorithm>
#include <cmath>
#define QUALIFIERS static __host__ __device__ inline
#include <curand_kernel.h>

#include "Inputs/suite.h"

// The generators are functions of seed, sequence and offset alone and compile
// for the host too, which is what the device's numbers are compared with.
template <typename State>
__host__ __device__ void draw(int Sequence, unsigned *Bits, float *Uniform) {
  State S;
  curand_init(1234, Sequence, 7, &S);
  for (int I = 0; I < 4; ++I)
    Bits[I] = curand(&S);
  skipahead(1000, &S);
  for (int I = 0; I < 4; ++I)
    Uniform[I] = curand_uniform(&S);
}

template <typename State> __global__ void drawAll(unsigned *Bits, float *Uniform) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  draw<State>(I, Bits + 4 * I, Uniform + 4 * I);
}

template <typename State> static void sequences() {
  constexpr int N = 64;
  suite::Array<unsigned> Bits(4 * N);
  suite::Array<float> Uniform(4 * N);
  drawAll<State><<<2, N / 2>>>(Bits, Uniform);
  std::vector<unsigned> BitsHere(4 * N);
  std::vector<float> UniformHere(4 * N);
  for (int I = 0; I < N; ++I)
    draw<State>(I, &BitsHere[4 * I], &UniformHere[4 * I]);
  same(Bits.host(), BitsHere);
  same(Uniform.host(), UniformHere);
}

__global__ void setUp(curandState *States, unsigned long long Seed) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(Seed, I, 0, &States[I]);
}

__global__ void normals(curandState *States, float *One, double *Two, float *Log,
                        unsigned *Poisson, int Each) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int All = gridDim.x * blockDim.x;
  curandState Mine = States[I];
  for (int K = 0; K < Each; ++K) {
    One[K * All + I] = curand_normal(&Mine);
    Two[K * All + I] = curand_normal2_double(&Mine).y;
    Log[K * All + I] = curand_log_normal(&Mine, 0.0f, 0.5f);
    Poisson[K * All + I] = curand_poisson(&Mine, 3.0);
  }
  States[I] = Mine;
}

template <typename T>
static bool near(const std::vector<T> &Numbers, double Mean, double Variance,
                 double Bound) {
  double Sum = 0, Squares = 0;
  for (const T X : Numbers)
    Sum += static_cast<double>(X);
  Sum /= Numbers.size();
  for (const T X : Numbers)
    Squares += (static_cast<double>(X) - Sum) * (static_cast<double>(X) - Sum);
  Squares /= Numbers.size();
  return std::fabs(Sum - Mean) < Bound && std::fabs(Squares - Variance) < 2 * Bound;
}

int main() {
  sequences<curandStatePhilox4_32_10_t>();
  sequences<curandStateXORWOW_t>();
  sequences<curandStateMRG32k3a_t>();

  constexpr int Threads = 256, Each = 32, N = Threads * Each;
  suite::Array<curandState> States(Threads);
  suite::Array<float> One(N), Log(N);
  suite::Array<double> Two(N);
  suite::Array<unsigned> Poisson(N);
  setUp<<<4, 64>>>(States, 42);
  check(cudaGetLastError());
  normals<<<4, 64>>>(States, One, Two, Log, Poisson, Each);
  check(cudaGetLastError());
  expect(near(One.host(), 0, 1, 0.05));
  expect(near(Two.host(), 0, 1, 0.05));
  expect(near(Log.host(), std::exp(0.125), (std::exp(0.25) - 1) * std::exp(0.25), 0.06));
  expect(near(Poisson.host(), 3, 3, 0.1));
  return suite::finish();
}
