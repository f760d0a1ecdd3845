// Memory from the device's heap: no access while only its thread knows it, unknown
// once its address is stored; the rest stays exact, and the kernel is marked.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

#include <new>

// CHECK-LABEL: kernel scratch{{.*}}
// CHECK-DAG: device heap
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void scratch(float *to, const float *from) {
  float *mine = (float *)malloc(16 * sizeof(float));
  mine[threadIdx.x & 15] = from[threadIdx.x];
  to[threadIdx.x] = mine[threadIdx.x & 15];
  free(mine);
}

// CHECK-LABEL: kernel news{{.*}}
// CHECK-DAG: device heap
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void news(int *to) {
  int *mine = new int[4];
  mine[1] = 3;
  to[threadIdx.x] = mine[1];
  delete[] mine;
}

// CHECK-LABEL: kernel published
// CHECK-DAG: device heap
// CHECK-DAG: write exact { [bx] -> arg0[8*tx + 0..7] }
// CHECK-DAG: write unknown { [bx] -> anywhere }
// CHECK-DAG: because the memory comes from malloc or new on the device
__global__ void published(int **list) {
  int *mine = (int *)malloc(16);
  mine[0] = 1;
  list[threadIdx.x] = mine;
}
