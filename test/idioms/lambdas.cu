// Lambdas given to a kernel, with what they capture: exact, the captured
// pointers are places inside the argument.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel inside
// CHECK-DAG: read exact { [bx] -> arg0[4*tx + 4..7] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void inside(float *a) {
  auto move = [&](int from, int to) { a[to] = a[from]; };
  move(threadIdx.x + 1, threadIdx.x);
}

// CHECK-LABEL: kernel {{.*}}forEach
// CHECK-DAG: read exact { [bx] -> arg1@16[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg0 }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg0 }
template <typename F> __global__ void forEach(int n, F body) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    body(i);
}

void scale(float *to, const float *from, float factor, int n) {
  forEach<<<(n + 255) / 256, 256>>>(
      n, [=] __device__(int i) { to[i] = factor * from[i]; });
}
