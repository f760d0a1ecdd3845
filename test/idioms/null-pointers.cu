// Pointers that may be null, and pointers compared: exact, the test of a pointer
// against null is known at launch; through a null pointer nothing is touched.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel optional
// CHECK: read exact { [bx] -> arg1[4*tx + 0..3] : tx < arg2 }
// CHECK: 3 accesses: 3 exact
__global__ void optional(float *x, const float *bias, int n) {
  int i = threadIdx.x;
  if (i < n) {
    float value = x[i];
    if (bias)
      value += bias[i];
    x[i] = value;
  }
}

struct Arguments {
  float *x;
  const float *bias;
};

// CHECK-LABEL: kernel inStructure
// CHECK: read exact { [bx] -> arg0@8[4*tx + 0..3] }
__global__ void inStructure(Arguments a) {
  if (a.bias != nullptr)
    a.x[threadIdx.x] += a.bias[threadIdx.x];
}

// CHECK-LABEL: kernel oneOrOther
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : arg1 = 0 }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg2[4*tx + 0..3] : arg1 >= 1 }
__global__ void oneOrOther(int *a, int *b, int *c) {
  if (!b) {
    a[threadIdx.x] = 1;
  } else {
    b[threadIdx.x] = 1;
    c[threadIdx.x] = 1;
  }
}

// CHECK-LABEL: kernel inPlace
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : arg0 > arg1 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : arg0 < arg1 }
__global__ void inPlace(int *to, const int *from) {
  if (to != from)
    to[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel aligned
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 0..15] : arg0 = 16*floor(arg0/16) }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : arg0 > 16*floor(arg0/16) }
__global__ void aligned(int *a) {
  if (reinterpret_cast<unsigned long>(a) % 16 == 0)
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(
                     a + 4 * threadIdx.x),
                 "r"(0)
                 : "memory");
  else
    a[threadIdx.x] = 0;
}

// A pointer read from memory is none of the launch.
// CHECK-LABEL: kernel read
// CHECK: write bounded { [bx] -> arg0[4*tx + 0..3] }
__global__ void read(int *a, int **pointers) {
  if (pointers[0])
    a[threadIdx.x] = 0;
}
