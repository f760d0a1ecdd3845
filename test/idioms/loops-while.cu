// While and do-while loops with counters that are bounded: exact where the
// number of rounds is known, bounded where a condition on data may end them.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel counting
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*i0 + 0..3]{{( : arg1 >= 1)?}} }
__global__ void counting(float *a, int n) {
  int i = 0;
  while (i < n) {
    a[i] = 0.0f;
    i++;
  }
}

// CHECK-LABEL: kernel atLeastOnce
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: write exact { [bx] -> arg0[4*tx + 1024*i0 + 0..3] : i0 >= 1 }
__global__ void atLeastOnce(float *a, int n) {
  int k = 0;
  do {
    a[k * 256 + threadIdx.x] = 0.0f;
  } while (++k < n);
}

// CHECK-LABEL: kernel search
// CHECK-NEXT: loop i0 < arg2
// CHECK-NEXT: read bounded { [bx] -> arg0[4*i0 + 0..3] }
// CHECK: because its loop may be left early
// CHECK: write exact { [bx] -> arg1[4*tx + 0..3] }
__global__ void search(const int *keys, int *found, int n) {
  int i = 0;
  while (i < n && keys[i] != 42)
    i++;
  found[threadIdx.x] = i;
}

// CHECK-LABEL: kernel halving
// CHECK: write bounded { [bx] -> arg0[4*tx + 4*v0 + 0..3] : tx < v0 and {{[01]}} <= v0 <= 128 }
__global__ void halving(float *a) {
  int s = 128;
  while (s > 0) {
    if (threadIdx.x < s)
      a[threadIdx.x + s] = 0.0f;
    s >>= 1;
  }
}
