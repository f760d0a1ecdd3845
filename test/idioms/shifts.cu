// Shifts of an index: exact, as products and quotients by powers of two, the
// power known at launch too.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel left
// CHECK-NEXT: write exact { [bx] -> arg0[32*tx + 0..3] }
__global__ void left(float *a) { a[threadIdx.x << 3] = 0.0f; }

// CHECK-LABEL: kernel right
// CHECK-NEXT: write exact { [bx] -> arg0[4*floor(tx/32) + 0..3] }
__global__ void right(float *a) { a[threadIdx.x >> 5] = 0.0f; }

// CHECK-LABEL: kernel byArgument
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx*2^(arg1) + 0..3] }
__global__ void byArgument(float *a, int s) { a[threadIdx.x << s] = 0.0f; }

// CHECK-LABEL: kernel onePlus
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*2^(arg1) + 0..3] }
__global__ void onePlus(float *a, int s) { a[threadIdx.x + (1 << s)] = 0.0f; }

// CHECK-LABEL: kernel rightByArgument
// CHECK-NEXT: write exact { [bx] -> arg0[4*floor(tx/2^(arg1)) + 0..3] }
__global__ void rightByArgument(float *a, int s) { a[threadIdx.x >> s] = 0.0f; }

// CHECK-LABEL: kernel signedHalf
// CHECK-NEXT: write exact { [bx] -> arg0[4*floor((tx - arg1)/2) + 0..3] }
__global__ void signedHalf(float *middle, int n) {
  middle[((int)threadIdx.x - n) >> 1] = 0.0f;
}
