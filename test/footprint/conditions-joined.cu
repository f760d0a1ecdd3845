// A condition that the compiler has joined from several ways, or chosen, is
// each of them under its own: here one that stands before the loop and in it.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel before
// CHECK-NEXT: loop i0 < 16
// CHECK-NEXT: read exact { [bx] -> arg0[0..3] : arg1 >= 1 and arg2 >= 1 }
// CHECK-NEXT: read exact { [bx] -> arg0[64*i0 + 4000..4003] : arg1 >= 1 }
// CHECK-NEXT: write exact { [bx] -> arg0[4*arg3 + 64*i0 + 0..3] }
// CHECK-NEXT: assuming i32(arg3 + 16*i0)
__global__ void before(float *a, int x, int y, int n) {
  float corner = x > 0 && y > 0 ? a[0] : 0;
  for (int i = 0; i < 16; ++i) {
    float left = x > 0 ? a[16 * i + 1000] : 0;
    a[16 * i + n] = left + corner;
  }
}

// CHECK: kernel kept
// CHECK-NEXT: loop i0 < 8
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 256*i0 + 0..3] : bx = 0 and tx < 32 }
// CHECK-NEXT: assuming u32(arg1)
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 256*i0 + 0..3] : bx >= 1 and tx < arg1 }
// CHECK-NEXT: assuming u32(arg1)
__global__ void kept(float *a, int n) {
  bool mine = threadIdx.x < n;
  if (blockIdx.x == 0)
    mine = threadIdx.x < 32;
  for (int i = 0; i < 8; ++i)
    if (mine)
      a[i * 64 + threadIdx.x] = 1;
}

// "max(a, b) < n" is a < n and b < n only where b is not negative, as the
// comparison without signs has it. Nothing is known of b, so nothing remains.
// CHECK: kernel larger
// CHECK: write bounded { [bx] -> arg1[0..3] }
// CHECK-NEXT: because it stands under a condition that cannot be evaluated at launch
__global__ void larger(volatile short *a, int *to, int n) {
  int above = max(blockDim.x, unsigned(-*a));
  if (above < n)
    to[0] = 1;
}
