// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The toolkit's header, with the bases of functors that Thrust had before CUDA
// 13.

#include_next <thrust/functional.h>

#ifndef BLOCKMAESTRO_REMOVED_THRUST_FUNCTIONS
#define BLOCKMAESTRO_REMOVED_THRUST_FUNCTIONS
#include <blockmaestro/removed_mark.h>
#include <cuda/version>
#if CCCL_MAJOR_VERSION >= 3

namespace thrust {
template <typename Argument, typename Result>
struct BLOCKMAESTRO_REMOVED("no base class") unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};
template <typename First, typename Second, typename Result>
struct BLOCKMAESTRO_REMOVED("no base class") binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};
} // namespace thrust

#endif
#endif
