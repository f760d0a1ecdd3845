// A transpose through a tile: shared memory is no footprint, but is counted, and
// so is the barrier. The written index has blockIdx.x and blockIdx.y exchanged.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel transpose
// CHECK-NEXT: shared 1088 bytes
// CHECK-NEXT: barrier
// CHECK-NEXT: read exact { [bx, by] -> arg1[4*tx + 4*ty*arg2 + 64*bx + 64*by*arg2 + 0..3] : tx + 16*bx < arg2 and ty + 16*by < arg3 }
// CHECK-NEXT: assuming i32(tx + 16*bx)
// CHECK-NEXT: assuming i32(tx + ty*arg2 + 16*bx + 16*by*arg2) where the conditions hold
// CHECK-NEXT: write exact { [bx, by] -> arg0[4*tx + 4*ty*arg3 + 64*bx*arg3 + 64*by + 0..3] : tx + 16*by < arg3 and ty + 16*bx < arg2 }
// CHECK-NEXT: assuming i32(ty + 16*bx)
// CHECK-NEXT: assuming i32(tx + ty*arg3 + 16*bx*arg3 + 16*by) where the conditions hold
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
