// Below sm_90 nothing is added, and the reason is recorded.
// RUN: %bmclangxx -fblockmaestro --offload-arch=sm_80 -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s

// CHECK: module {{.*}} for sm_80
// CHECK-NOT: persistent entry
// CHECK: kernel one
// CHECK-NOT: prelaunch:
// CHECK: no variant: compiled for sm_80; waiting for single blocks needs sm_90 or newer

__global__ void one(int *a) { a[threadIdx.x] = 1; }
