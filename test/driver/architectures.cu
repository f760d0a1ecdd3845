// Given architectures replace the default, and each has its record, the newest
// first.
// RUN: %bmclangxx -fblockmaestro --offload-arch=sm_80 --offload-arch=sm_100 --offload-arch=sm_90 -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s

// CHECK: module {{.*}}architectures.cu for sm_100
// CHECK: kernel work(float*)
// CHECK: module {{.*}}architectures.cu for sm_90
// CHECK: kernel work(float*)
// CHECK: module {{.*}}architectures.cu for sm_80
// CHECK: kernel work(float*)

__global__ void work(float *a) { a[threadIdx.x] += 1; }
