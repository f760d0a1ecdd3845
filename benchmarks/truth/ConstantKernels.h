// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that each keep one part of a GPU busy: chains of instructions, loads
// and atomics that need the one before, and many that do not. They read the
// clock themselves, for programs that run them on a GPU.

#ifndef BLOCKMAESTRO_BENCHMARKS_TRUTH_CONSTANTKERNELS_H
#define BLOCKMAESTRO_BENCHMARKS_TRUTH_CONSTANTKERNELS_H

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <string>
#include <utility>

// Chains of instructions, each of which needs the one before.

struct Xor {
  using Type = uint32_t;
  static constexpr int Instructions = 2;
  static __device__ void step(Type &A, Type B) { A = (A ^ B) + B; }
};
struct IntegerMad {
  using Type = uint32_t;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = A * B + B; }
};
struct SingleFma {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = __fmaf_rn(A, B, B); }
};
struct DoubleFma {
  using Type = double;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = __fma_rn(A, B, B); }
};
/// With an addition behind it.
struct Reciprocal {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) {
    asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(A));
    A += B;
  }
};
struct SingleDivision {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = __fdiv_rn(B, A); }
};
struct SingleRoot {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type) { A = __fsqrt_rn(A); }
};
struct DoubleDivision {
  using Type = double;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = __ddiv_rn(B, A); }
};
struct Exponential {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type) { A = expf(-A); }
};
struct IntegerDivision {
  using Type = uint32_t;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = B / (A | 1); }
};
struct Conversion {
  using Type = float;
  static constexpr int Instructions = 2;
  static __device__ void step(Type &A, Type) {
    int I;
    asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(I) : "f"(A));
    asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(A) : "r"(I));
  }
};
struct Shuffle {
  using Type = uint32_t;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type) { A = __shfl_xor_sync(~0u, A, 1); }
};

/// Calls Do<Op>(Name) for all of these.
template <typename Function> void forEachOperation(Function Do) {
  Do.template operator()<Xor>("integer logic and addition");
  Do.template operator()<IntegerMad>("integer multiplication and addition");
  Do.template operator()<SingleFma>("float multiplication and addition");
  Do.template operator()<DoubleFma>("double multiplication and addition");
  Do.template operator()<Reciprocal>("approximate reciprocal and addition");
  Do.template operator()<SingleDivision>("float division");
  Do.template operator()<SingleRoot>("float square root");
  Do.template operator()<DoubleDivision>("double division");
  Do.template operator()<Exponential>("float exponential");
  Do.template operator()<IntegerDivision>("integer division");
  Do.template operator()<Conversion>("conversion");
  Do.template operator()<Shuffle>("shuffle");
}

template <typename Op, int Steps>
__global__ void chainOf(long long *Cycles, typename Op::Type *Result,
                        typename Op::Type Start, typename Op::Type Other) {
  typename Op::Type A = Start + typename Op::Type(threadIdx.x);
  const long long Begin = clock64();
#pragma unroll 64
  for (int I = 0; I < Steps; ++I)
    Op::step(A, Other);
  const long long End = clock64();
  Result[threadIdx.x] = A;
  Cycles[0] = End - Begin;
}

/// A loop of one step, which is not unrolled.
__global__ void loopOf(long long *Cycles, uint32_t *Result, uint32_t Other,
                       int Count) {
  uint32_t A = Other;
  const long long Begin = clock64();
#pragma unroll 1
  for (int I = 0; I < Count; ++I) {
    Xor::step(A, Other);
    asm volatile("" : "+r"(A));
  }
  Cycles[0] = clock64() - Begin;
  Result[0] = A;
}

// Chains of pointers.

__global__ void link(uint32_t *Next, uint32_t Count, uint32_t Stride) {
  for (uint32_t I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x)
    Next[size_t(I) * Stride] = ((I + 1) % Count) * Stride;
}

template <bool ThroughL1>
__global__ void follow(const uint32_t *Next, uint32_t From, int Count,
                       long long *Cycles, uint32_t *Result) {
  uint32_t At = From;
  const long long Begin = clock64();
  for (int I = 0; I < Count; ++I) {
    const uint32_t *P = Next + At;
    if (ThroughL1)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(At) : "l"(P));
    else
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(At) : "l"(P));
  }
  const long long End = clock64();
  Result[0] = At;
  Cycles[0] = End - Begin;
}

