// Feature: atomics: Threads of a row that change the same numbers in shared
// memory: counts, sums, extrema and lists, under guards and without.

#include "Inputs/suite.h"

constexpr int Bins = 16, Threads = 128;

__global__ void count(const unsigned *Keys, int N, int *Counts) {
  __shared__ int Here[Bins];
  if (threadIdx.x < Bins)
    Here[threadIdx.x] = 0;
  __syncthreads();
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    atomicAdd(&Here[Keys[I] >> 8 & 15], 1);
  __syncthreads();
  if (threadIdx.x < Bins)
    Counts[threadIdx.x * gridDim.x + blockIdx.x] = Here[threadIdx.x];
}

struct Summary {
  float Sum;
  double Product;
  unsigned long long Wide;
  int Least, Greatest;
};

__device__ void multiply(double *Into, double By) {
  auto *Bits = reinterpret_cast<unsigned long long *>(Into);
  unsigned long long Old = *Bits, Seen;
  do {
    Seen = Old;
    Old = atomicCAS(Bits, Seen,
                    __double_as_longlong(By * __longlong_as_double(Seen)));
  } while (Old != Seen);
}

__global__ void summarize(const int *Numbers, Summary *Out) {
  __shared__ Summary Here[4];
  if (threadIdx.x < 4)
    Here[threadIdx.x] = {0, 1, 0, 1 << 30, -(1 << 30)};
  __syncthreads();
  int Number = Numbers[blockIdx.x * blockDim.x + threadIdx.x];
  Summary &S = Here[Number & 3];
  atomicAdd(&S.Sum, static_cast<float>(Number));
  multiply(&S.Product, Number % 2 ? 2.0 : 0.5);
  atomicAdd(&S.Wide, static_cast<unsigned long long>(Number) << 32);
  atomicMin(&S.Least, Number);
  atomicMax(&S.Greatest, Number);
  __syncthreads();
  if (threadIdx.x < 4)
    Out[blockIdx.x * 4 + threadIdx.x] = Here[threadIdx.x];
}

// Threads push themselves on four lists.
__global__ void chain(const int *Numbers, int *Heads, int *Next) {
  __shared__ int First[4];
  if (threadIdx.x < 4)
    First[threadIdx.x] = -1;
  __syncthreads();
  Next[threadIdx.x] = atomicExch(&First[Numbers[threadIdx.x] & 3], threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 4)
    Heads[threadIdx.x] = First[threadIdx.x];
}

int main() {
  const int N = 1000, Blocks = (N + Threads - 1) / Threads;
  std::vector<unsigned> Keys(N);
  std::vector<int> Counts(Bins * Blocks);
  for (int I = 0; I < N; ++I) {
    Keys[I] = I * 2654435761u;
    ++Counts[(Keys[I] >> 8 & 15) * Blocks + I / Threads];
  }
  suite::Array<unsigned> KeysThere(Keys);
  suite::Array<int> Out(Bins * Blocks);
  count<<<Blocks, Threads>>>(KeysThere, N, Out);
  same(Out.host(), Counts);

  std::vector<int> Numbers(4 * Threads);
  std::vector<Summary> All(16, {0, 1, 0, 1 << 30, -(1 << 30)});
  for (int I = 0; I < 4 * Threads; ++I) {
    const int Number = Numbers[I] = I * 37 % 101;
    Summary &S = All[I / Threads * 4 + (Number & 3)];
    S.Sum += Number;
    S.Product *= Number % 2 ? 2.0 : 0.5;
    S.Wide += static_cast<unsigned long long>(Number) << 32;
    S.Least = Number < S.Least ? Number : S.Least;
    S.Greatest = Number > S.Greatest ? Number : S.Greatest;
  }
  suite::Array<int> NumbersThere(Numbers);
  suite::Array<Summary> Summaries(16);
  summarize<<<4, Threads>>>(NumbersThere, Summaries);
  std::vector<Summary> Got = Summaries.host();
  for (int I = 0; I < 16; ++I)
    expect(Got[I].Sum == All[I].Sum && Got[I].Product == All[I].Product &&
           Got[I].Wide == All[I].Wide && Got[I].Least == All[I].Least &&
           Got[I].Greatest == All[I].Greatest);

  suite::Array<int> Heads(4), Next(Threads);
  chain<<<1, Threads>>>(NumbersThere, Heads, Next);
  std::vector<int> Links = Next.host(), Starts = Heads.host();
  int Seen = 0;
  for (int List = 0; List < 4; ++List)
    for (int T = Starts[List]; T >= 0; T = Links[T], ++Seen)
      expect((Numbers[T] & 3) == List && Seen < Threads);
  expect(Seen == Threads);
  return suite::finish();
}
