// Pointers cast to another element type: exact, in bytes.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel asVector
// CHECK-DAG: read exact { [bx] -> arg1[16*tx + 0..15] }
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 0..15] }
__global__ void asVector(float *to, const float *from) {
  ((float4 *)to)[threadIdx.x] = ((const float4 *)from)[threadIdx.x];
}

// CHECK-LABEL: kernel asFloats
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void asFloats(float4 *a) { ((float *)a)[threadIdx.x] = 0.0f; }

// CHECK-LABEL: kernel fromVoid
// CHECK-NEXT: write exact { [bx] -> arg0[8*tx + 64..71] }
__global__ void fromVoid(void *a) {
  reinterpret_cast<double *>((char *)a + 64)[threadIdx.x] = 0.0;
}

union Word {
  float f;
  unsigned u;
};
// CHECK-LABEL: kernel throughUnion
// CHECK-DAG: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void throughUnion(Word *a) { a[threadIdx.x].u ^= 0x80000000u; }
