// Bits of an index set, cleared, flipped or asked for by a number of the launch
// (sorting networks, transforms): exact, with quotients by that number, which is
// assumed to be a power of two; `x & n` with an n of which that is not seen is
// bounded by n.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

__device__ unsigned index() { return threadIdx.x + blockDim.x * blockIdx.x; }

// A step of a bitonic sort.
// CHECK-LABEL: kernel bitonic
// CHECK: read exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : floor((tx + bx*Dx)/arg1) = 2*floor((tx + bx*Dx)/(2*arg1)) and floor((tx + bx*Dx)/arg2) = 2*floor((tx + bx*Dx)/(2*arg2)) + 1 }
// CHECK: assuming {{.*}} u63(arg1*floor(2147483648/arg1) - 2147483648)
// CHECK: read exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*arg1 - 8*arg1*floor((tx + bx*Dx)/arg1) + 16*arg1*floor((tx + bx*Dx)/(2*arg1)) + 0..3] :
// CHECK: write bounded { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : floor((tx + bx*Dx)/arg1) = 2*floor((tx + bx*Dx)/(2*arg1)) and floor((tx + bx*Dx)/arg2) = 2*floor((tx + bx*Dx)/(2*arg2)) + 1 }
// CHECK: 8 accesses: 4 exact, 4 bounded
__global__ void bitonic(int *a, int j, int k) {
  unsigned i = index(), other = i ^ j;
  if (other > i) {
    if ((i & k) == 0) {
      if (a[i] > a[other]) {
        int kept = a[i];
        a[i] = a[other];
        a[other] = kept;
      }
    } else if (a[i] < a[other]) {
      int kept = a[i];
      a[i] = a[other];
      a[other] = kept;
    }
  }
}

// Signed, the bit may not be the sign.
// CHECK-LABEL: kernel flipped
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : floor(tx/arg1) = 2*floor(tx/(2*arg1)) + 1 }
// CHECK: u63(arg1*floor(1073741824/arg1) - 1073741824)
__global__ void flipped(int *a, int j) {
  int i = threadIdx.x;
  if ((i ^ j) < i)
    a[i] = 0;
}

// CHECK-LABEL: kernel butterfly
// CHECK-DAG: write exact { [bx] -> arg0[8*tx + 8*bx*Dx + 8*arg1*floor((tx + bx*Dx)/arg1) + 0..7] }
// CHECK-DAG: write exact { [bx] -> arg0[8*tx + 8*bx*Dx + 8*arg1 + 8*arg1*floor((tx + bx*Dx)/arg1) + 0..7] }
__global__ void butterfly(float2 *a, int half) {
  int i = index(), low = i & (half - 1), j = ((i - low) << 1) | low;
  float2 kept = a[j];
  a[j] = a[j + half];
  a[j + half] = kept;
}

// CHECK-LABEL: kernel shifted
// CHECK: write exact { [bx] -> arg0[4*tx - 8*floor(tx/2^(arg1))*2^(arg1) + 16*floor(tx/(2*2^(arg1)))*2^(arg1) + 4*2^(arg1) + 0..3] }
__global__ void shifted(int *a, int bit) { a[threadIdx.x ^ 1u << bit] = 0; }

// CHECK-LABEL: kernel cleared
// CHECK: write exact { [bx] -> arg0[4*tx - 4*arg1*floor(tx/arg1) + 8*arg1*floor(tx/(2*arg1)) + 0..3] }
__global__ void cleared(int *a, int bit) { a[threadIdx.x & ~bit] = 0; }

// CHECK-LABEL: kernel roundedDown
// CHECK: write exact { [bx] -> arg0[4*arg1*floor(tx/arg1) + 0..3] }
__global__ void roundedDown(int *a, int step) { a[threadIdx.x & -step] = 0; }

// CHECK-LABEL: kernel everyOther
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : tx = 2*arg1*floor(tx/(2*arg1)) }
__global__ void everyOther(int *a, int step) {
  if ((threadIdx.x & (2 * step - 1)) == 0)
    a[threadIdx.x] = 0;
}

// CHECK-LABEL: kernel inRing
// CHECK: write bounded { [bx] -> arg0[4*v0 + 0..3] : 0 <= v0 <= arg1 }
__global__ void inRing(int *a, unsigned mask) { a[threadIdx.x & mask] = 0; }

// By three, they would have bits in common.
// CHECK-LABEL: kernel disjoint
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: assuming {{.*}}u63(arg1*floor(2147483648/arg1) - 2147483648)
__global__ void disjoint(int *a, unsigned n) {
  a[threadIdx.x / n * n | threadIdx.x % n] = 0;
}

// Numbers that no index is in.
// CHECK-LABEL: kernel flags
// CHECK: write bounded { [bx] -> arg0[4*tx + 0..3] }
__global__ void flags(int *a, int given, int wanted) {
  if (given & wanted)
    a[threadIdx.x] = 0;
}
