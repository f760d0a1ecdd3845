// Assembly and calls that cannot be seen through may touch anything; assembly
// that neither names nor clobbers memory touches nothing.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel clobbers
// CHECK-NEXT: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because inline assembly may touch any memory
// CHECK-NEXT: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because inline assembly may touch any memory
__global__ void clobbers(int *a) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(a), "r"(1) : "memory");
}

// The constraints do not say that this reads memory; the brackets do.
// CHECK: kernel hidden
// CHECK-NEXT: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because inline assembly may touch any memory
__global__ void hidden(int *a, const int *b) {
  int value;
  asm("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(b));
  a[threadIdx.x] = value;
}

// CHECK: kernel lane
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void lane(int *a) {
  int value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  a[threadIdx.x] = value;
}

// CHECK: kernel recursive
// CHECK-NEXT: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NEXT: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because a function that is recursive or defined elsewhere may touch any memory (_Z9fibonaccii)
// CHECK-NEXT: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because a function that is recursive or defined elsewhere may touch any memory (_Z9fibonaccii)
__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursive(int *a) { a[threadIdx.x] = fibonacci(a[threadIdx.x]); }

// CHECK: kernel indirect
// CHECK-NEXT: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because a call through a function pointer may touch any memory
__global__ void indirect(float *a, float (*f)(float)) { a[0] = f(1); }
