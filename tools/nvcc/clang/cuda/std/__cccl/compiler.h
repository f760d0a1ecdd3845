// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// bmnvcc tells programs that nvcc compiles them. The toolkit's own headers have
// to know that it is clang.

#pragma push_macro("__NVCC__")
#undef __NVCC__
#include_next <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__NVCC__")
