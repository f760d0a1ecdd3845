// `A[B[i]]`: the index array exact, the array indexed by it its allocation.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel gather
// CHECK-DAG: read exact { [bx] -> arg2[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 }
// CHECK-DAG: read allocation { [bx] -> arg1[*] }
// CHECK-DAG: because the index is itself read from memory
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 }
__global__ void gather(float *to, const float *from, const int *where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[where[i]];
}

// CHECK-LABEL: kernel scatter
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write allocation { [bx] -> arg0[*] }
__global__ void scatter(float *to, const int *where) {
  to[where[threadIdx.x]] = 1.0f;
}

// CHECK-LABEL: kernel checked
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg0[4*v0 + 0..3] : v0 < arg2{{.*}} }
__global__ void checked(float *to, const unsigned *where, unsigned n) {
  unsigned i = where[threadIdx.x];
  if (i < n)
    to[i] = 1.0f;
}
