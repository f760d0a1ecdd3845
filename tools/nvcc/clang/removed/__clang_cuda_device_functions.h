// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clang's header, without the bodies of the votes that have no mask, which
// ptxas refuses; the toolkit's headers call one.

#define __any blockmaestro_hidden_any
#define __all blockmaestro_hidden_all
#define __ballot blockmaestro_hidden_ballot
#include_next <__clang_cuda_device_functions.h>
#undef __any
#undef __all
#undef __ballot
extern "C" __device__ unsigned __ballot(int);
