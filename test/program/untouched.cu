// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program compiled without -fblockmaestro has nothing of ours in it.
// RUN: %bmclangxx --cuda-path=%cuda -Wno-unknown-cuda-version --offload-arch=sm_90 -c %s \
// RUN:   -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --implicit-check-not=blockmaestro

#include <cuda_runtime.h>

__global__ void fill(int *Out) { Out[0] = 5; }
void run(int *Device) { fill<<<1, 1>>>(Device); }
// CHECK: U cudaLaunchKernel
