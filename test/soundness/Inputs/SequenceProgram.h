// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a generated program includes instead of CUDA's headers,
// which take longer than all of its kernels: the words of the language,
// launches, and the calls that SequenceProgram.cu answers. Invariants:
// operations on several streams are ordered as they are called.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_SEQUENCEPROGRAM_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_SEQUENCEPROGRAM_H

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __host__ __attribute__((host))

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
};
typedef struct CUstream_st *cudaStream_t;
extern "C" int cudaLaunchKernel(const void *, dim3, dim3, void **,
                                unsigned long, cudaStream_t);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0,
                                                cudaStream_t = nullptr);
#include <__clang_cuda_builtin_vars.h>

/// What a thread writes before it has read anything: no two kernels, blocks and
/// neighbours the same.
#define ACC                                                                    \
  (float)(__LINE__ % 89 + threadIdx.x + 7 * blockIdx.x + 3 * blockIdx.y)
/// No read is left out because nothing uses what it gives.
#define KEEP(v)                                                                \
  {                                                                            \
    volatile float kept = v;                                                   \
  }
#define LOOK(T, place) (*(const volatile T *)&(place))
#define BEGIN_TILE                                                             \
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0)                            \
    for (int t = 0; t < 64; ++t)                                               \
      tile[t] = t;                                                             \
  __syncthreads();

struct alignas(16) Float4 {
  float x, y, z, w;
};
struct Triple {
  int m0, m1, m2;
};

#define BOTH(T)                                                                \
  __device__ inline T min(T a, T b) { return b < a ? b : a; }                  \
  __device__ inline T max(T a, T b) { return a < b ? b : a; }
BOTH(int)
BOTH(unsigned)
BOTH(long)
BOTH(unsigned long)
#define ATOMICS(T)                                                             \
  __device__ inline T atomicAdd(T *p, T v) {                                   \
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);                         \
  }                                                                            \
  __device__ inline T atomicMax(T *p, T v) {                                   \
    return __atomic_fetch_max(p, v, __ATOMIC_RELAXED);                         \
  }                                                                            \
  __device__ inline T atomicExch(T *p, T v) {                                  \
    return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);                        \
  }                                                                            \
  __device__ inline T atomicCAS(T *p, T c, T v) {                              \
    __atomic_compare_exchange_n(p, &c, v, false, __ATOMIC_RELAXED,             \
                                __ATOMIC_RELAXED);                             \
    return c;                                                                  \
  }
ATOMICS(int)
ATOMICS(unsigned)
ATOMICS(long)
ATOMICS(unsigned long)
__device__ inline float atomicAdd(float *p, float v) {
  return __nvvm_atom_add_gen_f(p, v);
}

/// Whether the program of that name was asked for.
bool wanted(unsigned program);
void begin(unsigned program);
/// The next memory: of that size, or a variable.
void memory(long bytes, const void *variable = nullptr);
char *at(unsigned memory, long offset);
/// Makes the bytes from \p offset on a pointer.
template <typename T> void put(T &in, int offset, const void *pointer) {
  __builtin_memcpy(reinterpret_cast<char *>(&in) + offset, &pointer,
                   sizeof(pointer));
}
/// A stream, behind everything called so far.
cudaStream_t on(int stream);
void copy(int stream, char *to, const char *from, long bytes);
void fill(int stream, char *to, int value, long bytes);
void upload(int stream, char *to, long word, long bytes);
void download(const char *from, long bytes);
/// Contents.h's numbers from \p low to \p high bytes behind \p to.
void contents(int stream, char *to, long low, long high, int elementBytes,
              unsigned seed, unsigned array, bool wild, bool isSigned);
void wait(int stream, bool device);
/// Prints a hash of all memory.
void end();
/// The programs of the generated source.
void programs();

#endif