/// The same where the chain is followed several times within the kernel, so
/// that L1 has it.
__global__ void followAgain(const uint32_t *Next, int Count, int Rounds,
                            long long *Cycles, uint32_t *Result) {
  uint32_t At = 0;
  long long Begin = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    Begin = clock64();
    for (int I = 0; I < Count; ++I)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(At) : "l"(Next + At));
    Cycles[0] = clock64() - Begin;
  }
  Result[0] = At;
}

template <int Steps>
__global__ void followShared(long long *Cycles, uint32_t *Result) {
  __shared__ uint32_t Next[256];
  for (int I = 0; I < 256; ++I)
    Next[I] = (I + 1) % 256;
  uint32_t At = 0;
  const long long Begin = clock64();
#pragma unroll 16
  for (int I = 0; I < Steps; ++I)
    At = static_cast<volatile uint32_t *>(Next)[At];
  Cycles[0] = clock64() - Begin;
  Result[0] = At;
}

template <int Steps>
__global__ void addInTurn(uint32_t *To, long long *Cycles) {
  uint32_t At = 0;
  const long long Begin = clock64();
  for (int I = 0; I < Steps; ++I)
    At = atomicAdd(To + (At & 1), 0u);
  Cycles[0] = clock64() - Begin + At;
}

template <int Steps> __global__ void addSharedInTurn(long long *Cycles) {
  __shared__ uint32_t To[32];
  To[threadIdx.x] = 0;
  uint32_t At = 0;
  const long long Begin = clock64();
  for (int I = 0; I < Steps; ++I)
    At = atomicAdd(To + (At & 1), 0u);
  Cycles[0] = clock64() - Begin + At;
}

template <int Steps> __global__ void meet(long long *Cycles) {
  __syncthreads();
  const long long Begin = clock64();
#pragma unroll 16
  for (int I = 0; I < Steps; ++I)
    __syncthreads();
  if (threadIdx.x == 0)
    Cycles[0] = clock64() - Begin;
}

/// Of a word that is so many words behind the address, which is in the
/// instruction.
template <bool ThroughL1, int Words>
__device__ uint32_t loadBehind(const uint32_t *P) {
  uint32_t Out;
  if (ThroughL1)
    asm volatile("ld.global.ca.u32 %0, [%1+%2];"
                 : "=r"(Out)
                 : "l"(P), "n"(4 * Words));
  else
    asm volatile("ld.global.cg.u32 %0, [%1+%2];"
                 : "=r"(Out)
                 : "l"(P), "n"(4 * Words));
  return Out;
}

/// Loads of neighbouring lines that need nothing of each other.
template <bool ThroughL1, int... I>
__device__ uint32_t sumOfLines(const uint32_t *P,
                               std::integer_sequence<int, I...>) {
  const uint32_t Each[] = {loadBehind<ThroughL1, 32 * I>(P)...};
  uint32_t Out = 0;
#pragma unroll
  for (uint32_t Of : Each)
    Out += Of;
  return Out;
}

/// Warps with so many of these at once, again when all have come.
template <int Loads, bool ThroughL1>
__global__ void loadsAtOnce(const uint32_t *From, int Rounds, long long *Cycles,
                            uint32_t *Result) {
  const uint32_t Warps = blockDim.x / 32, Own = threadIdx.x / 32;
  const uint32_t *P = From + Own * Loads * 32 + threadIdx.x % 32;
  uint32_t Sum = 0;
  const long long Begin = clock64();
  for (int Round = 0; Round < Rounds; ++Round) {
    Sum = sumOfLines<ThroughL1>(P, std::make_integer_sequence<int, Loads>());
    P += Sum + (ThroughL1 ? 0 : Warps * Loads * 32);
  }
  if (threadIdx.x == 0)
    Cycles[0] = clock64() - Begin;
  Result[threadIdx.x] = Sum;
}

inline std::string atOnceName(int Loads, bool ThroughL1, int Warps) {
  return "latency_cycles " + std::to_string(Loads) + " loads from " +
         (ThroughL1 ? "L1" : "L2") + " at once" +
         (Warps > 1 ? ", " + std::to_string(Warps) + " warps" : "");
}

