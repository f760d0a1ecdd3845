// Inline assembly that touches no memory: no access, the rest stays exact.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel lanes{{.*}}
// CHECK-DAG: inline assembly
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NOT: unknown
__global__ void lanes(unsigned *out) {
  unsigned lane, sum;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("add.u32 %0, %1, 1;" : "=r"(sum) : "r"(lane));
  out[threadIdx.x] = sum;
}
