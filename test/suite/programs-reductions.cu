// Feature: programs: Reductions as CUDA's samples teach them: interleaved, sequential,
// unrolled by template, warps by shuffles, the last block by a fence, all with grid strides.

#include <algorithm>
#include <numeric>

#include "Inputs/suite.h"

__global__ void interleaved(const int *In, int *Out, unsigned N) {
  extern __shared__ int Data[];
  const unsigned T = threadIdx.x, I = blockIdx.x * blockDim.x + T;
  Data[T] = I < N ? In[I] : 0;
  __syncthreads();
  for (unsigned S = 1; S < blockDim.x; S *= 2) {
    if (T % (2 * S) == 0)
      Data[T] += Data[T + S];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Data[0];
}

template <unsigned Size> __device__ void lastWarp(volatile int *Data, unsigned T) {
  int Sum = Data[T];
  if (Size >= 64) { Sum += Data[T + 32]; __syncwarp(); Data[T] = Sum; __syncwarp(); }
  if (Size >= 32) { Sum += Data[T + 16]; __syncwarp(); Data[T] = Sum; __syncwarp(); }
  if (Size >= 16) { Sum += Data[T + 8]; __syncwarp(); Data[T] = Sum; __syncwarp(); }
  if (Size >= 8) { Sum += Data[T + 4]; __syncwarp(); Data[T] = Sum; __syncwarp(); }
  if (Size >= 4) { Sum += Data[T + 2]; __syncwarp(); Data[T] = Sum; __syncwarp(); }
  if (Size >= 2) { Sum += Data[T + 1]; __syncwarp(); Data[T] = Sum; __syncwarp(); }
}

template <unsigned Size> __global__ void unrolled(const int *In, int *Out, unsigned N) {
  __shared__ int Data[Size + 32];
  const unsigned T = threadIdx.x;
  int Sum = 0;
  for (unsigned I = blockIdx.x * Size * 2 + T; I < N; I += Size * 2 * gridDim.x)
    Sum += In[I] + (I + Size < N ? In[I + Size] : 0);
  Data[T] = Sum;
  if (T < 32)
    Data[Size + T] = 0;
  __syncthreads();
  if (Size >= 512) { if (T < 256) Data[T] += Data[T + 256]; __syncthreads(); }
  if (Size >= 256) { if (T < 128) Data[T] += Data[T + 128]; __syncthreads(); }
  if (Size >= 128) { if (T < 64) Data[T] += Data[T + 64]; __syncthreads(); }
  if (T < 32)
    lastWarp<Size>(Data, T);
  if (T == 0)
    Out[blockIdx.x] = Data[0];
}

__inline__ __device__ int warpSum(int X) {
  for (int Step = warpSize / 2; Step; Step /= 2)
    X += __shfl_xor_sync(0xffffffffu, X, Step);
  return X;
}

__global__ void byShuffles(const int *In, int *Out, unsigned N) {
  static __shared__ int Sums[32];
  const unsigned Lane = threadIdx.x % warpSize, Warp = threadIdx.x / warpSize;
  int Sum = 0;
  for (unsigned I = blockIdx.x * blockDim.x + threadIdx.x; I < N; I += blockDim.x * gridDim.x)
    Sum += In[I];
  Sum = warpSum(Sum);
  if (Lane == 0)
    Sums[Warp] = Sum;
  __syncthreads();
  Sum = threadIdx.x < blockDim.x / warpSize ? Sums[Lane] : 0;
  if (Warp == 0)
    Sum = warpSum(Sum);
  if (threadIdx.x == 0)
    atomicAdd(Out, Sum);
}

__device__ unsigned Finished = 0;
__shared__ bool IsLast;

__global__ void lastBlock(const int *In, volatile int *Partial, int *Out, unsigned N) {
  __shared__ int Data[128];
  int Sum = 0;
  for (unsigned I = blockIdx.x * 128 + threadIdx.x; I < N; I += 128 * gridDim.x)
    Sum += In[I];
  Data[threadIdx.x] = Sum;
  __syncthreads();
  for (int S = 64; S; S /= 2) {
    if (threadIdx.x < S)
      Data[threadIdx.x] += Data[threadIdx.x + S];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    Partial[blockIdx.x] = Data[0];
    __threadfence();
    IsLast = atomicInc(&Finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (IsLast && threadIdx.x == 0) {
    int All = 0;
    for (unsigned B = 0; B < gridDim.x; ++B)
      All += Partial[B];
    *Out = All;
  }
}

struct Place {
  float Value;
  int Index;
};

__global__ void greatest(const float *In, int N, Place *Out) {
  __shared__ Place Best[64];
  Place Mine{-1e30f, -1};
  for (int I = threadIdx.x; I < N; I += 64)
    if (In[I] > Mine.Value)
      Mine = {In[I], I};
  Best[threadIdx.x] = Mine;
  for (int S = 32; S; S /= 2) {
    __syncthreads();
    if (threadIdx.x < S) {
      const Place Other = Best[threadIdx.x + S];
      if (Other.Value > Best[threadIdx.x].Value ||
          (Other.Value == Best[threadIdx.x].Value && Other.Index < Best[threadIdx.x].Index))
        Best[threadIdx.x] = Other;
    }
  }
  if (threadIdx.x == 0)
    *Out = Best[0];
}

int main() {
  constexpr unsigned N = 20011;
  std::vector<int> In(N);
  for (unsigned I = 0; I < N; ++I)
    In[I] = static_cast<int>(I * 2654435761u >> 20) - 2000;
  const int Sum = std::accumulate(In.begin(), In.end(), 0);
  suite::Array<int> A(In), Out(256), One(1);
  const auto Total = [&](int Blocks) {
    const std::vector<int> Parts = Out.host();
    return std::accumulate(Parts.begin(), Parts.begin() + Blocks, 0);
  };
  interleaved<<<(N + 127) / 128, 128, 128 * sizeof(int)>>>(A, Out, N);
  expect(Total((N + 127) / 128) == Sum);
  unrolled<32><<<7, 32>>>(A, Out, N);
  expect(Total(7) == Sum);
  unrolled<128><<<8, 128>>>(A, Out, N);
  expect(Total(8) == Sum);
  unrolled<512><<<5, 512>>>(A, Out, N);
  expect(Total(5) == Sum);
  byShuffles<<<6, 96>>>(A, One, N);
  same(One.host(), std::vector<int>{Sum});
  for (int Round = 0; Round < 3; ++Round) {
    check(cudaMemset(One, 0, sizeof(int)));
    lastBlock<<<9, 128>>>(A, Out, One, N);
    same(One.host(), std::vector<int>{Sum});
  }

  std::vector<float> F(1000);
  for (int I = 0; I < 1000; ++I)
    F[I] = static_cast<float>(I * 389 % 997);
  suite::Array<float> DF(F);
  suite::Array<Place> P(1);
  greatest<<<1, 64>>>(DF, 1000, P);
  const long At = std::max_element(F.begin(), F.end()) - F.begin();
  const std::vector<Place> Got = P.host();
  expect(Got[0].Index == At && Got[0].Value == F[At]);
  return suite::finish();
}
