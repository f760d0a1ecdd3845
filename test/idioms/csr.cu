// Row loops over a compressed sparse matrix: the row pointers exact, columns and
// values anywhere in their allocations, for the row's ends are in memory.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel spmv
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg5 }
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 4..7] : tx + bx*Dx < arg5 }
// CHECK-DAG: read allocation { [bx] -> arg2[*] }
// CHECK-DAG: read allocation { [bx] -> arg3[*] }
// CHECK-DAG: read allocation { [bx] -> arg4[*] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg5 }
__global__ void spmv(float *y, const int *rows, const int *columns,
                     const float *values, const float *x, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0.0f;
  for (int k = rows[row]; k < rows[row + 1]; k++)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}
