// Loops that may not end, or not after one more iteration: exact under the
// assumption that they end, and an access of its own for the iteration more.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// Two iterations at most, the second in one thread.
// CHECK-LABEL: kernel twice
// CHECK: loop i0 < 2
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : tx < 2 }
// CHECK: write exact { [bx] -> arg0[4*tx + 4*i0 + 0..3] : tx = 0 and i0 >= 1 }
__global__ void twice(float *a) {
  for (unsigned i = threadIdx.x; i < 2; ++i)
    a[i] = 0.0f;
}

// Goes away from its end: not entered, or it would not end.
// CHECK-LABEL: kernel away
// CHECK: write exact { [bx] -> arg0[4*arg1{{.*}} : arg1 < arg2 }
// CHECK-NEXT: assuming u63(arg1 - arg2)
__global__ void away(float *a, long n, long m) {
  float *p = a + n;
  while (p < a + m) {
    *p = 0.0f;
    p -= 3;
  }
}

// Meets 0 only where it begins at an even number.
// CHECK-LABEL: kernel steps
// CHECK: loop i0 < floor(arg1/2)
// CHECK: write exact { [bx] -> arg0[4*arg1 - 8*i0 + 0..3]
// CHECK-NEXT: assuming u63(-arg1 + 2*floor(arg1/2)), u63(arg1)
__global__ void steps(float *a, unsigned long n) {
  for (unsigned long i = n; i > 0; i -= 2)
    a[i] = 0.0f;
}

// Goes on in its first iteration only, and then once, whatever n is.
// CHECK-LABEL: kernel behind
// CHECK: write exact { [bx] -> arg0[0..3] : arg1 >= 1 }
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3] : arg2 = 0 and i0 < 2 and i0 >= 1 }
__global__ void behind(float *a, unsigned long n, unsigned long m) {
  for (unsigned long i = 0; i < n; ++i) {
    a[i] = 0.0f;
    if (i != m)
      break;
  }
}
