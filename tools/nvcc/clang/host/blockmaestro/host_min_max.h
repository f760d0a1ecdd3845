// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: min and max of the global namespace for host code, as nvcc has
// them; clang has those of the device only.
// On the data's way: bmnvcc includes it in front of every CUDA file.
// Invariants: the same pairs of types and the same results as NVIDIA's.

#ifndef BLOCKMAESTRO_HOST_MIN_MAX_H
#define BLOCKMAESTRO_HOST_MIN_MAX_H
#if defined(__CUDACC__) && defined(__cplusplus)
#pragma GCC system_header

#define BLOCKMAESTRO_MIN_MAX(Result, First, Second)                            \
  static inline __host__ Result min(First A, Second B) {                       \
    return static_cast<Result>(A) < static_cast<Result>(B)                     \
               ? static_cast<Result>(A)                                        \
               : static_cast<Result>(B);                                       \
  }                                                                            \
  static inline __host__ Result max(First A, Second B) {                       \
    return static_cast<Result>(A) > static_cast<Result>(B)                     \
               ? static_cast<Result>(A)                                        \
               : static_cast<Result>(B);                                       \
  }
#define BLOCKMAESTRO_MIN_MAX_INTEGERS(Type)                                    \
  BLOCKMAESTRO_MIN_MAX(Type, Type, Type)                                       \
  BLOCKMAESTRO_MIN_MAX(unsigned Type, unsigned Type, unsigned Type)            \
  BLOCKMAESTRO_MIN_MAX(unsigned Type, Type, unsigned Type)                     \
  BLOCKMAESTRO_MIN_MAX(unsigned Type, unsigned Type, Type)
#define BLOCKMAESTRO_MIN_MAX_FLOATS(Result, First, Second, Suffix)             \
  static inline __host__ Result min(First A, Second B) {                       \
    return __builtin_fmin##Suffix(A, B);                                       \
  }                                                                            \
  static inline __host__ Result max(First A, Second B) {                       \
    return __builtin_fmax##Suffix(A, B);                                       \
  }

BLOCKMAESTRO_MIN_MAX_INTEGERS(int)
BLOCKMAESTRO_MIN_MAX_INTEGERS(long)
BLOCKMAESTRO_MIN_MAX_INTEGERS(long long)
BLOCKMAESTRO_MIN_MAX_FLOATS(float, float, float, f)
BLOCKMAESTRO_MIN_MAX_FLOATS(double, double, double, )
BLOCKMAESTRO_MIN_MAX_FLOATS(double, float, double, )
BLOCKMAESTRO_MIN_MAX_FLOATS(double, double, float, )

#undef BLOCKMAESTRO_MIN_MAX
#undef BLOCKMAESTRO_MIN_MAX_INTEGERS
#undef BLOCKMAESTRO_MIN_MAX_FLOATS

#endif
#endif
