// A transpose through a tile: shared memory is no footprint, but is counted, and
// so is the barrier. The written index has blockIdx.x and blockIdx.y exchanged.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel transpose
// CHECK-NEXT: shared 1088 bytes
// CHECK-NEXT: barrier
// CHECK-NEXT: read exact arg1 4 bytes at { 4*threadIdx.x + 4*threadIdx.y*arg2 + 64*blockIdx.x + 64*blockIdx.y*arg2 :
// CHECK-NEXT: write exact arg0 4 bytes at { 4*threadIdx.x + 4*threadIdx.y*arg3 + 64*blockIdx.x*arg3 + 64*blockIdx.y : -threadIdx.x - 16*blockIdx.y + arg3 - 1 >= 0 and -threadIdx.y - 16*blockIdx.x + arg2 - 1 >= 0 }
// CHECK-NOT: {{^ *(read|write)}}

__global__ void transpose(float *to, const float *from, int width, int height) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = from[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width)
    to[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
