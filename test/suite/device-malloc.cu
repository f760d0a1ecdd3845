// Feature: memory: malloc, free, new and delete in kernels: lists and arrays that later
// launches find again, and a heap that runs full.

#include "Inputs/suite.h"

struct Node {
  int Value;
  Node *Next;
};

__global__ void build(Node **Heads, int Length) {
  Node *Head = nullptr;
  for (int I = 0; I < Length; ++I)
    Head = new Node{int(threadIdx.x) * 100 + I, Head};
  Heads[threadIdx.x] = Head;
}

__global__ void sum(Node **Heads, int *Out) {
  int Sum = 0;
  for (Node *N = Heads[threadIdx.x]; N;) {
    Node *Next = N->Next;
    Sum += N->Value;
    delete N;
    N = Next;
  }
  Out[threadIdx.x] = Sum;
}

// One thread allocates for all of its block.
__global__ void shared(int *Out) {
  __shared__ int *Data;
  if (threadIdx.x == 0)
    Data = static_cast<int *>(malloc(blockDim.x * sizeof(int)));
  __syncthreads();
  if (Data) {
    Data[threadIdx.x] = threadIdx.x + blockIdx.x;
    __syncthreads();
    Out[blockIdx.x * blockDim.x + threadIdx.x] =
        Data[blockDim.x - 1 - threadIdx.x];
  }
  __syncthreads();
  if (threadIdx.x == 0)
    free(Data);
}

// Takes all there is in pieces, then gives it back.
__global__ void exhaust(int *Out) {
  const size_t Piece = 64 * 1024;
  void *Last = nullptr;
  int Count = 0;
  while (void *P = malloc(Piece)) {
    *static_cast<void **>(P) = Last;
    Last = P;
    ++Count;
  }
  Out[0] = Count;
  while (Last) {
    void *Next = *static_cast<void **>(Last);
    free(Last);
    Last = Next;
  }
  // Volatile, since a compiler may take an unused allocation to succeed.
  void *volatile Again = malloc(Piece);
  Out[1] = Again != nullptr;
  void *volatile TooMuch = malloc(size_t(1) << 40);
  Out[2] = TooMuch == nullptr;
  free(Again);
  free(nullptr);
}

int main() {
  size_t Limit = 0;
  check(cudaDeviceGetLimit(&Limit, cudaLimitMallocHeapSize));
  expect(Limit >= 8 << 20);
  suite::Array<Node *> Heads(64);
  suite::Array<int> Sums(64);
  build<<<1, 64>>>(Heads, 20);
  sum<<<1, 64>>>(Heads, Sums);
  std::vector<int> Expected(64);
  for (int T = 0; T < 64; ++T)
    Expected[T] = 20 * 100 * T + 190;
  same(Sums.host(), Expected);

  suite::Array<int> Out(6 * 96);
  shared<<<6, 96>>>(Out);
  std::vector<int> Reversed(6 * 96);
  for (int I = 0; I < 6 * 96; ++I)
    Reversed[I] = 95 - I % 96 + I / 96;
  same(Out.host(), Reversed);

  suite::Array<int> Counts(3);
  exhaust<<<1, 1>>>(Counts);
  std::vector<int> Got = Counts.host();
  expect(Got[0] > 16 && Got[0] <= int(Limit / (64 * 1024)));
  expect(Got[1] == 1 && Got[2] == 1);
  return suite::finish();
}
