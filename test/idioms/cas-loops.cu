// Loops around a compare-and-swap: exact, the same word every time round; bounded
// where a value in memory decides whether to swap.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel maximum
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] }
// CHECK-DAG: read exact { [bx] -> arg0[4*bx + 0..3] }
// CHECK-DAG: atomic bounded { [bx] -> arg0[4*bx + 0..3] }
__global__ void maximum(float *out, const float *in) {
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  int *address = (int *)&out[blockIdx.x];
  int old = *address, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value)
      break;
    old = atomicCAS(address, assumed, __float_as_int(value));
  } while (assumed != old);
}

// CHECK-LABEL: kernel addDouble
// CHECK-DAG: read exact { [bx] -> arg0[0..7] }
// CHECK-DAG: atomic exact { [bx] -> arg0[0..7] }
__global__ void addDouble(double *sum, double value) {
  unsigned long long *address = (unsigned long long *)sum;
  unsigned long long old = *address, assumed;
  do {
    assumed = old;
    old = atomicCAS(address, assumed,
                    __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
}

// CHECK-LABEL: kernel lock
// CHECK: atomic exact { [bx] -> arg0[0..3] }
__global__ void lock(int *mutex, int *count) {
  while (atomicCAS(mutex, 0, 1) != 0)
    ;
  *count += 1;
  __threadfence();
  atomicExch(mutex, 0);
}
