// Calls through a function pointer: unknown, the program may have stored the
// address of any function, and bounded what follows, as that may end the thread;
// where it can only be one, what that function does.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

typedef float (*Operation)(const float *, int);
__device__ float first(const float *p, int i) { return p[i]; }
__device__ float second(const float *p, int i) { return p[2 * i]; }
__device__ Operation operations[2] = {first, second};

// CHECK-LABEL: kernel apply{{.*}}
// CHECK-DAG: indirect calls
// CHECK-DAG: read exact { [bx] -> @operations[8*arg2 + 0..7] }
// CHECK-DAG: read unknown { [bx] -> anywhere }
// CHECK-DAG: write unknown { [bx] -> anywhere }
// CHECK-DAG: because a call through a function pointer may touch any memory
// CHECK-DAG: write bounded { [bx] -> arg0[4*tx + 0..3] }
__global__ void apply(float *to, const float *from, int which) {
  to[threadIdx.x] = operations[which](from, threadIdx.x);
}

// CHECK-LABEL: kernel known
// CHECK-DAG: read allocation { [bx] -> arg1[*] }
// CHECK-DAG: because {{.*}}second(float const*, int)
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void known(float *to, const float *from) {
  Operation f = second;
  to[threadIdx.x] = f(from, threadIdx.x);
}
