// Recursion: the allocation of the arrays given down, by the function's
// summary.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

__device__ float tree(const float *values, float *log, int node, int n) {
  if (node >= n)
    return 0.0f;
  log[node] = values[node];
  return values[node] + tree(values, log, 2 * node + 1, n) +
         tree(values, log, 2 * node + 2, n);
}

// CHECK-LABEL: kernel sum{{.*}}
// CHECK-DAG: recursion
// CHECK-DAG: read allocation { [bx] -> arg1[*] }
// CHECK-DAG: write allocation { [bx] -> arg2[*] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void sum(float *out, const float *values, float *log, int n) {
  out[threadIdx.x] = tree(values, log, threadIdx.x, n);
}
