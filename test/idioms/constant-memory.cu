// Constant memory: exact, a read of a global that a copy may change.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

__constant__ float weights[9];
struct Settings {
  float scale;
  int offset;
};
__constant__ Settings settings;

// CHECK-LABEL: kernel blur
// CHECK-NEXT: loop i0 < 9
// CHECK-DAG: read exact { [bx] -> @weights[4*i0 + 0..3] }
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*i0 + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void blur(float *to, const float *from) {
  float sum = 0.0f;
  for (int k = 0; k < 9; k++)
    sum += weights[k] * from[threadIdx.x + k];
  to[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel scaled
// CHECK-DAG: read exact { [bx] -> @settings[0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void scaled(float *to) { to[threadIdx.x] = settings.scale; }

// CHECK-LABEL: kernel offset
// CHECK-DAG: read exact { [bx] -> @settings[4..7] }
// CHECK-DAG: write allocation { [bx] -> arg0[*] }
// CHECK-NEXT: because
__global__ void offset(float *to) {
  to[threadIdx.x + settings.offset] = 0.0f;
}
