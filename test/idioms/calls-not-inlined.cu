// Device functions that the compiler keeps as calls: exact where the analysis
// may look into them, else what their summary says, which arrays they touch.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

__device__ __noinline__ void put(float *p, int i, float value) { p[i] = value; }

// CHECK-LABEL: kernel kept
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
__global__ void kept(float *a) {
  put(a, blockIdx.x * blockDim.x + threadIdx.x, 1.0f);
}

__device__ __noinline__ float often(const float *p, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += p[k];
  return sum;
}

// CHECK-LABEL: kernel many
// CHECK: read exact { [bx] -> arg1[4*i0 + 0..3]{{( : arg3 >= 1)?}} }
// CHECK: read exact { [bx] -> arg2[4*i1 + 0..3]{{( : arg3 >= 1)?}} }
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void many(float *to, const float *a, const float *b, int n) {
  to[threadIdx.x] = often(a, n) + often(b, n);
}
