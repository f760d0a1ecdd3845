// Inline assembly with memory: exact for the common single loads, stores and
// atomics, unknown for all else.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel load{{.*}}
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void load(int *to, const int *from) {
  int value;
  asm volatile("ld.global.cg.s32 %0, [%1];"
               : "=r"(value)
               : "l"(from + threadIdx.x)
               : "memory");
  to[threadIdx.x] = value;
}

// CHECK-LABEL: kernel store{{.*}}
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 16..31] }
__global__ void store(float4 *to) {
  asm volatile("st.global.v4.f32 [%0+16], {%1, %1, %1, %1};" ::"l"(
                   to + threadIdx.x),
               "f"(1.0f)
               : "memory");
}

// CHECK-LABEL: kernel count{{.*}}
// CHECK-DAG: atomic exact { [bx] -> arg0[4*bx + 0..3] }
__global__ void count(int *to) {
  asm volatile("red.global.add.s32 [%0], 1;" ::"l"(to + blockIdx.x)
               : "memory");
}

// CHECK-LABEL: kernel fence{{.*}}
// CHECK-DAG: unknown { [bx] -> anywhere }
// CHECK-DAG: because {{.*}}assembly
__global__ void fence(int *to) {
  asm volatile("{ .reg .u64 p; mov.u64 p, %0; st.global.u32 [p], 1; }" ::"l"(to)
               : "memory");
}
