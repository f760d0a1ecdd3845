// Unsigned and 64-bit indices. An unsigned 32-bit index must fit 32 bits
// unsigned; below a guard, the guard may give its lower bound (i33). 64-bit
// indices of CUDA's sizes cannot wrap.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel plain
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
// CHECK-NEXT: assuming u32(tx + bx*Dx), u32(arg1)
__global__ void plain(float *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 1;
}

// CHECK: kernel before
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx - 4 + 0..3] : tx + bx*Dx >= 1 and tx + bx*Dx < arg1 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: assuming u32(tx + bx*Dx), u32(arg1) where tx + bx*Dx >= 1
// CHECK-NEXT: assuming i33(tx + bx*Dx - 1) where the conditions hold
__global__ void before(float *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    a[i - 1] = 1;
}

// CHECK: kernel size
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
// CHECK-NEXT: assuming u64(arg1)
__global__ void size(float *a, size_t n) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 1;
}

// CHECK: kernel wide
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
// CHECK-NEXT: 1 access: 1 exact
__global__ void wide(float *a, long n) {
  long i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 1;
}
