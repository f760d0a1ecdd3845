// Negative strides: exact, the offset falls with the thread or the counter.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel reverse
// CHECK-DAG: read exact { [bx] -> arg1[-4*tx - 4*bx*Dx + 4*arg2 - 4 + 0..3] : tx + bx*Dx < arg2 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg2 }
__global__ void reverse(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[n - 1 - i];
}

// CHECK-LABEL: kernel backwards
// CHECK: write exact { [bx] -> arg0[-8*i0 + 0..3] }
__global__ void backwards(float *end) {
  for (int k = 0; k < 16; k++)
    end[-2 * k] = 0.0f;
}

// CHECK-LABEL: kernel stepDown
// CHECK: write exact { [bx] -> arg0[4*arg1 - 8*i0 + 0..3] : arg1 >= 1 }
__global__ void stepDown(float *a, int n) {
  for (int k = n; k > 0; k -= 2)
    a[k] = 0.0f;
}
