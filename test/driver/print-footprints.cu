// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// opt prints the footprints of LLVM IR that clang made without BlockMaestro, the
// same as bmclang++ finds, and leaves the code as it is.
// RUN: %bmclangxx -fno-blockmaestro --cuda-device-only --cuda-gpu-arch=sm_90 -O1 -S -emit-llvm %s -o %t.ll
// RUN: opt -load-pass-plugin=%plugin -passes='print<blockmaestro-footprints>' -S %t.ll -o %t.after.ll | FileCheck %s
// RUN: opt -S %t.ll -o %t.before.ll && diff %t.before.ll %t.after.ll
// RUN: not opt -load-pass-plugin=%plugin -passes='print<footprints>' %t.ll -o /dev/null

// CHECK: kernel twice(float*, int)
// CHECK-NEXT: read exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
// CHECK: 2 accesses: 2 exact
#include <cuda_runtime.h>
__global__ void twice(float *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= 2;
}
