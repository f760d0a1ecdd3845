// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The toolkit's header, with the functions of CUB that are libcu++'s now.

#include_next <cub/thread/thread_operators.cuh>

#ifndef BLOCKMAESTRO_REMOVED_CUB_OPERATORS
#define BLOCKMAESTRO_REMOVED_CUB_OPERATORS
#include <blockmaestro/removed_mark.h>
#include <cuda/version>
#if CCCL_MAJOR_VERSION >= 3

namespace cub {
#define BLOCKMAESTRO_OPERATOR(Name, Instead, Expression)                       \
  struct BLOCKMAESTRO_REMOVED(Instead) Name {                                  \
    template <typename T, typename U>                                          \
    __host__ __device__ constexpr auto operator()(const T &A, const U &B)      \
        const -> decltype(Expression) {                                        \
      return Expression;                                                       \
    }                                                                          \
  };
BLOCKMAESTRO_OPERATOR(Sum, "cuda::std::plus<>", A + B)
BLOCKMAESTRO_OPERATOR(Difference, "cuda::std::minus<>", A - B)
BLOCKMAESTRO_OPERATOR(Division, "cuda::std::divides<>", A / B)
BLOCKMAESTRO_OPERATOR(Max, "cuda::maximum<>", A < B ? B : A)
BLOCKMAESTRO_OPERATOR(Min, "cuda::minimum<>", B < A ? B : A)
BLOCKMAESTRO_OPERATOR(Equality, "cuda::std::equal_to<>", A == B)
BLOCKMAESTRO_OPERATOR(Inequality, "cuda::std::not_equal_to<>", A != B)
#undef BLOCKMAESTRO_OPERATOR
} // namespace cub

#endif
#endif
