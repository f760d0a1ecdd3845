// Early returns: exact, what follows stands under the opposite condition; bounded
// behind assembly that may end the thread.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel bounded
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
__global__ void bounded(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = 0.0f;
}

// CHECK-LABEL: kernel several
// CHECK-NEXT: write exact { [bx, by] -> arg0[{{.*}}] : tx + bx*Dx < arg1 and ty + by*Dy < arg2 }
__global__ void several(float *a, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width)
    return;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= height)
    return;
  a[y * width + x] = 0.0f;
}

// CHECK-LABEL: kernel either
// CHECK-NEXT: write exact { [bx, by] -> arg0[{{.*}}] : tx + bx*Dx < arg1 and ty + by*Dy < arg2 }
__global__ void either(float *a, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  a[y * width + x] = 0.0f;
}

// CHECK-LABEL: kernel alternatives
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : tx < arg2 }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 0..3] : tx >= arg2 }
__global__ void alternatives(float *a, float *b, int n) {
  int i = threadIdx.x;
  if (i < n) {
    a[i] = 0.0f;
    return;
  }
  b[i] = 0.0f;
}

// CHECK-LABEL: kernel exits
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : tx < arg1 }
__global__ void exits(float *a, int n) {
  if (threadIdx.x >= n)
    __nvvm_exit();
  a[threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel exitsInAssembly
// CHECK: write bounded { [bx] -> arg0[4*tx + 0..3] }
// CHECK: because it stands under a condition that cannot be evaluated at launch
__global__ void exitsInAssembly(float *a, int n) {
  if (threadIdx.x >= n)
    asm volatile("exit;");
  a[threadIdx.x] = 0.0f;
}
