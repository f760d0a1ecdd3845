// A pointer moved along in a loop: exact, as if it were indexed.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel walk
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 1024*i0 + 0..3]{{( : arg1 >= 1)?}} }
__global__ void walk(float *a, int n) {
  float *p = a + threadIdx.x;
  for (int k = 0; k < n; k++) {
    *p = 0.0f;
    p += 256;
  }
}

// CHECK-LABEL: kernel toEnd
// CHECK: loop i0 < arg1
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3]{{( : arg1 >= 1)?}} }
__global__ void toEnd(float *a, int n) {
  for (float *p = a; p < a + n; p++)
    *p = 0.0f;
}

// CHECK-LABEL: kernel rows
// CHECK: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 4*arg2*i0 + 0..3]{{( : arg3 >= 1)?}} }
__global__ void rows(float *sums, const float *m, int width, int height) {
  const float *p = m + blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int y = 0; y < height; y++, p += width)
    sum += *p;
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK-LABEL: kernel copy
// CHECK-DAG: read exact { [bx] -> arg1[4*i0 + 0..3]{{( : arg2 >= 1)?}} }
// CHECK-DAG: write exact { [bx] -> arg0[4*i0 + 0..3]{{( : arg2 >= 1)?}} }
__global__ void copy(float *to, const float *from, int n) {
  for (int k = 0; k < n; k++)
    *to++ = *from++;
}
