// Feature: atomics: Every atomic function, on each of its types, in global and in shared memory, also of narrower and wider scope.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "Inputs/suite.h"

#include <algorithm>
#include <cstdint>

constexpr int Threads = 256, Blocks = 8, Total = Threads * Blocks;

struct Cells {
  int Add, Sub, Min, Max, And, Or, Xor, Exchange, Swap;
  unsigned UMin, UMax, Inc, Dec;
  unsigned long long Long, LongMin, LongMax, LongAnd, LongOr, LongXor, LongSwap;
  long long SignedMin, SignedMax;
  float Float;
  double Double;
  __half Half;
  __half2 Halves;
  __nv_bfloat16 BFloat;
  __nv_bfloat162 BFloats;
  unsigned short Short;
  int Block, System;
};

__device__ void all(Cells *C, int T) {
  atomicAdd(&C->Add, T);
  atomicSub(&C->Sub, T);
  atomicMin(&C->Min, 1000 - T);
  atomicMax(&C->Max, T - 1000);
  atomicAnd(&C->And, ~(1 << (T % 20)));
  atomicOr(&C->Or, 1 << (T % 20));
  atomicXor(&C->Xor, T);
  atomicExch(&C->Exchange, 77);
  for (int Old = C->Swap, Seen; (Seen = atomicCAS(&C->Swap, Old, Old + 2)) != Old;)
    Old = Seen;
  atomicMin(&C->UMin, 0xffffffffu - T);
  atomicMax(&C->UMax, 0x80000000u + T);
  atomicInc(&C->Inc, 99);
  atomicDec(&C->Dec, 99);
  atomicAdd(&C->Long, 1ull << 33);
  atomicMin(&C->LongMin, ~0ull - T);
  atomicMax(&C->LongMax, 1ull << 40 | T);
  atomicAnd(&C->LongAnd, ~(1ull << (T % 60)));
  atomicOr(&C->LongOr, 1ull << (T % 60));
  atomicXor(&C->LongXor, (unsigned long long)T << 20);
  for (unsigned long long Old = C->LongSwap, Seen;
       (Seen = atomicCAS(&C->LongSwap, Old, Old + 3)) != Old;)
    Old = Seen;
  atomicMin(&C->SignedMin, -(long long)T);
  atomicMax(&C->SignedMax, (long long)T << 32);
  atomicAdd(&C->Float, 0.25f);
  atomicAdd(&C->Double, 0.125);
  if (T < 128) {
    atomicAdd(&C->Half, __float2half(0.5f));
    atomicAdd(&C->Halves, __floats2half2_rn(1.0f, 0.5f));
    atomicAdd(&C->BFloat, __float2bfloat16(1.0f));
    atomicAdd(&C->BFloats, __floats2bfloat162_rn(1.0f, 0.5f));
  }
  for (unsigned short Old = C->Short, Seen;
       (Seen = atomicCAS(&C->Short, Old, (unsigned short)(Old + 1))) != Old;)
    Old = Seen;
  atomicAdd_block(&C->Block, 1);
  atomicAdd_system(&C->System, 2);
}

__global__ void inGlobal(Cells *C) {
  all(C, blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void inShared(const Cells *Start, Cells *Out) {
  __shared__ Cells C;
  if (threadIdx.x == 0)
    C = *Start;
  __syncthreads();
  all(&C, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    *Out = C;
}

static Cells started() {
  Cells C = {};
  C.And = -1;
  C.LongAnd = ~0ull;
  C.UMin = ~0u;
  C.LongMin = ~0ull;
  return C;
}

static void compare(const Cells &C, int Count, bool OneBlock) {
  int Sum = Count * (Count - 1) / 2, Xor = 0;
  for (int T = 0; T < Count; ++T)
    Xor ^= T;
  expect(C.Add == Sum);
  expect(C.Sub == -Sum);
  expect(C.Min == std::min(0, 1001 - Count));
  expect(C.Max == std::max(0, Count - 1001));
  expect(C.And == ~0xfffff);
  expect(C.Or == 0xfffff);
  expect(C.Xor == Xor);
  expect(C.Exchange == 77);
  expect(C.Swap == 2 * Count);
  expect(C.UMin == 0xffffffffu - (Count - 1));
  expect(C.UMax == 0x80000000u + Count - 1);
  expect(C.Inc == unsigned(Count % 100));
  expect(C.Dec == unsigned((100 - Count % 100) % 100));
  expect(C.Long == (1ull << 33) * Count);
  expect(C.LongMin == ~0ull - (Count - 1));
  expect(C.LongMax == (1ull << 40 | (Count - 1)));
  expect(C.LongAnd == ~((1ull << 60) - 1));
  expect(C.LongOr == (1ull << 60) - 1);
  expect(C.LongXor == (unsigned long long)Xor << 20);
  expect(C.LongSwap == 3ull * Count);
  expect(C.SignedMin == -(long long)(Count - 1));
  expect(C.SignedMax == (long long)(Count - 1) << 32);
  expect(C.Float == 0.25f * Count);
  expect(C.Double == 0.125 * Count);
  expect(__half2float(C.Half) == 64);
  expect(__low2float(C.Halves) == 128 && __high2float(C.Halves) == 64);
  expect(__bfloat162float(C.BFloat) == 128);
  expect(__low2float(C.BFloats) == 128 && __high2float(C.BFloats) == 64);
  expect(C.Short == (unsigned short)Count);
  expect(!OneBlock || C.Block == Count);
  expect(C.System == 2 * Count);
}

int main() {
  suite::Array<Cells> Start(std::vector<Cells>{started()}),
      Global(std::vector<Cells>{started()}), Shared(1);
  inGlobal<<<Blocks, Threads>>>(Global);
  compare(Global.host()[0], Total, false);
  inShared<<<1, Threads>>>(Start, Shared);
  compare(Shared.host()[0], Threads, true);
  return suite::finish();
}
