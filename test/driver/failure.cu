// clang's exit code is ours, and the temporary folder goes also when it fails.
// RUN: rm -rf %t && mkdir %t
// RUN: not env TMPDIR=%t %bmclangxx -fblockmaestro -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: ls -A %t | count 0

// CHECK: error: use of undeclared identifier 'nothing'

__global__ void work(float *a) { a[threadIdx.x] = nothing; }
