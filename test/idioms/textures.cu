// Texture objects: unknown, their memory is not told to a kernel; the rest stays
// exact.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel sample{{.*}}
// CHECK-DAG: textures
// CHECK-DAG: read unknown { [bx] -> anywhere }
// CHECK-DAG: because {{.*}}texture
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg2 }
__global__ void sample(float *to, cudaTextureObject_t image, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = tex2D<float>(image, i, 0.5f);
}

// CHECK-LABEL: kernel fetch{{.*}}
// CHECK-DAG: read unknown { [bx] -> anywhere }
__global__ void fetch(float *to, cudaTextureObject_t table) {
  to[threadIdx.x] = tex1Dfetch<float>(table, threadIdx.x);
}
