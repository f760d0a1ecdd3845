// What a loop leaves behind is of its last iteration: the cases of all of them,
// bounded; and what was there before, where it never ran.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel last
// CHECK: write bounded { [bx] -> arg0[0..3] : arg2 >= 1 }
// CHECK-NEXT: because it uses what a loop counter was when its loop ended
// CHECK-NEXT: write bounded { [bx] -> arg0[400..403] : arg2 >= 1 }
// CHECK-NEXT: because
// CHECK-NEXT: write bounded { [bx] -> arg0[28..31] : arg2 <= 0 }
// CHECK-NEXT: because
// CHECK-NEXT: 5 accesses
__global__ void last(float *a, volatile int *b, int n) {
  int x = 7;
  for (int i = 0; i < n; ++i) {
    if (i < 5) {
      x = 0;
      b[0] = 1;
    } else {
      x = 100;
      b[1] = 1;
    }
  }
  a[x] = 1;
}

// CHECK: kernel found
// CHECK: write bounded { [bx] -> arg0[0..3] : i0 < 5 }
// CHECK: write bounded { [bx] -> arg0[400..403] : i0 >= 5 }
// CHECK: write bounded { [bx] -> arg0[28..31] : arg2 <= 0 }
__global__ void found(float *a, const int *b, int n) {
  int x = 7;
  for (int i = 0; i < n; ++i) {
    x = i < 5 ? 0 : 100;
    if (b[i])
      break;
  }
  a[x] = 1;
}

// Where the outer loop does not run, nothing of the inner one holds.
// CHECK: kernel inner
// CHECK: write bounded { [bx] -> arg0[4..7] : arg3 <= 0 }
__global__ void inner(float *a, unsigned long n, unsigned long k, int m) {
  int x = 0;
  for (int i = 0; i < m; i++)
    for (unsigned j = i; j < n; j++)
      if (j + k >= 4) {
        x = j;
        break;
      }
  a[x < 1] = 1;
}

// LLVM counts the iterations on 128 bits; what is assumed of it has 64 at most,
// or nobody can read the footprint.
// CHECK: kernel counted
// CHECK-NOT: 128(
// CHECK: accesses:
__global__ void counted(float *a, const float *b, unsigned long n, long k, int m) {
  unsigned x = int(threadIdx.x + blockDim.x * blockIdx.x) - m;
  for (int i = 0; i < int(n) - 3; i++) {
    x = i >= n ? blockIdx.y * n : 3;
    if (i > n)
      break;
  }
  if (x <= k - x)
    b += k + k;
  a[0] = b[threadIdx.y];
}

// The loop goes on where i is at least 2^63 - 1, the largest constant there is:
// that it does so at first is not implied by anything.
// CHECK: kernel once
// CHECK: write bounded { [bx] -> arg0[0..3] : arg1 >= 1 }
__global__ void once(float *a, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) {
    if (i < i + i)
      break;
    a[i] = 1;
  }
}
