// A CUDA program on standard input, which clang's two compilations would both
// read to its end, is compiled whole; messages name it as clang does, and the
// same input gives the same object.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %bmclangxx -fblockmaestro -x cuda -O2 -c - -o first.o < %s
// RUN: %bmclangxx -fblockmaestro -x cuda -O2 -c - -o second.o < %s
// RUN: cmp first.o second.o
// RUN: %bm-dump metadata first.o | FileCheck %s
// RUN: llvm-nm first.o | FileCheck %s --check-prefix=HOST
// RUN: not %bmclangxx -fblockmaestro -DMISTAKE -x cuda -c - < %s 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: module - for sm_90
// CHECK: kernel work(float*)
// HOST: w __blockmaestro_launch
// ERROR: <stdin>:[[@LINE+2]]:21: error: use of undeclared identifier 'nothing'
#ifdef MISTAKE
__device__ auto x = nothing;
#endif
__global__ void work(float *a) { a[threadIdx.x] += 1; }
void launch(float *a) { work<<<1, 32>>>(a); }
