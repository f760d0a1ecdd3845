// Jumps into a loop, by goto or as Duff's device: bounded by what is known of
// the number alone, or the whole allocation; a jump out of a loop is a break.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// A thread that comes to "again" from outside writes a[9] as well.
// CHECK-LABEL: kernel again
// CHECK-NEXT: write bounded { [bx] -> arg0[4*v0 + 0..3] : 0 <= v0 <= 9 }
// CHECK: read exact { [bx] -> arg1[0..3] }
__global__ void again(float *a, const int *more, int n) {
  int i = 0;
  if (threadIdx.x >= n)
    goto check;
again:
  a[i] = 0.0f;
check:
  i = 9;
  if (*more)
    goto again;
}

// CHECK-LABEL: kernel exchanged
// CHECK-DAG: write allocation { [bx] -> arg0[*] }
// CHECK-DAG: write allocation { [bx] -> arg1[*] }
__global__ void exchanged(float *a, float *b, const int *more, int n) {
  float *p = a;
  if (threadIdx.x >= n)
    goto check;
again:
  p[threadIdx.x] = 0.0f;
check:
  p = b;
  if (*more)
    goto again;
}

// CHECK-LABEL: kernel turned
// CHECK-NEXT: write bounded { [bx] -> arg0[4*tx + 0..3] }
__global__ void turned(float *a, const int *more, int n) {
  bool set = n > 5;
  if (threadIdx.x >= n)
    goto check;
again:
  if (set)
    a[threadIdx.x] = 0.0f;
check:
  set = !set;
  if (*more)
    goto again;
}

// CHECK-LABEL: kernel duff
// CHECK-NEXT: write allocation { [bx] -> arg0[*] }
// CHECK: 1 access: 1 allocation
__global__ void duff(float *a, int n) {
  int rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      *a++ = 0.0f;
    case 3:
      *a++ = 0.0f;
    case 2:
      *a++ = 0.0f;
    case 1:
      *a++ = 0.0f;
    } while (--rounds > 0);
  }
}

// CHECK-LABEL: kernel out
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3] }
// CHECK: write exact { [bx] -> arg1[4*tx + 0..3] }
__global__ void out(float *a, float *b, int n) {
  for (int i = 0;; ++i) {
    if (i >= n)
      goto done;
    a[i] = 0.0f;
  }
done:
  b[threadIdx.x] = 0.0f;
}
