// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clang's header, and the warp operations without a mask that are no more since
// sm_70: clang has some of them, which ptxas refuses.

#define __shfl blockmaestro_hidden_shfl
#define __shfl_up blockmaestro_hidden_shfl_up
#define __shfl_down blockmaestro_hidden_shfl_down
#define __shfl_xor blockmaestro_hidden_shfl_xor
#include_next <__clang_cuda_intrinsics.h>
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#include <blockmaestro/removed_warp_operations.h>
