// Arrays of globals, and of structures in globals: exact where they are indexed;
// a pointer that lies in one is read from memory and unknown.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

struct Cell {
  float value;
  int next[3];
};
__device__ Cell cells[64][32];
__constant__ float tables[4][256];
__device__ float *buffers[4];

// CHECK-LABEL: kernel nested
// CHECK-NEXT: write exact { [bx] -> @cells[16*tx + 512*bx + 12..15] }
__global__ void nested() { cells[blockIdx.x][threadIdx.x].next[2] = 0; }

// CHECK-LABEL: kernel table
// CHECK-DAG: read exact { [bx] -> @tables[4*tx + 1024*arg1 + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void table(float *to, int which) {
  to[threadIdx.x] = tables[which][threadIdx.x];
}

// CHECK-LABEL: kernel indirectBuffer
// CHECK-NEXT: read exact { [bx] -> @buffers[8..15] }
// CHECK: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because
__global__ void indirectBuffer() { buffers[1][threadIdx.x] = 0.0f; }
