// Feature: programs: Sorting written by hand: bitonic in shared memory and over the whole
// array, radix sort by counting and scanning, merge sort by binary search, odd-even.

#include <algorithm>

#include "Inputs/suite.h"

__global__ void bitonicShared(int *Data, int N) {
  extern __shared__ int Tile[];
  const int T = threadIdx.x;
  Tile[T] = Data[blockIdx.x * N + T];
  for (int Size = 2; Size <= N; Size *= 2)
    for (int Step = Size / 2; Step; Step /= 2) {
      __syncthreads();
      const int Other = T ^ Step;
      if (Other > T && (Tile[T] > Tile[Other]) == ((T & Size) == 0)) {
        const int X = Tile[T];
        Tile[T] = Tile[Other];
        Tile[Other] = X;
      }
    }
  __syncthreads();
  Data[blockIdx.x * N + T] = Tile[T];
}

__global__ void bitonicStep(float *Data, int Size, int Step) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x, Other = I ^ Step;
  if (Other <= I)
    return;
  const float A = Data[I], B = Data[Other];
  if ((A > B) == ((I & Size) == 0)) {
    Data[I] = B;
    Data[Other] = A;
  }
}

/// One block: four bits at a time, by counts of each digit and thread.
__global__ void radixOneBlock(unsigned *A, unsigned *B, int N) {
  constexpr int Threads = 64;
  __shared__ int Counts[16][Threads];
  const int T = threadIdx.x, Each = N / Threads;
  for (int Shift = 0; Shift < 32; Shift += 4) {
    for (int D = 0; D < 16; ++D)
      Counts[D][T] = 0;
    for (int I = 0; I < Each; ++I)
      ++Counts[A[T * Each + I] >> Shift & 15][T];
    __syncthreads();
    if (T == 0)
      for (int I = 0, Sum = 0; I < 16 * Threads; ++I) {
        const int Here = (&Counts[0][0])[I];
        (&Counts[0][0])[I] = Sum;
        Sum += Here;
      }
    __syncthreads();
    for (int I = 0; I < Each; ++I) {
      const unsigned X = A[T * Each + I];
      B[Counts[X >> Shift & 15][T]++] = X;
    }
    __syncthreads();
    unsigned *Swap = A;
    A = B;
    B = Swap;
  }
}

__device__ int placeIn(const int *Run, int Size, int X, bool AfterEqual) {
  int Low = 0;
  while (Size > 0) {
    const int Half = Size / 2;
    if (Run[Low + Half] < X || (AfterEqual && Run[Low + Half] == X)) {
      Low += Half + 1;
      Size -= Half + 1;
    } else
      Size = Half;
  }
  return Low;
}

/// Merges neighbouring sorted runs: every element finds its own place.
__global__ void mergeRuns(const int *In, int *Out, int N, int Run) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const int Pair = I / (2 * Run) * 2 * Run;
  const int Middle = min(Pair + Run, N), End = min(Pair + 2 * Run, N);
  const bool Left = I < Middle;
  const int Other = Left ? placeIn(In + Middle, End - Middle, In[I], false)
                         : placeIn(In + Pair, Middle - Pair, In[I], true);
  Out[Pair + (Left ? I - Pair : I - Middle) + Other] = In[I];
}

__global__ void oddEven(int *Data, int N) {
  for (int Round = 0; Round < N; ++Round) {
    const int I = 2 * threadIdx.x + Round % 2;
    if (I + 1 < N && Data[I] > Data[I + 1]) {
      const int X = Data[I];
      Data[I] = Data[I + 1];
      Data[I + 1] = X;
    }
    __syncthreads();
  }
}

static unsigned next(unsigned &Seed) { return Seed = Seed * 1664525u + 1013904223u; }

int main() {
  unsigned Seed = 9;
  std::vector<int> Ints(4 * 256);
  for (int &X : Ints)
    X = static_cast<int>(next(Seed)) >> 4;
  suite::Array<int> A(Ints);
  bitonicShared<<<4, 256, 256 * sizeof(int)>>>(A, 256);
  std::vector<int> Expected = Ints;
  for (int B = 0; B < 4; ++B)
    std::sort(&Expected[B * 256], &Expected[B * 256] + 256);
  same(A.host(), Expected);

  std::vector<float> Floats(2048);
  for (float &X : Floats)
    X = static_cast<float>(next(Seed) >> 8) - 8e6f;
  suite::Array<float> F(Floats);
  for (int Size = 2; Size <= 2048; Size *= 2)
    for (int Step = Size / 2; Step; Step /= 2)
      bitonicStep<<<8, 256>>>(F, Size, Step);
  std::sort(Floats.begin(), Floats.end());
  same(F.host(), Floats);

  std::vector<unsigned> Words(2048);
  for (unsigned &X : Words)
    X = next(Seed);
  suite::Array<unsigned> W(Words), V(2048);
  radixOneBlock<<<1, 64>>>(W, V, 2048);
  std::sort(Words.begin(), Words.end());
  same(W.host(), Words);

  constexpr int N = 1000;
  std::vector<int> Odd(Ints.begin(), Ints.begin() + N);
  for (int I = 0; I < N; I += 3)
    Odd[I] = 5;
  suite::Array<int> M(Odd), K(N);
  int *From = M, *To = K;
  for (int Run = 1; Run < N; Run *= 2, std::swap(From, To))
    mergeRuns<<<(N + 127) / 128, 128>>>(From, To, N, Run);
  std::sort(Odd.begin(), Odd.end());
  same(From == M.get() ? M.host() : K.host(), Odd);

  std::vector<int> Few(Ints.begin(), Ints.begin() + 201);
  suite::Array<int> E(Few);
  oddEven<<<1, 101>>>(E, 201);
  std::sort(Few.begin(), Few.end());
  same(E.host(), Few);
  return suite::finish();
}
