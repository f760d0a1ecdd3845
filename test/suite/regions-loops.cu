// Feature: barriers: __syncthreads() in loops: scan, bitonic sort, early exits, local arrays that outlive barriers, trip counts read from memory.
#include "Inputs/suite.h"

#include <algorithm>

__global__ void scan(const int *In, int *Out) {
  __shared__ int Sums[2][128];
  int T = threadIdx.x, From = 0;
  Sums[0][T] = In[blockIdx.x * 128 + T];
  __syncthreads();
  for (int S = 1; S < blockDim.x; S *= 2) {
    Sums[1 - From][T] = Sums[From][T] + (T >= S ? Sums[From][T - S] : 0);
    From = 1 - From;
    __syncthreads();
  }
  Out[blockIdx.x * 128 + T] = Sums[From][T];
}

__global__ void sort(int *Data) {
  extern __shared__ int Keys[];
  int T = threadIdx.x;
  Keys[T] = Data[T];
  for (int Size = 2; Size <= blockDim.x; Size *= 2)
    for (int Step = Size / 2; Step > 0; Step /= 2) {
      __syncthreads();
      int Other = T ^ Step;
      if (Other > T && (Keys[T] > Keys[Other]) == ((T & Size) == 0)) {
        int Key = Keys[T];
        Keys[T] = Keys[Other];
        Keys[Other] = Key;
      }
    }
  __syncthreads();
  Data[T] = Keys[T];
}

// Threads beyond the end leave before the first barrier; the others have an
// array each that is indexed by what others wrote.
__global__ void history(int *Out, int Threads, int Rounds) {
  __shared__ int Turn[96];
  int T = threadIdx.x, Seen[4] = {0, 0, 0, 0};
  if (T >= Threads)
    return;
  for (int R = 0; R < Rounds; ++R) {
    Turn[T] = T + R;
    __syncthreads();
    Seen[Turn[(T + 1) % Threads] & 3] += R;
    __syncthreads();
  }
  for (int K = 0; K < 4; ++K)
    Out[4 * T + K] = Seen[K];
}

// How often the loop turns is in memory, and a switch decides what is done
// between barriers.
__global__ void steps(const int *Counts, int *Out) {
  __shared__ int Value[64];
  int T = threadIdx.x;
  Value[T] = T;
  __syncthreads();
  for (int R = 0; R < Counts[blockIdx.x]; ++R) {
    int Next = 0;
    switch (R % 3) {
    case 0:
      Next = Value[(T + 1) % 64];
      break;
    case 1:
      Next = Value[T] * 3;
      break;
    default:
      Next = Value[63 - T] + R;
    }
    __syncthreads();
    Value[T] = Next;
    __syncthreads();
  }
  Out[blockIdx.x * 64 + T] = Value[T];
}

static std::vector<int> stepsOnHost(const std::vector<int> &Counts) {
  std::vector<int> Out;
  for (int Count : Counts) {
    std::vector<int> Value(64), Next(64);
    for (int T = 0; T < 64; ++T)
      Value[T] = T;
    for (int R = 0; R < Count; ++R) {
      for (int T = 0; T < 64; ++T)
        Next[T] = R % 3 == 0   ? Value[(T + 1) % 64]
                  : R % 3 == 1 ? Value[T] * 3
                               : Value[63 - T] + R;
      Value = Next;
    }
    Out.insert(Out.end(), Value.begin(), Value.end());
  }
  return Out;
}

static void testScan() {
  std::vector<int> In(3 * 128), Expected(3 * 128);
  for (int I = 0; I < 3 * 128; ++I) {
    In[I] = I * 7 % 31;
    Expected[I] = In[I] + (I % 128 ? Expected[I - 1] : 0);
  }
  suite::Array<int> From(In), To(In.size());
  scan<<<3, 128>>>(From.get(), To.get());
  same(To.host(), Expected);
}

static void testSort() {
  std::vector<int> Keys(256);
  for (int I = 0; I < 256; ++I)
    Keys[I] = I * 7919 % 1009;
  suite::Array<int> Data(Keys);
  sort<<<1, 256, 256 * sizeof(int)>>>(Data.get());
  std::sort(Keys.begin(), Keys.end());
  same(Data.host(), Keys);
}

static void testHistory() {
  const int Threads = 70, Rounds = 9;
  suite::Array<int> Out(4 * 96);
  history<<<1, 96>>>(Out.get(), Threads, Rounds);
  std::vector<int> Expected(4 * 96);
  for (int T = 0; T < Threads; ++T)
    for (int R = 0; R < Rounds; ++R)
      Expected[4 * T + (((T + 1) % Threads + R) & 3)] += R;
  same(Out.host(), Expected);
}

int main() {
  testScan();
  testSort();
  testHistory();
  std::vector<int> Counts = {0, 1, 2, 7, 10};
  suite::Array<int> Device(Counts), Out(Counts.size() * 64);
  steps<<<Counts.size(), 64>>>(Device.get(), Out.get());
  same(Out.host(), stepsOnHost(Counts));
  return suite::finish();
}
