// Guards around an access: exact, the condition is the access's domain; `||`
// and `!=` make one access for each case.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel below
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
__global__ void below(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 0.0f;
}

// CHECK-LABEL: kernel inner
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx >= 1 and tx + bx*Dx < arg1 - 1 }
__global__ void inner(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    a[i] = 0.0f;
}

// CHECK-LABEL: kernel ends
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] : tx < 3 }
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : tx >= arg1 }
__global__ void ends(float *a, int n) {
  int i = threadIdx.x;
  if (i < 3 || i >= n)
    a[i] = 0.0f;
}

// CHECK-LABEL: kernel allBut
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : tx > arg1 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : tx < arg1 }
__global__ void allBut(float *a, int k) {
  int i = threadIdx.x;
  if (i != k)
    a[i] = 0.0f;
}

// CHECK-LABEL: kernel cases
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : bx = 0 }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 0..3] : bx = 1 }
// CHECK-DAG: write exact { [bx] -> arg2[4*tx + 0..3] : bx >= 2 }
__global__ void cases(float *a, float *b, float *c) {
  switch (blockIdx.x) {
  case 0:
    a[threadIdx.x] = 0.0f;
    break;
  case 1:
    b[threadIdx.x] = 0.0f;
    break;
  default:
    c[threadIdx.x] = 0.0f;
  }
}

// CHECK-LABEL: kernel data
// CHECK: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK: write bounded { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NEXT: because
__global__ void data(float *a, const float *b) {
  if (b[threadIdx.x] > 0.5f)
    a[threadIdx.x] = 0.0f;
}
