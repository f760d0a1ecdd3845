// Feature: libraries: libcu++: cuda::atomic and atomic_ref with scopes, cuda::barrier,
// latch, semaphore, pipeline, and std types as tuple, array, optional, span, complex.
// Flags: -std=c++17

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <new>

#include "Inputs/suite.h"

struct Counters {
  cuda::atomic<int, cuda::thread_scope_device> Sum{0};
  cuda::atomic<unsigned long long, cuda::thread_scope_system> Or{0};
  cuda::atomic<int, cuda::thread_scope_system> Most{0};
  cuda::atomic<int, cuda::thread_scope_device> Turn{0};
};

__global__ void count(Counters *C, int *Plain) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  C->Sum.fetch_add(I, cuda::std::memory_order_relaxed);
  C->Or.fetch_or(1ull << (I % 64));
  C->Most.fetch_max(I);
  cuda::atomic_ref<int, cuda::thread_scope_device> Ref(Plain[I % 4]);
  Ref += 1;
  int Old = Ref.load();
  while (!Ref.compare_exchange_weak(Old, Old + 2))
    ;
}

// Blocks write one after the other: the value of each is in place before its
// turn is given on with release.
__global__ void chain(Counters *C, int *Data) {
  if (threadIdx.x == 0) {
    while (C->Turn.load(cuda::std::memory_order_acquire) != static_cast<int>(blockIdx.x))
      ;
    Data[blockIdx.x + 1] = Data[blockIdx.x] * 3 + 1;
    C->Turn.store(blockIdx.x + 1, cuda::std::memory_order_release);
  }
}

__global__ void phases(int *Out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(Barrier) char Place[sizeof(Barrier)];
  Barrier &Bar = *reinterpret_cast<Barrier *>(Place);
  __shared__ int Ring[64];
  if (threadIdx.x == 0)
    init(&Bar, blockDim.x);
  Ring[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int Step = 0; Step < 3; ++Step) {
    const int Next = Ring[(threadIdx.x + 1) % 64];
    Bar.arrive_and_wait();
    Ring[threadIdx.x] = Next * 2;
    Barrier::arrival_token Token = Bar.arrive();
    Bar.wait(cuda::std::move(Token));
  }
  Out[threadIdx.x] = Ring[threadIdx.x];
}

__global__ void latched(int *Out) {
  __shared__ cuda::latch<cuda::thread_scope_block> *Gate;
  __shared__ alignas(cuda::latch<cuda::thread_scope_block>) char Place[sizeof(*Gate)];
  __shared__ int Ready[32];
  if (threadIdx.x == 0)
    Gate = new (Place) cuda::latch<cuda::thread_scope_block>(32);
  __syncthreads();
  if (threadIdx.x < 32) {
    Ready[threadIdx.x] = threadIdx.x + 1;
    Gate->count_down();
  } else {
    Gate->wait();
    int Sum = 0;
    for (int X : Ready)
      Sum += X;
    Out[threadIdx.x - 32] = Sum;
  }
}

__global__ void types(float *Out) {
  cuda::std::array<float, 4> A{1, 2, 3, 4};
  cuda::std::span<float> S(A.data(), A.size());
  const cuda::std::tuple<int, float> T(3, 0.5f);
  cuda::std::optional<float> O;
  if (threadIdx.x % 2)
    O = S[threadIdx.x % 4];
  const cuda::std::complex<float> Z(0.0f, 1.0f), W = Z * Z;
  Out[threadIdx.x] = O.value_or(-1.0f) + cuda::std::get<0>(T) * cuda::std::get<1>(T) +
                     W.real() + cuda::std::plus<>{}(S.front(), S.back());
}

int main() {
  Counters *C = nullptr;
  check(cudaMallocManaged(&C, sizeof *C));
  new (C) Counters;
  constexpr int Blocks = 5, Threads = 64, N = Blocks * Threads;
  suite::Array<int> Plain(4);
  count<<<Blocks, Threads>>>(C, Plain);
  same(Plain.host(), std::vector<int>(4, N / 4 * 3));
  expect(C->Sum.load() == N * (N - 1) / 2);
  expect(C->Or.load() == ~0ull);
  expect(C->Most.load() == N - 1);

  suite::Array<int> Data(Blocks + 1);
  chain<<<Blocks, 32>>>(C, Data);
  same(Data.host(), (std::vector<int>{0, 1, 4, 13, 40, 121}));

  suite::Array<int> Out(64);
  phases<<<1, 64>>>(Out);
  std::vector<int> Expected(64);
  for (int I = 0; I < 64; ++I)
    Expected[I] = (I + 3) % 64 * 8;
  same(Out.host(), Expected);
  suite::Array<int> Sums(32);
  latched<<<1, 64>>>(Sums);
  same(Sums.host(), std::vector<int>(32, 528));

  suite::Array<float> F(8);
  types<<<1, 8>>>(F);
  std::vector<float> FHere(8);
  for (int I = 0; I < 8; ++I)
    FHere[I] = (I % 2 ? I % 4 + 1.0f : -1.0f) + 1.5f - 1.0f + 5.0f;
  same(F.host(), FHere);
  check(cudaFree(C));
  return suite::finish();
}
