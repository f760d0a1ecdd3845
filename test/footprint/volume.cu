// Three dimensions: products of three factors.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel volume
// CHECK-NEXT: write exact arg0 8 bytes at { 8*threadIdx.x + 8*threadIdx.y*arg1 + 8*threadIdx.z*arg1*arg2 + 8*blockIdx.x*blockDim.x + 8*blockIdx.y*blockDim.y*arg1 + 8*blockIdx.z*blockDim.z*arg1*arg2 : -threadIdx.x - blockIdx.x*blockDim.x + arg1 - 1 >= 0 and -threadIdx.y - blockIdx.y*blockDim.y + arg2 - 1 >= 0 and -threadIdx.z - blockIdx.z*blockDim.z + arg3 - 1 >= 0 }

__global__ void volume(double *a, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz)
    a[(z * ny + y) * nx + x] = 0;
}
