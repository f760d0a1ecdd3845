// Three dimensions: products of three factors.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel volume
// CHECK-NEXT: write exact { [bx, by, bz] -> arg0[8*tx + 8*ty*arg1 + 8*tz*arg1*arg2 + 8*bx*Dx + 8*by*Dy*arg1 + 8*bz*Dz*arg1*arg2 + 0..7] : tx + bx*Dx < arg1 and ty + by*Dy < arg2 and tz + bz*Dz < arg3 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: assuming i32(tx + ty*arg1 + tz*arg1*arg2 + bx*Dx + by*Dy*arg1 + bz*Dz*arg1*arg2) where the conditions hold

__global__ void volume(double *a, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz)
    a[(z * ny + y) * nx + x] = 0;
}
