// A pointer taken from an array in a by-value struct is one of those in it.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel pick
// CHECK: write allocation { [bx] -> arg0[*] }
// CHECK: write allocation { [bx] -> arg0@8[*] }
// CHECK: write exact { [bx] -> arg0@24[4*arg0@32 + 0..3] }
// CHECK: {{^}}  {{[0-9]+}} accesses:
struct Arrays {
  float *of[2];
  long unused;
  struct {
    int *data;
    int n;
  } in;
};
__global__ void pick(Arrays arrays, int k) {
  arrays.of[k][threadIdx.x] = 1;
  arrays.in.data[arrays.in.n] = 2;
}