/// Calls Do<Loads, ThroughL1>(Warps) for all that are measured.
template <typename Function> void forEachAtOnce(Function Do) {
  const auto Of = [&]<bool ThroughL1>(int Warps) {
    Do.template operator()<1, ThroughL1>(Warps);
    Do.template operator()<2, ThroughL1>(Warps);
    Do.template operator()<4, ThroughL1>(Warps);
    Do.template operator()<8, ThroughL1>(Warps);
    Do.template operator()<16, ThroughL1>(Warps);
    Do.template operator()<32, ThroughL1>(Warps);
  };
  Of.template operator()<false>(1);
  Of.template operator()<true>(1);
  Of.template operator()<false>(4);
  Of.template operator()<true>(4);
}

// Rates.

/// No thread begins with 0, of which a division or a root calls the function
/// for extreme numbers.
template <typename Op, int Steps>
__global__ void rate(long long *Cycles, typename Op::Type *Result,
                     typename Op::Type Other) {
  typename Op::Type A[4];
  for (int I = 0; I < 4; ++I)
    A[I] = typename Op::Type(threadIdx.x + I + 1);
  __syncthreads();
  const long long Begin = clock64();
#pragma unroll 16
  for (int I = 0; I < Steps; ++I)
    for (auto &Each : A)
      Op::step(Each, Other);
  __syncthreads();
  Cycles[0] = clock64() - Begin;
  Result[threadIdx.x] = A[0] + A[1] + A[2] + A[3];
}

/// Every block reads all of them, a power of two, from a place of its own on.
template <bool ThroughL1>
__global__ void readAll(const uint4 *From, size_t Count, int Rounds,
                        uint32_t *Result) {
  uint32_t Sum = 0;
  const size_t Step = size_t(blockDim.x) * 4;
  const size_t Offset = size_t(blockIdx.x) * 977 * Step;
  for (int Round = 0; Round < Rounds; ++Round)
    for (size_t I = 0; I < Count; I += Step)
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        const size_t At =
            ((Offset + I + size_t(J) * blockDim.x) & (Count - 1)) + threadIdx.x;
        uint4 V;
        if (ThroughL1)
          asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                       : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                       : "l"(From + At));
        else
          asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                       : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                       : "l"(From + At));
        Sum += V.x ^ V.y ^ V.z ^ V.w;
      }
  if (Sum == 12345)
    *Result = Sum;
}

__global__ void readOnce(const uint4 *From, size_t Count, uint32_t *Result) {
  uint32_t Sum = 0;
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step) {
    const uint4 V = __ldcg(From + I);
    Sum += V.x ^ V.y ^ V.z ^ V.w;
  }
  if (Sum == 12345)
    *Result = Sum;
}

__global__ void writeOnce(uint4 *To, size_t Count) {
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step)
    To[I] = make_uint4(1, 2, 3, 4);
}

__global__ void copyOnce(const uint4 *From, uint4 *To, size_t Count) {
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step)
    To[I] = __ldcg(From + I);
}

/// Each word of one array from the same one of it.
__global__ void updateOnce(uint4 *At, size_t Count) {
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step) {
    uint4 V = __ldcg(At + I);
    V.x += 1;
    At[I] = V;
  }
}

__global__ void addOnce(const uint4 *A, const uint4 *B, uint4 *To,
                        size_t Count) {
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step) {
    const uint4 V = __ldcg(A + I), W = __ldcg(B + I);
    To[I] = make_uint4(V.x + W.x, V.y + W.y, V.z + W.z, V.w + W.w);
  }
}

/// What all threads write is written so many times.
__global__ void writeAgain(uint4 *To, size_t Count, uint32_t Rounds) {
  for (uint32_t Round = 0; Round < Rounds; ++Round)
    for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
         I += size_t(gridDim.x) * blockDim.x)
      To[I] = make_uint4(Round, Round, Round, Round);
}

__global__ void addTo(uint32_t *To, uint32_t Mask, int Rounds) {
  const uint32_t I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int Round = 0; Round < Rounds; ++Round)
    atomicAdd(To + ((I + Round * 4096) & Mask), 1u);
}

#endif
