// A struct passed by value: its pointers are roots and its integers symbols, each
// with its byte offset in the argument.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel fill
// CHECK-NEXT: write exact arg0@16 4 bytes at { 4*threadIdx.x*arg0@8 + 4*blockIdx.x*blockDim.x*arg0@8 : -threadIdx.x - blockIdx.x*blockDim.x + arg0@24 - 1 >= 0 }

struct View {
  float *unused;
  int stride;
  float *data;
  long count;
};
__global__ void fill(View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.count)
    v.data[i * v.stride] = 1;
}
