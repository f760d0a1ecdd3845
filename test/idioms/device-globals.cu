// Device globals: exact, rooted at their name.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

__device__ float field[1024];
__device__ int counter;

// CHECK-LABEL: kernel touch
// CHECK-DAG: read exact { [bx] -> @field[4*tx + 4..7] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-DAG: atomic exact { [bx] -> @counter[0..3] }
__global__ void touch(float *out) {
  out[threadIdx.x] = field[threadIdx.x + 1];
  atomicAdd(&counter, 1);
}

// CHECK-LABEL: kernel once
// CHECK: @{{.*}}calls
__global__ void once(int *out) {
  static __device__ int calls;
  out[threadIdx.x] = ++calls;
}
