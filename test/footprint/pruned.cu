// Cases that exclude each other go, but not what that rests on: where the
// arithmetic of a guard wraps, the case that went is the one that happens.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -emit-llvm -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -emit-llvm -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// A number of 2^64 - 2 is larger than -4 taken as unsigned.
// CHECK: kernel huge
// CHECK: read exact { [bx] -> arg0[0..3] : {{.*}} }
// CHECK-NEXT: assuming {{.*}}u63(arg1)
__global__ void huge(float *to, unsigned long n) {
  if (-4ul < n)
    (void)*(volatile float *)to;
}

// With n = -4 both conditions hold: i < 0xfffffffc and i >= -4.
// CHECK: kernel chosen
// CHECK-DAG: read exact { [bx] -> arg0[0..3] : {{.*}} }
// CHECK-DAG: assuming {{.*}}u32(arg2)
// CHECK-DAG: read exact { [bx] -> arg1[0..3] : {{.*}} }
// CHECK-DAG: assuming {{.*}}u32(arg2)
__global__ void chosen(float *a, float *b, int n) {
  float *from = b;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (long)i >= n)
    from = a;
  (void)*(volatile float *)from;
}

// A quotient of a positive number is below zero where the divisor is.
// CHECK: kernel negative
// CHECK: write exact { [bx] -> arg0[0..3] : -1 >= 0 }
// CHECK-NEXT: assuming u31(arg1)
__global__ void negative(int *to, int n) {
  int i = threadIdx.x;
  if (i / n < 0)
    to[i] = 1;
}

// So are its bits above those that a positive one has: -1 & 4096 is not 0.
// CHECK: kernel bits
// CHECK: write exact { [bx] -> arg0[0..3] : -1 >= 0 }
// CHECK-NEXT: assuming u31(arg1)
__global__ void bits(int *to, int n) {
  int i = threadIdx.x;
  if (i / n & 4096)
    to[i] = 1;
}

// What is read may be below zero, and no launch can tell: -8 / 3 has bit 31.
// CHECK: kernel masked
// CHECK: write bounded { [bx] -> arg2[0..3] }
// CHECK-NEXT: because it stands under a condition that cannot be evaluated
__global__ void masked(const volatile int *from, long mask, int *to) {
  if (((*from & mask) / 3) & 0x80000000l)
    *to = 1;
}

// Of what is read one number may be below zero: then it is above any limit.
// CHECK: kernel either
// CHECK: atomic bounded { [bx] -> arg3[0..3] }
// CHECK-NEXT: assuming u63(v{{[0-9]+}}), u63(v{{[0-9]+}})
__global__ void either(const volatile long *from, const volatile unsigned *with, unsigned long limit, float *to) {
  if ((*from | *with) > limit)
    atomicAdd(to, 1.0f);
}

// That a loop goes on for no thread says nothing of its first round, in which
// n - i may be below zero.
// CHECK: kernel once
// CHECK: write exact { [bx] -> arg0[-4*tx + 4*arg1 + 0..3] }
// CHECK-NEXT: assuming {{.*}}u32(-tx - Dx*i0 + arg1)
__global__ void once(int *to, unsigned n) {
  unsigned i = threadIdx.x;
  do {
    to[n - i] = 1;
    i += blockDim.x;
  } while (i < threadIdx.x);
}

// The second case has no round of the loop in it, but happens only in one.
// CHECK: kernel passed
// CHECK: atomic exact { [bx] -> arg0[0..3] : arg1 >= 1 and bx*arg1 < 0 }
__global__ void passed(int *count, int n) {
  unsigned b = blockIdx.x;
  for (int i = 0; i < n; ++i) {
    if (i > b * n)
      continue;
    atomicAdd(count, 1);
  }
}
