// Functors given to a kernel by value: exact, their members are places inside
// the argument.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

struct Scale {
  float factor;
  const float *from;
  __device__ float operator()(int i) const { return factor * from[i]; }
};
struct Constant {
  float value;
  __device__ float operator()(int) const { return value; }
};

template <typename F> __global__ void generate(float *to, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = f(i);
}

// CHECK-LABEL: kernel void generate<Scale>
// CHECK-DAG: read exact { [bx] -> arg2@8[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
template __global__ void generate<Scale>(float *, int, Scale);

// CHECK-LABEL: kernel void generate<Constant>
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
template __global__ void generate<Constant>(float *, int, Constant);
