// Row-major indexing with a row length only known at launch: products of
// symbols stay in the polynomial. Both bounds of both dimensions are guards.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel stencil
// CHECK-NEXT: read exact arg1 4 bytes at { 4*threadIdx.x + 4*threadIdx.y*arg2 + 4*blockIdx.x*blockDim.x + 4*blockIdx.y*blockDim.y*arg2 - 4*arg2 : threadIdx.x + blockIdx.x*blockDim.x - 1 >= 0 and -threadIdx.x - blockIdx.x*blockDim.x + arg2 - 2 >= 0 and threadIdx.y + blockIdx.y*blockDim.y - 1 >= 0 and -threadIdx.y - blockIdx.y*blockDim.y + arg3 - 2 >= 0 }
// CHECK-NEXT: read exact arg1 4 bytes at { {{.*}}blockIdx.y*blockDim.y*arg2 + 4 :
// CHECK-NEXT: write exact arg0 4 bytes at { {{.*}}blockIdx.y*blockDim.y*arg2 :

__global__ void stencil(float *to, const float *from, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    to[y * width + x] = from[(y - 1) * width + x] + from[y * width + x + 1];
}
