// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A comparison without sign of a number of the launch, which may be negative, with
// one read from memory, which is then above 2^31 or not: whether it holds is not
// known for any number of the launch.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel notBelow
// CHECK: write bounded { [bx] -> arg2[0..3] }
// CHECK-NEXT: because
__global__ void notBelow(const unsigned *p, int n, float *to) {
  if (p[threadIdx.x] >= n)
    *to = 1;
}

// CHECK: kernel leaves
// CHECK: write bounded { [bx] -> arg2[0..3] }
// CHECK-NEXT: because
__global__ void leaves(const int *p, int n, float *to) {
  unsigned v = p[threadIdx.x];
  if (v < n)
    return;
  *to = 1;
}

// A value that is below 2^31 is no more than a number of the launch that is not
// negative.
// CHECK: kernel small
// CHECK: write bounded { [bx] -> arg2[0..3] : arg1 >= 0 }
__global__ void small(const unsigned short *p, int n, float *to) {
  if (unsigned(p[threadIdx.x]) >= unsigned(n))
    *to = 1;
}
