// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what source may use under nvcc and clang lacks: loads and
// stores with cache operators, nan(), the delete of C++14, what virtual
// functions without a body call, shared memory for objects that have a
// constructor, which does not run, and indices of threads and blocks as values.
// On the data's way: bmnvcc includes it in front of every CUDA file.
// Invariants: of the toolkit's header only the names that clang has already are
// hidden.

#ifndef BLOCKMAESTRO_DEVICE_SOURCE_H
#define BLOCKMAESTRO_DEVICE_SOURCE_H

#ifndef __CUDACC__
#define blockmaestro_index(Value) (Value)
#endif

#if defined(__CUDACC__) && defined(__cplusplus)
#pragma GCC system_header

// nvcc's own headers bring these two to the host's code.
#include <math.h>
#include <new>
#include <time.h>

#define __ldg blockmaestro_hidden_ldg
#define __ldcg blockmaestro_hidden_ldcg
#define __ldcv blockmaestro_hidden_ldcv
#define __ldcs blockmaestro_hidden_ldcs
#define __stwt blockmaestro_hidden_stwt
#define __funnelshift_l blockmaestro_hidden_funnelshift_l
#define __funnelshift_lc blockmaestro_hidden_funnelshift_lc
#define __funnelshift_r blockmaestro_hidden_funnelshift_r
#define __funnelshift_rc blockmaestro_hidden_funnelshift_rc
#undef __SM_32_INTRINSICS_H__
#undef __SM_32_INTRINSICS_HPP__
#include <sm_32_intrinsics.h>
#undef __ldg
#undef __ldcg
#undef __ldcv
#undef __ldcs
#undef __stwt
#undef __funnelshift_l
#undef __funnelshift_lc
#undef __funnelshift_r
#undef __funnelshift_rc

#define BLOCKMAESTRO_LOAD(Name)                                                \
  static __device__ __inline__ unsigned long Name(const unsigned long *P) {    \
    return Name(reinterpret_cast<const unsigned long long *>(P));              \
  }
BLOCKMAESTRO_LOAD(__ldcg)
BLOCKMAESTRO_LOAD(__ldcv)
BLOCKMAESTRO_LOAD(__ldcs)
#undef BLOCKMAESTRO_LOAD
static __device__ __inline__ void __stwt(long *P, long Value) {
  __stwt(reinterpret_cast<long long *>(P), static_cast<long long>(Value));
}
static __device__ __inline__ void __stwt(unsigned long *P,
                                         unsigned long Value) {
  __stwt(reinterpret_cast<unsigned long long *>(P),
         static_cast<unsigned long long>(Value));
}

template <typename T> union blockmaestro_shared {
  T Value;
  __host__ __device__ blockmaestro_shared() {}
  __host__ __device__ ~blockmaestro_shared() {}
};

/// What the program itself calls by the name of an index stays what it is.
template <typename T>
__host__ __device__ constexpr T &&blockmaestro_index(T &&Value) {
  return static_cast<T &&>(Value);
}
#define BLOCKMAESTRO_INDEX(Name, Type)                                         \
  static __device__ __inline__ const Type blockmaestro_index(                  \
      const __cuda_builtin_##Name##_t &Value) {                                \
    return {Value.x, Value.y, Value.z};                                        \
  }
BLOCKMAESTRO_INDEX(threadIdx, uint3)
BLOCKMAESTRO_INDEX(blockIdx, uint3)
BLOCKMAESTRO_INDEX(blockDim, dim3)
BLOCKMAESTRO_INDEX(gridDim, dim3)
#undef BLOCKMAESTRO_INDEX

#ifdef __CUDA_ARCH__
static __device__ double nan(const char *Text) { return __builtin_nan(""); }
static __device__ float nanf(const char *Text) { return __builtin_nanf(""); }

extern "C" __device__ __attribute__((weak, used)) void __cxa_pure_virtual() {
  __builtin_trap();
}
#endif

#endif
#endif
