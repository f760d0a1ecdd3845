// Inline assembly with memory: exact where every statement is known and the
// address is an operand and a constant, also by way of a register, also under a
// predicate that compares operands; bounded under any other; unknown for all else.
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

// CHECK-LABEL: kernel converted{{.*}}
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 8..11] }
__global__ void converted(int *to) {
  asm volatile("{ .reg .u64 p;\n"
               "  cvta.to.global.u64 p, %0;\n"
               "  add.u64 p, p, 16; // in bytes\n"
               "  st.global.u32 [p+-8], 1; }" ::"l"(to + threadIdx.x)
               : "memory");
}

// As CUTLASS loads what is behind the end of a tensor.
// CHECK-LABEL: kernel predicated{{.*}}
// CHECK-DAG: read exact { [bx] -> arg1[16*tx + 0..15] : tx < arg2 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void predicated(int *to, const int4 *from, int n) {
  int4 value;
  asm volatile("{\n"
               "  .reg .pred p;\n"
               "  setp.ne.b32 p, %5, 0;\n"
               "  mov.b32 %0, 0;\n"
               "  mov.b32 %1, 0;\n"
               "  mov.b32 %2, 0;\n"
               "  mov.b32 %3, 0;\n"
               "  @p ld.global.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];\n"
               "}\n"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(from + threadIdx.x), "r"(int(threadIdx.x < n)));
  to[threadIdx.x] = value.x + value.w;
}

// CHECK-LABEL: kernel opposite{{.*}}
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : tx >= arg1 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4..7] : tx < 5 }
__global__ void opposite(int *to, int n) {
  asm volatile("{ .reg .pred p, q;\n"
               "  setp.lt.s32 p, %1, %2;\n"
               "  setp.lo.u32 q, %1, 5;\n"
               "  @!p st.global.u32 [%0], 1;\n"
               "  @q st.global.u32 [%0+4], 1; }" ::"l"(to + threadIdx.x),
               "r"(threadIdx.x), "r"(n)
               : "memory");
}

// Predicates that are written again, from numbers that are, or sometimes.
// CHECK-LABEL: kernel notFollowed{{.*}}
// CHECK-DAG: write bounded { [bx] -> arg0[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg2[4*tx + 0..3] }
__global__ void notFollowed(int *a, int *b, int *c, unsigned n) {
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; not.pred p, p;\n"
               "  @p st.global.u32 [%0], 1; }" ::"l"(a + threadIdx.x),
               "r"(threadIdx.x)
               : "memory");
  asm volatile("{ .reg .pred p; add.u32 %1, %1, 1; setp.lt.u32 p, %1, 5;\n"
               "  @p st.global.u32 [%0], 1; }" ::"l"(b + threadIdx.x),
               "r"(threadIdx.x)
               : "memory");
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5;\n"
               "  setp.lt.u32 q, %2, 5; @q setp.lt.u32 p, %1, 6;\n"
               "  @p st.global.u32 [%0], 1; }" ::"l"(c + threadIdx.x),
               "r"(threadIdx.x), "r"(n)
               : "memory");
}

// Fewer bytes, and none at all.
// CHECK-LABEL: kernel filled{{.*}}
// CHECK-DAG: read bounded { [bx] -> arg0[16*tx + 0..15] : tx < arg1 }
__global__ void filled(const int4 *from, int n) {
  __shared__ int4 to[32];
  asm volatile("{ .reg .u64 a; .reg .u32 b;\n"
               "  cvta.to.shared.u64 a, %0; cvt.u32.u64 b, a;\n"
               "  cp.async.cg.shared.global [b], [%1], 16, %2; }" ::"l"(
                   &to[threadIdx.x]),
               "l"(from + threadIdx.x), "r"(threadIdx.x < n ? 16 : 0)
               : "memory");
}

// What has no semicolon swallows nothing.
// CHECK-LABEL: kernel directives{{.*}}
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 0..3] }
__global__ void directives(int *a, int *b) {
  asm volatile(".pragma \"nounroll\";\n st.global.u32 [%0], 1;" ::"l"(
                   a + threadIdx.x)
               : "memory");
  asm volatile(".loc 1 7 0\n st.global.u32 [%0], 1;" ::"l"(b + threadIdx.x)
               : "memory");
}

// CHECK-LABEL: kernel written{{.*}}
// CHECK-DAG: write exact { [bx] -> arg0[8..11] }
// CHECK-NOT: arg0[0..3]
__global__ void written(int *to) {
  asm volatile("add.s64 %0, %0, 8; st.global.u32 [%0], 1;" : "+l"(to)::"memory");
}

// CHECK-LABEL: kernel computed{{.*}}
// CHECK-DAG: unknown { [bx] -> anywhere }
// CHECK-DAG: because {{.*}}assembly
__global__ void computed(int *to, unsigned n) {
  asm volatile("{ .reg .u64 p;\n"
               "  mad.wide.u32 p, %1, 4, %0;\n"
               "  st.global.u32 [p], 1; }" ::"l"(to),
               "r"(n)
               : "memory");
}

// CHECK-LABEL: kernel discards{{.*}}
// CHECK-DAG: unknown { [bx] -> anywhere }
// CHECK-DAG: because {{.*}}assembly
__global__ void discards(int *to) {
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(to) : "memory");
}
