// Pointers in a structure passed by value, chosen by an index: exact, each
// under the index that leads to it, whatever type a union or an integer gives
// it there; bounded, in all of them, where the index is not followed, unknown
// where they are too many.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

#include <stdint.h>

struct Two {
  float *arrays[2];
};

// CHECK-LABEL: kernel byBlock(Two)
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : {{.*}}bx = 0 }
// CHECK-DAG: write exact { [bx] -> arg0@8[4*tx + 0..3] : {{.*}}bx = 1 }
__global__ void byBlock(Two t) { t.arrays[blockIdx.x][threadIdx.x] = 0.0f; }

// CHECK-LABEL: kernel byLoop
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : {{.*}}i0 = 0
// CHECK: write exact { [bx] -> arg0@8[4*tx + 0..3] : {{.*}}i0 = 1
__global__ void byLoop(Two t, int n) {
  for (int i = 0; i < n; ++i)
    t.arrays[i][threadIdx.x] = 0.0f;
}

union Hidden {
  uint64_t bits;
  float *array;
};
struct Mixed {
  float *first;
  Hidden second;
  uint2 third;
  char fourth[8];
  int count;
};

// The count with the padding behind it holds no pointer.
// CHECK-LABEL: kernel hidden
// CHECK-DAG: arg0[4*tx + 0..3] : {{.*}}bx = 0 }
// CHECK-DAG: arg0@8[4*tx + 0..3] : {{.*}}bx = 1 }
// CHECK-DAG: arg0@16[4*tx + 0..3] : {{.*}}bx = 2 }
// CHECK-DAG: arg0@24[4*tx + 0..3] : {{.*}}bx = 3 }
// CHECK: 4 accesses: 4 exact
__global__ void hidden(Mixed m) { (&m.first)[blockIdx.x][threadIdx.x] = 0.0f; }

struct __attribute__((packed)) Packed {
  char tag;
  float *array;
  int more;
};
struct Records {
  Packed all[3];
};

// CHECK-LABEL: kernel packed
// CHECK-DAG: arg0@1[4*tx + 0..3] : {{.*}}bx = 0 }
// CHECK-DAG: arg0@14[4*tx + 0..3] : {{.*}}bx = 1 }
// CHECK-DAG: arg0@27[4*tx + 0..3] : {{.*}}bx = 2 }
// CHECK: 3 accesses: 3 exact
__global__ void packed(Records r) {
  r.all[blockIdx.x].array[threadIdx.x] = 0.0f;
}

struct Large {
  float *rows[12][256];
};

// CHECK-LABEL: kernel large
// CHECK-DAG: arg0@16[4*tx + 0..3] : {{.*}}bx = 0 }
// CHECK-DAG: arg0@22544[4*tx + 0..3] : {{.*}}bx = 11 }
// CHECK: 12 accesses: 12 exact
__global__ void large(Large l) { l.rows[blockIdx.x][2][threadIdx.x] = 0.0f; }

// CHECK-LABEL: kernel masked
// CHECK: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK: write bounded { [bx] -> arg0[4*tx + 0..3] }
// CHECK: write bounded { [bx] -> arg0@2048[4*tx + 0..3] }
// CHECK: 3 accesses:
__global__ void masked(Large l, const int *which) {
  l.rows[which[threadIdx.x] & 1][0][threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel tooMany
// CHECK: write unknown { [bx] -> anywhere }
// CHECK: because the pointer may be one of several arguments
__global__ void tooMany(Large l) { l.rows[0][blockIdx.x][threadIdx.x] = 0.0f; }

// CHECK-LABEL: kernel loaded
// CHECK: read exact { [bx] -> arg1[4*bx + 0..3] }
// CHECK: write {{bounded|allocation}} { [bx] -> arg0[
// CHECK: write {{bounded|allocation}} { [bx] -> arg0@8[
// CHECK: 3 accesses:
__global__ void loaded(Two t, const int *which) {
  t.arrays[which[blockIdx.x]][threadIdx.x] = 0.0f;
}

template <typename T, int N> struct Wrapped {
  T inside[N];
  __device__ T operator[](int i) const { return inside[i]; }
};
struct Base {
  int *counts;
};
struct Derived : Base {
  Wrapped<float *, 2> arrays;
};

// CHECK-LABEL: kernel wrapped
// CHECK-DAG: write exact { [bx] -> arg0@8[4*tx + 0..3] : {{.*}}bx = 0 }
// CHECK-DAG: write exact { [bx] -> arg0@16[4*tx + 0..3] : {{.*}}bx = 1 }
__global__ void wrapped(Derived d) { d.arrays[blockIdx.x][threadIdx.x] = 0.0f; }

// What is put together from integers is followed to no argument.
// CHECK-LABEL: kernel integers
// CHECK: write unknown { [bx] -> anywhere }
// CHECK: because the pointer is made from an integer
__global__ void integers(uintptr_t address, ulong2 both, uint2 halves) {
  *(int *)address = 1;
  ((int *)(threadIdx.x ? both.x : both.y))[threadIdx.x] = 1;
  ((int *)(uint64_t(halves.y) << 32 | halves.x))[threadIdx.x] = 1;
}

template <typename F> __global__ void run(F f) { f(blockIdx.x); }

// A lambda's captures are a structure.
// CHECK-LABEL: kernel void run<
// CHECK-DAG: write exact { [bx] -> arg0[4*bx + 0..3] : {{.*}}bx
// CHECK-DAG: write exact { [bx] -> arg0@8[4*bx + 0..3] : {{.*}}bx
void start(Two t) {
  run<<<2, 1>>>([=] __device__(int i) { t.arrays[i & 1][i] = 0.0f; });
}
