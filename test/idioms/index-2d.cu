// Two-dimensional indexing: exact, with both block coordinates.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel add
// CHECK-NEXT: read exact { [bx, by] -> arg1[4*tx + 4*ty*arg3 + 4*bx*Dx + 4*by*Dy*arg3 + 0..3] : tx + bx*Dx < arg3 and ty + by*Dy < arg4 }
// CHECK: read exact { [bx, by] -> arg2[4*tx + 4*ty*arg3 + 4*bx*Dx + 4*by*Dy*arg3 + 0..3] : tx + bx*Dx < arg3 and ty + by*Dy < arg4 }
// CHECK: write exact { [bx, by] -> arg0[4*tx + 4*ty*arg3 + 4*bx*Dx + 4*by*Dy*arg3 + 0..3] : tx + bx*Dx < arg3 and ty + by*Dy < arg4 }
__global__ void add(float *c, const float *a, const float *b, int width,
                    int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    c[y * width + x] = a[y * width + x] + b[y * width + x];
}

// CHECK-LABEL: kernel unsignedPlane
// CHECK-NEXT: write exact { [bx, by] -> arg0[4*tx + 4*ty*arg1 + 4*bx*Dx + 4*by*Dy*arg1 + 0..3] : tx + bx*Dx < arg1 }
__global__ void unsignedPlane(float *c, unsigned width) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width)
    c[(size_t)y * width + x] = 0.0f;
}

// CHECK-LABEL: kernel fixedTable
// CHECK-NEXT: write exact { [bx, by] -> arg0[4*tx + 4096*by + 0..3] }
__global__ void fixedTable(float (*table)[1024]) {
  table[blockIdx.y][threadIdx.x] = 0.0f;
}
