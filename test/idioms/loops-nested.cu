// Nested loops: exact, a counter for each.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel matmul
// CHECK-DAG: loop i0 < arg5
// CHECK-DAG: read exact { [bx, by] -> arg0[4*ty*arg5 + 4*by*Dy*arg5 + 4*i0 + 0..3] : ty + by*Dy < arg3 and tx + bx*Dx < arg4{{( and arg5 >= 1)?}} }
// CHECK-DAG: read exact { [bx, by] -> arg1[4*tx + 4*bx*Dx + 4*arg4*i0 + 0..3] : ty + by*Dy < arg3 and tx + bx*Dx < arg4{{( and arg5 >= 1)?}} }
// CHECK-DAG: write exact { [bx, by] -> arg2[4*tx + 4*ty*arg4 + 4*bx*Dx + 4*by*Dy*arg4 + 0..3] : ty + by*Dy < arg3 and tx + bx*Dx < arg4 }
__global__ void matmul(const float *a, const float *b, float *c, int m, int n,
                       int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n)
    return;
  float sum = 0.0f;
  for (int i = 0; i < k; i++)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

// CHECK-LABEL: kernel convolve
// CHECK-NEXT: loop i0 < 3
// CHECK-NEXT: loop i1 < 3
// CHECK: read exact { [bx] -> arg1[4*tx + 4*arg2*i0 + 4*i1 + 0..3] }
__global__ void convolve(float *out, const float *in, int width) {
  float sum = 0.0f;
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++)
      sum += in[dy * width + threadIdx.x + dx];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel three
// CHECK-DAG: loop i0 < arg1
// CHECK-DAG: loop i1 < arg2
// CHECK-DAG: loop i2 < 4
// CHECK: write exact { [bx] -> arg0[16*arg2*i0 + 16*i1 + 4*i2 + 0..3]{{( : arg1 >= 1 and arg2 >= 1)?}} }
__global__ void three(float *a, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 4; k++)
        a[(i * m + j) * 4 + k] = 0.0f;
}
