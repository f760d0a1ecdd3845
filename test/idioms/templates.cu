// Template kernels: exact, each instance has its own footprint.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

template <typename T, int Step> __global__ void strided(T *a, int n) {
  int i = Step * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    a[i] = T(0);
}

// CHECK-DAG: kernel void strided<double, 2>
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 16*bx*Dx + 0..7] : 2*tx + 2*bx*Dx < arg1 }
template __global__ void strided<double, 2>(double *, int);

// CHECK-DAG: kernel void strided<float, 1>
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 }
template __global__ void strided<float, 1>(float *, int);

// CHECK-DAG: kernel void strided<char, 4>
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx] : 4*tx + 4*bx*Dx < arg1 }
template __global__ void strided<char, 4>(char *, int);
