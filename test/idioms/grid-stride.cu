// Grid-stride loops: exact, a counter times the whole grid's threads.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel saxpy
// CHECK-DAG: loop i0 < floor((-tx - bx*Dx + arg3 - 1)/(Dx*Gx)) + 1
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] : tx + bx*Dx + Dx*Gx*i0 < arg3 }
// CHECK-DAG: read exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] : tx + bx*Dx + Dx*Gx*i0 < arg3 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] : tx + bx*Dx + Dx*Gx*i0 < arg3 }
__global__ void saxpy(float *y, const float *x, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

// CHECK-LABEL: kernel wide
// CHECK: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] : tx + bx*Dx + Dx*Gx*i0 < arg1 }
__global__ void wide(float *y, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)blockDim.x * gridDim.x)
    y[i] = 0.0f;
}

// CHECK-LABEL: kernel unsignedCounter
// CHECK: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] : tx + bx*Dx + Dx*Gx*i0 < arg1 }
__global__ void unsignedCounter(float *y, unsigned n) {
  unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    y[i] = 0.0f;
}

// CHECK-LABEL: kernel blockStride
// CHECK: write exact { [bx] -> arg0[4*tx + 4*bx*arg1 + 4*Dx*i0 + 0..3] : tx + Dx*i0 < arg1 }
__global__ void blockStride(float *rows, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    rows[blockIdx.x * width + i] = 0.0f;
}

// Factors of 24 bits.
// CHECK-LABEL: kernel product24
// CHECK: loop i0 < floor((-tx - bx*Dx + arg1 - 1)/(Dx*Gx)) + 1
// CHECK: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] : tx + bx*Dx + Dx*Gx*i0 < arg1 }
// CHECK: assuming {{.*}}u24(bx)
__global__ void product24(float *y, unsigned n) {
  unsigned i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  for (; i < n; i += __umul24(blockDim.x, gridDim.x))
    y[i] = 0.0f;
}

// CHECK-LABEL: kernel signed24
// CHECK: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] : tx + bx*Dx + Dx*Gx*i0 < arg1 }
// CHECK: assuming {{.*}}i24(bx)
__global__ void signed24(float *y, int n) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  for (; i < n; i += __mul24(blockDim.x, gridDim.x))
    y[i] = 0.0f;
}
