// A struct passed by value: its pointers are roots and its integers symbols, each
// with its byte offset in the argument.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel fill
// CHECK-NEXT: write exact { [bx] -> arg0@16[4*tx*arg0@8 + 4*bx*Dx*arg0@8 + 0..3] : tx + bx*Dx < arg0@24 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: assuming i32(tx*arg0@8 + bx*Dx*arg0@8) where the conditions hold

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

// One of two pointers: optimised, the place is a byte offset that is known to be
// a multiple of eight, so nothing stands between the two.
// CHECK: kernel one
// CHECK-NEXT: read exact { [bx] -> arg0[28..31] : arg1 = 0 }
// CHECK-NEXT: assuming
// CHECK-NEXT: read exact { [bx] -> arg0@8[28..31] : arg1 = 1 }
// CHECK-NEXT: assuming
// CHECK-NEXT: write exact { [bx] -> arg2[0..3] }
struct Rows {
  float *rows[2];
};
__global__ void one(Rows from, long which, float *to) {
  int row = which;
  to[0] = from.rows[row][7];
}

// The conditions leave no case where their assumption holds; where it fails, at
// negative n, any pointer that the index can name is read. There are too many
// bytes in front of them to count them all as places.
// CHECK: kernel contradicted
// CHECK-NEXT: read exact { [bx] -> arg0@1104[0..7] : -1 >= 0 }
// CHECK-NEXT: assuming u64(arg2)
// CHECK-NEXT: read exact { [bx] -> arg0@1112[0..7] : -1 >= 0 }
// CHECK-NEXT: assuming u64(arg2)
// CHECK-NEXT: write exact { [bx] -> arg1[0..7] : -1 >= 0 }
// CHECK-NEXT: assuming u64(arg2)
struct BehindBytes {
  char before[1104];
  unsigned long *rows[2];
};
__global__ void contradicted(BehindBytes from, unsigned long *to, long n) {
  unsigned t = threadIdx.x;
  if (t > n && (unsigned long)t <= n)
    to[0] = from.rows[blockIdx.x][0];
}
