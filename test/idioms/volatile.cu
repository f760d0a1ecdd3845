// Volatile accesses: exact, and the kernel is marked as using them.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel flag{{.*}}
// CHECK-DAG: volatile
// CHECK-DAG: read exact { [bx] -> arg0[4*bx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] }
__global__ void flag(volatile int *flags, int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = flags[blockIdx.x];
}

// CHECK-LABEL: kernel plain
// CHECK-NOT: volatile
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void plain(int *out) { out[threadIdx.x] = 1; }
