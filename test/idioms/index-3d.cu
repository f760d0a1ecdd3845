// Three-dimensional indexing: exact, with all block coordinates.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel volume
// CHECK-NEXT: write exact { [bx, by, bz] -> arg0[4*tx + 4*ty*arg1 + 4*tz*arg1*arg2 + 4*bx*Dx + 4*by*Dy*arg1 + 4*bz*Dz*arg1*arg2 + 0..3] : tx + bx*Dx < arg1 and ty + by*Dy < arg2 and tz + bz*Dz < arg3 }
__global__ void volume(float *v, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz)
    return;
  v[(z * ny + y) * nx + x] = 1.0f;
}

// CHECK-LABEL: kernel layers
// CHECK-NEXT: read exact { [bx, by, bz] -> arg1[4*tx + 4*bx*Dx + 4096*by + 4194304*bz + 4194304..4194307] }
// CHECK: write exact { [bx, by, bz] -> arg0[4*tx + 4*bx*Dx + 4096*by + 4194304*bz + 0..3] }
__global__ void layers(float *to, const float *from) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x;
  size_t i = x + 1024 * (blockIdx.y + 1024 * (size_t)blockIdx.z);
  to[i] = from[i + 1024 * 1024];
}
