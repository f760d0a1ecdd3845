// A linear block or thread number split into coordinates: exact, with quotients.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel tiles
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*ty*arg2 + 64*bx - 64*arg1*floor(bx/arg1) + 64*arg2*floor(bx/arg1) + 0..3] }
__global__ void tiles(float *a, int across, int pitch) {
  int tileX = blockIdx.x % across, tileY = blockIdx.x / across;
  int x = tileX * 16 + threadIdx.x, y = tileY * 16 + threadIdx.y;
  a[y * pitch + x] = 0.0f;
}

// CHECK-LABEL: kernel coordinates
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx*arg2*arg3 + 4*bx*Dx*arg2*arg3 - 4*arg1*arg2*arg3*floor((tx + bx*Dx)/arg1) - 4*arg2*arg3*floor((tx + bx*Dx)/(arg1*arg2)) + 4*arg3*floor((tx + bx*Dx)/arg1) + 4*floor((tx + bx*Dx)/(arg1*arg2)) + 0..3] : tx + bx*Dx < arg1*arg2*arg3 }
__global__ void coordinates(float *a, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx * ny * nz)
    return;
  int x = i % nx, y = i / nx % ny, z = i / (nx * ny);
  a[(x * ny + y) * nz + z] = 0.0f;
}

// CHECK-LABEL: kernel linear
// CHECK-NEXT: write exact { [bx, by] -> arg0[4*tx + 4*bx*Dx + 4*by*Dx*Gx + 0..3] }
__global__ void linear(float *a) {
  size_t block = blockIdx.y * gridDim.x + blockIdx.x;
  a[block * blockDim.x + threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel again
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
__global__ void again(float *a, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % width, y = i / width;
  a[y * width + x] = 0.0f;
}
