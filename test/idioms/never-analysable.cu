// Kernels that can never be analysed: unknown or the allocation, with a reason
// for each access.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel chase
// CHECK-DAG: read unknown { [bx] -> anywhere }
// CHECK-DAG: write unknown { [bx] -> anywhere }
// CHECK-DAG: because
__global__ void chase(void ***p) {
  while (*p)
    p = (void ***)*p;
  *p = (void **)p;
}

// CHECK-LABEL: kernel hashed
// CHECK-NEXT: write allocation { [bx] -> arg0[*] }
// CHECK-NEXT: because
__global__ void hashed(float *a) {
  unsigned x = threadIdx.x;
  for (int k = 0; k < 5; k++)
    x = (x ^ (x >> 7)) * 2654435761u;
  a[x] = 1.0f;
}

// CHECK-LABEL: kernel byFloat
// CHECK-NEXT: write allocation { [bx] -> arg0[*] }
// CHECK-NEXT: because
__global__ void byFloat(float *a, float scale) {
  a[(int)(threadIdx.x * scale)] = 1.0f;
}
