// `bm-dump metadata` shows every field of a record.
// RUN: %bmclangxx -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s

struct Pair {
  float *first;
  int count;
};

__device__ int table[64];

// CHECK: module {{.*}}text.cu for sm_90
// CHECK-NEXT: bitcode: {{[1-9][0-9]+}} bytes
// CHECK: global table: 256 bytes
// CHECK: kernel work(Pair, short, float*) [_Z4work4PairsPf]
// CHECK-NEXT: arguments: 32 bytes
// CHECK-NEXT: arg0: 16 bytes at 0, by value
// CHECK-NEXT: arg1: 2 bytes at 16
// CHECK-NEXT: arg2: 8 bytes at 24, pointer
// CHECK-NEXT: shared: 128 bytes
// CHECK-NEXT: features: barrier
// CHECK-NEXT: 3 accesses: 3 exact
__global__ void work(Pair p, short s, float *a) {
  __shared__ float tile[32];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  p.first[threadIdx.x] = tile[31 - threadIdx.x] + s + table[threadIdx.x];
}

// CHECK: kernel dynamic(int*) [_Z7dynamicPi]
// CHECK: shared: 0 bytes
// CHECK-NEXT: features: dynamic shared memory
__global__ void dynamic(int *a) {
  extern __shared__ int words[];
  words[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = words[threadIdx.x] + 1;
}
