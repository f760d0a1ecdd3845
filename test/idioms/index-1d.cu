// One-dimensional indexing, with int, unsigned, size_t or long: exact, one
// element for each thread.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel signedIndex
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
__global__ void signedIndex(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.0f;
}

// CHECK-LABEL: kernel unsignedIndex
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
__global__ void unsignedIndex(float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.0f;
}

// CHECK-LABEL: kernel sizeIndex
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
__global__ void sizeIndex(float *out) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.0f;
}

// CHECK-LABEL: kernel longIndex
// CHECK-NEXT: read exact { [bx] -> arg1[8*tx + 8*bx*Dx + 8*arg2 + 0..7] }
// CHECK: write exact { [bx] -> arg0[8*tx + 8*bx*Dx + 0..7] }
__global__ void longIndex(double *out, const double *in, long shift) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + shift];
}

// CHECK-LABEL: kernel byteIndex
// CHECK-NEXT: write exact { [bx] -> arg0[tx + 256*bx] }
__global__ void byteIndex(unsigned char *out) {
  out[blockIdx.x * 256 + threadIdx.x] = 1;
}
