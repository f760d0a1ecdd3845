// Row-major indexing with a row length only known at launch: products of
// symbols stay in the polynomial. Both bounds of both dimensions are guards.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel stencil
// CHECK-NEXT: read exact { [bx, by] -> arg1[4*tx + 4*ty*arg2 + 4*bx*Dx + 4*by*Dy*arg2 - 4*arg2 + 0..3] : tx + bx*Dx >= 1 and tx + bx*Dx < arg2 - 1 and ty + by*Dy >= 1 and ty + by*Dy < arg3 - 1 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: assuming i32(arg2 - 1) where tx + bx*Dx >= 1
// CHECK-NEXT: assuming i32(arg3 - 1) where tx + bx*Dx >= 1 and tx + bx*Dx < arg2 - 1 and ty + by*Dy >= 1
// CHECK-NEXT: assuming i32(tx + ty*arg2 + bx*Dx + by*Dy*arg2 - arg2) where the conditions hold
// CHECK-NEXT: read exact { [bx, by] -> arg1[4*tx + 4*ty*arg2 + 4*bx*Dx + 4*by*Dy*arg2 + 4..7] : tx + bx*Dx >= 1 and tx + bx*Dx < arg2 - 1 and ty + by*Dy >= 1 and ty + by*Dy < arg3 - 1 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: assuming i32(arg2 - 1) where tx + bx*Dx >= 1
// CHECK-NEXT: assuming i32(arg3 - 1) where tx + bx*Dx >= 1 and tx + bx*Dx < arg2 - 1 and ty + by*Dy >= 1
// CHECK-NEXT: assuming i32(tx + ty*arg2 + bx*Dx + by*Dy*arg2) where the conditions hold
// CHECK-NEXT: write exact { [bx, by] -> arg0[4*tx + 4*ty*arg2 + 4*bx*Dx + 4*by*Dy*arg2 + 0..3] : tx + bx*Dx >= 1 and tx + bx*Dx < arg2 - 1 and ty + by*Dy >= 1 and ty + by*Dy < arg3 - 1 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: assuming i32(arg2 - 1) where tx + bx*Dx >= 1
// CHECK-NEXT: assuming i32(arg3 - 1) where tx + bx*Dx >= 1 and tx + bx*Dx < arg2 - 1 and ty + by*Dy >= 1
// CHECK-NEXT: assuming i32(tx + ty*arg2 + bx*Dx + by*Dy*arg2) where the conditions hold

__global__ void stencil(float *to, const float *from, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    to[y * width + x] = from[(y - 1) * width + x] + from[y * width + x + 1];
}
