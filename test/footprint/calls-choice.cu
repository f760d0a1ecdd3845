// A pointer taken from an array in a by-value struct is one of those in it,
// under the index that leads there; behind the array, too.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel pick
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : arg1 = 0 }
// CHECK: write exact { [bx] -> arg0@8[4*tx + 0..3] : arg1 = 1 }
// CHECK: write exact { [bx] -> arg0@16[4*tx + 0..3] : arg1 = 2 }
// CHECK: write exact { [bx] -> arg0@24[4*tx + 0..3] : arg1 = 3 }
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
