// Feature: libraries: the host side of cuRAND: generators that give the numbers that kernels get with the same seed
// and subsequence, other generators by their moments, Sobol's points, offsets, in stream order.
// Flags: -lcurand

#include <cmath>
#include <curand.h>
#include <curand_kernel.h>
#include <numeric>

#include "Inputs/suite.h"

namespace {

#define okay(Call) expect((Call) == CURAND_STATUS_SUCCESS)

/// What the host API gives first: stream I's first number, and its second.
template <typename State> __global__ void streams(unsigned *First, unsigned *Second, unsigned long long Seed, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  State Mine;
  curand_init(Seed, I, 0, &Mine);
  First[I] = curand(&Mine);
  Second[I] = curand(&Mine);
}

__global__ void fours(unsigned *Out, unsigned long long Seed, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  curandStatePhilox4_32_10_t Mine;
  curand_init(Seed, I, 0, &Mine);
  uint4 Four = curand4(&Mine);
  Out[4 * I] = Four.x;
  Out[4 * I + 1] = Four.y;
  Out[4 * I + 2] = Four.z;
  Out[4 * I + 3] = Four.w;
}

curandGenerator_t make(curandRngType_t Type, unsigned long long Seed) {
  curandGenerator_t Out;
  okay(curandCreateGenerator(&Out, Type));
  okay(curandSetPseudoRandomGeneratorSeed(Out, Seed));
  return Out;
}

std::vector<unsigned> part(const std::vector<unsigned> &From, size_t First, size_t Count) {
  return {From.begin() + First, From.begin() + First + Count};
}

template <typename State> void asOnTheDevice(curandRngType_t Type) {
  const int N = 64, Streams = 4096;
  suite::Array<unsigned> First(N), Second(N), All(Streams + N);
  streams<State><<<1, N>>>(First, Second, 99, N);
  curandGenerator_t Random = make(Type, 99);
  okay(curandSetGeneratorOrdering(Random, CURAND_ORDERING_PSEUDO_LEGACY));
  okay(curandGenerate(Random, All, 10)); // In two calls.
  okay(curandGenerate(Random, All.get() + 10, Streams + N - 10));
  same(part(All.host(), 0, N), First.host());
  same(part(All.host(), Streams, N), Second.host());
  okay(curandSetGeneratorOffset(Random, Streams + 5));
  okay(curandGenerate(Random, All, N - 5));
  same(part(All.host(), 0, N - 5), part(Second.host(), 5, N - 5));
  okay(curandDestroyGenerator(Random));
}

void philox() {
  const int N = 64;
  suite::Array<unsigned> Expected(4 * N), Got(4 * N);
  fours<<<1, N>>>(Expected, 7, N);
  curandGenerator_t Random = make(CURAND_RNG_PSEUDO_PHILOX4_32_10, 7);
  okay(curandGenerate(Random, Got, 4 * N));
  same(Got.host(), Expected.host());
  okay(curandDestroyGenerator(Random));
}

template <typename T> void moments(const std::vector<T> &Got, double Mean, double Variance, int Line) {
  const double N = double(Got.size());
  const double M = std::accumulate(Got.begin(), Got.end(), 0.0) / N;
  double V = 0;
  for (T Each : Got)
    V += (Each - M) * (Each - M) / N;
  suite::expectAt(std::fabs(M - Mean) < 0.05 * std::sqrt(Variance) && std::fabs(V - Variance) < 0.1 * Variance, "moments", Line);
}

void distributions(curandRngType_t Type) {
  const int N = 20000;
  suite::Array<float> F(N);
  suite::Array<double> D(N);
  suite::Array<unsigned> U(N);
  curandGenerator_t Random = make(Type, 1234);
  okay(curandGenerateUniform(Random, F, N));
  moments(F.host(), 0.5, 1.0 / 12, __LINE__);
  okay(curandGenerateUniformDouble(Random, D, N));
  moments(D.host(), 0.5, 1.0 / 12, __LINE__);
  okay(curandGenerateNormal(Random, F, N, 3, 2));
  moments(F.host(), 3, 4, __LINE__);
  okay(curandGenerateNormalDouble(Random, D, N, -1, 0.5));
  moments(D.host(), -1, 0.25, __LINE__);
  okay(curandGenerateLogNormal(Random, F, N, 0, 0.5f));
  moments(F.host(), std::exp(0.125), (std::exp(0.25) - 1) * std::exp(0.25), __LINE__);
  okay(curandGenerateLogNormalDouble(Random, D, N, 0, 0.5));
  moments(D.host(), std::exp(0.125), (std::exp(0.25) - 1) * std::exp(0.25), __LINE__);
  for (double Lambda : {0.5, 20.0}) {
    okay(curandGeneratePoisson(Random, U, N, Lambda));
    moments(U.host(), Lambda, Lambda, __LINE__);
  }
  okay(curandDestroyGenerator(Random));
}

void sobol() {
  suite::Array<unsigned> Points(16);
  suite::Array<unsigned long long> Wide(4);
  suite::Array<float> F(16);
  curandGenerator_t Random;
  okay(curandCreateGenerator(&Random, CURAND_RNG_QUASI_SOBOL32));
  okay(curandSetQuasiRandomGeneratorDimensions(Random, 2));
  okay(curandGenerate(Random, Points, 8));
  const unsigned Half = 1u << 31, Quarter = 1u << 30;
  same(part(Points.host(), 0, 8),
       std::vector<unsigned>({0, Half, Half + Quarter, Quarter, 0, Half, Quarter, Half + Quarter}));
  expect(curandGenerate(Random, Points, 7) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  okay(curandSetQuasiRandomGeneratorDimensions(Random, 1));
  okay(curandGenerateUniform(Random, F, 2));
  expect(F.host()[0] == 0.375f && F.host()[1] == 0.875f); // It goes on.
  okay(curandDestroyGenerator(Random));
  okay(curandCreateGenerator(&Random, CURAND_RNG_QUASI_SOBOL64));
  okay(curandGenerateLongLong(Random, Wide, 4));
  same(Wide.host(), std::vector<unsigned long long>({0, 1ull << 63, 3ull << 62, 1ull << 62}));
  okay(curandDestroyGenerator(Random));
  for (curandRngType_t Type : {CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}) {
    okay(curandCreateGenerator(&Random, Type));
    okay(curandGenerateUniform(Random, F, 16));
    unsigned Cells = 0;
    for (float Each : F.host())
      Cells |= 1u << int(std::fmin(Each * 16, 15.0f));
    expect(Cells == 0xffff); // One in each sixteenth.
    okay(curandDestroyGenerator(Random));
  }
}

__global__ void addOne(float *To, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    To[I] += 1;
}

/// Two calls and a kernel, in this order; the host's own generator agrees.
void order() {
  const int N = 256;
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  suite::Array<float> A(N), B(N);
  check(cudaDeviceSynchronize());
  curandGenerator_t Random = make(CURAND_RNG_PSEUDO_DEFAULT, 5), Host;
  okay(curandSetStream(Random, Stream));
  okay(curandGenerateUniform(Random, A, N));
  addOne<<<4, 64, 0, Stream>>>(A, N);
  okay(curandGenerateUniform(Random, B, N));
  addOne<<<4, 64, 0, Stream>>>(B, N);
  std::vector<float> Expected(2 * N), Got = A.host(), Later = B.host();
  Got.insert(Got.end(), Later.begin(), Later.end());
  okay(curandCreateGeneratorHost(&Host, CURAND_RNG_PSEUDO_XORWOW));
  okay(curandSetPseudoRandomGeneratorSeed(Host, 5));
  okay(curandGenerateUniform(Host, Expected.data(), 2 * N));
  for (float &Each : Expected)
    Each += 1;
  same(Got, Expected);
  okay(curandDestroyGenerator(Host));
  okay(curandDestroyGenerator(Random));
  check(cudaStreamDestroy(Stream));
}

void mistakes() {
  suite::Array<float> F(4);
  curandGenerator_t Random = make(CURAND_RNG_PSEUDO_DEFAULT, 1);
  expect(curandGenerateNormal(Random, F, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  expect(curandSetQuasiRandomGeneratorDimensions(Random, 2) == CURAND_STATUS_TYPE_ERROR);
  okay(curandDestroyGenerator(Random));
}

} // namespace

int main() {
  asOnTheDevice<curandStateXORWOW_t>(CURAND_RNG_PSEUDO_XORWOW);
  asOnTheDevice<curandStateMRG32k3a_t>(CURAND_RNG_PSEUDO_MRG32K3A);
  philox();
  distributions(CURAND_RNG_PSEUDO_XORWOW);
  distributions(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  distributions(CURAND_RNG_PSEUDO_MT19937);
  sobol();
  order();
  mistakes();
  return suite::finish();
}
