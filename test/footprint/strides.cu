// Loops whose step or number of iterations differs from launch to launch or
// thread to thread: the counter has a bound, the domain the condition.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel strided
// CHECK-NEXT: loop i0 < floor((-tx + arg1 - 1)/Dx) + 1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*Dx*i0 + 0..3] : tx + Dx*i0 < arg1 }
__global__ void strided(float *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] = 1;
}

// CHECK: kernel stepped
// CHECK-NEXT: loop i0 < floor((arg1 - 1)/arg2) + 1
// CHECK-NEXT: write exact { [bx] -> arg0[4*arg2*i0 + 0..3]
// CHECK-NEXT: assuming u63(arg2 - 1), i32(arg2 + arg2*i0)
__global__ void stepped(float *a, int n, int s) {
  for (int i = 0; i < n; i += s)
    a[i] = 1;
}

// CHECK: kernel bumped
// CHECK-NEXT: loop i0 < floor((-tx + arg1 - 1)/Dx) + 1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*Dx*i0 + 0..3] : tx + Dx*i0 < arg1 }
__global__ void bumped(float *a, int n) {
  for (float *p = a + threadIdx.x; p < a + n; p += blockDim.x)
    *p = 1;
}

// CHECK: kernel halved
// CHECK: read bounded { [bx] -> arg0[4*tx + 4*v0 + 0..3] : tx < v0 and 0 <= v0 <= floor(Dx/2) }
__global__ void halved(float *a) {
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      a[threadIdx.x] += a[threadIdx.x + s];
    __syncthreads();
  }
}

// CHECK: kernel doubled
// CHECK-NEXT: write bounded { [bx] -> arg0[4*tx + 4*v0 + 0..3] : arg1 >= 2 and 0 <= v0 < arg1 }
__global__ void doubled(float *a, int n) {
  for (int s = 1; s < n; s *= 2)
    a[threadIdx.x + s] = 1;
}

// CHECK: kernel twoEnds
// CHECK-NEXT: loop i0 < arg2
// CHECK-NEXT: write exact { [bx] -> arg0[i0] : i0 <= arg1 }
__global__ void twoEnds(char *a, int s, unsigned n) {
  for (int k = 0; k < n; k++) {
    if (k > s)
      break;
    a[k] = 0;
  }
}

// LLVM's closed form of the sum has more than 64 bits.
// CHECK: kernel summed
// CHECK-NEXT: write allocation { [bx] -> arg0[*] }
__global__ void summed(double *a, unsigned n) {
  unsigned long at = 2;
  for (int k = 0; k < n; k++)
    at = at + k;
  a[at] = 0;
}

// What is divided again and again stays between zero and where it began, if that
// is not below zero: no case of the smaller one is impossible.
// CHECK: kernel rising
// CHECK: read bounded { [bx] -> arg0[4*v0 + 0..3] : arg2 >= 1 and v0 < 4 and -{{[0-9]+}} <= v0 <= {{[0-9]+}} }
__global__ void rising(const int *from, int *to, int n) {
  int at = -32;
#pragma nounroll
  for (int i = 0; i < n; i++) {
    to[0] = from[min(at, 4)];
    at /= 3;
  }
}
