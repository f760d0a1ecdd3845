// Surface objects: unknown, their memory is not told to a kernel; the rest stays
// exact.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel paint{{.*}}
// CHECK-DAG: textures
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write unknown { [bx] -> anywhere }
// CHECK-DAG: because {{.*}}surface
__global__ void paint(cudaSurfaceObject_t image, const float *from) {
  surf2Dwrite(from[threadIdx.x], image, threadIdx.x * 4, blockIdx.x);
}
