// Vector types: exact, all bytes of the vector that are touched.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel four
// CHECK-DAG: read exact { [bx] -> arg1[16*tx + 16*bx*Dx + 0..15] : tx + bx*Dx < arg2 }
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 16*bx*Dx + 0..15] : tx + bx*Dx < arg2 }
__global__ void four(float4 *to, const float4 *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

// CHECK-LABEL: kernel member
// CHECK-NEXT: write exact { [bx] -> arg0[16*tx + 4..7] }
__global__ void member(float4 *a) { a[threadIdx.x].y = 0.0f; }

// CHECK-LABEL: kernel pairs
// CHECK-NEXT: write exact { [bx] -> arg0[16*tx + 0..{{.*}}
__global__ void pairs(double2 *a) {
  a[threadIdx.x] = make_double2(1.0, 2.0);
}

// CHECK-LABEL: kernel bytes
// CHECK: read exact { [bx] -> arg1[4*tx + {{.*}}
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void bytes(int *to, const uchar4 *from) {
  uchar4 c = from[threadIdx.x];
  to[threadIdx.x] = c.x + c.y + c.z + c.w;
}
