// Tiling through shared memory: exact, and shared memory is no part of it.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

#define TILE 16

// CHECK-LABEL: kernel matmul{{.*}}
// CHECK-DAG: loop i0 < floor(arg3/16)
// CHECK-DAG: read exact { [bx, by] -> arg0[4*tx + 4*ty*arg3 + 64*by*arg3 + 64*i0 + 0..3] : arg3 >= 16 }
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*ty*arg3 + 64*bx + 64*arg3*i0 + 0..3] : arg3 >= 16 }
// CHECK-DAG: write exact { [bx, by] -> arg2[4*tx + 4*ty*arg3 + 64*bx + 64*by*arg3 + 0..3] }
__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[TILE][TILE], tileB[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < n / TILE; t++) {
    tileA[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// CHECK-LABEL: kernel transpose
// CHECK-DAG: read exact { [bx, by] -> arg1[4*tx + 4*ty*arg2 + 128*bx + 128*by*arg2 + 0..3] : tx + 32*bx < arg2 and ty + 32*by < arg3 }
// CHECK-DAG: write exact { [bx, by] -> arg0[4*tx + 4*ty*arg3 + 128*bx*arg3 + 128*by + 0..3] : tx + 32*by < arg3 and ty + 32*bx < arg2 }
__global__ void transpose(float *to, const float *from, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = from[y * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < height && y < width)
    to[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

// CHECK-LABEL: kernel dynamicTile
// CHECK-DAG: dynamic shared memory
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
extern __shared__ float scratch[];
__global__ void dynamicTile(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[threadIdx.x] = from[i];
  __syncthreads();
  to[i] = scratch[blockDim.x - 1 - threadIdx.x];
}
