// Kernels launched by a kernel: unknown, for what they touch; the kernel is
// marked.
// RUN: %footprints -fgpu-rdc -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -fgpu-rdc -O3 %s | FileCheck %s

__global__ void child(float *a) { a[threadIdx.x] = 1.0f; }

// CHECK-LABEL: kernel parent{{.*}}
// CHECK-DAG: dynamic parallelism
// CHECK-DAG: unknown { [bx] -> anywhere }
__global__ void parent(float *a) {
  if (threadIdx.x == 0)
    child<<<1, 256>>>(a);
}
