// Row-major matrices whose row size is an argument: exact, with the product of
// both kept.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel transpose
// CHECK-DAG: read exact { [bx, by] -> arg1[4*tx + {{.*}}4*ty*arg2{{.*}}4*by*Dy*arg2{{.*}} + 0..3] : tx + bx*Dx < arg2 and ty + by*Dy < arg3 }
// CHECK-DAG: write exact { [bx, by] -> arg0[{{.*}}4*tx*arg3{{.*}}4*bx*Dx*arg3{{.*}} + 0..3] : tx + bx*Dx < arg2 and ty + by*Dy < arg3 }
__global__ void transpose(float *to, const float *from, int columns, int rows) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows)
    to[x * rows + y] = from[y * columns + x];
}

// CHECK-LABEL: kernel pitched
// CHECK: write exact { [bx, by] -> arg0[4*tx + {{.*}}by*arg1{{.*}} + 0..3] : tx < arg2 }
__global__ void pitched(char *base, size_t pitch, int width) {
  float *row = (float *)(base + blockIdx.y * pitch);
  if (threadIdx.x < width)
    row[threadIdx.x] = 0.0f;
}
