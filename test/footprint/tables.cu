// A table that the module only reads is a constant, though nothing says so, as
// libdevice's of sinf. What is written, may be written through a pointer that
// is kept, or is the host's to write, is none.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep "read\|write\|kernel" | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep "read\|write\|kernel" | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t && bm-dump metadata %t | FileCheck %s --check-prefix=NAMES

// NAMES-NOT: i2opi
// NAMES: counted
// NAMES-NOT: i2opi

// CHECK: kernel sine
// CHECK-NEXT: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void sine(float *a) { a[threadIdx.x] = sinf(a[threadIdx.x]); }

// CHECK: kernel written
// CHECK-NEXT: read {{.*}}counted
// CHECK-NEXT: write {{.*}}counted
static __device__ int counted[32];
__global__ void written() { counted[threadIdx.x]++; }

// CHECK: kernel kept
// CHECK: read {{.*}}shown
static __device__ int shown[32];
__global__ void kept(int **to, int *from) {
  *to = shown;
  from[threadIdx.x] = shown[threadIdx.x];
}

// CHECK: kernel given
// CHECK-NEXT: read {{.*}}uploaded
static __device__ int uploaded[32];
__global__ void given(int *to) { to[threadIdx.x] = uploaded[threadIdx.x]; }

int main() {
  int values[32] = {};
  return cudaMemcpyToSymbol(uploaded, values, sizeof(values));
}
