// Functions that are not inlined are summarised: which arguments and variables
// they reach. What cannot be seen may touch anything.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel recursive
// CHECK-NEXT: recursion
// CHECK: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursive(int *a) { a[threadIdx.x] = fibonacci(a[threadIdx.x]); }

__device__ int counter;
__device__ void sort(int *data, const int *keys, int low, int high) {
  if (low >= high)
    return;
  data[low] = keys[high];
  atomicAdd(&counter, 1);
  sort(data, keys, low + 1, high);
  sort(data, keys, low, high - 1);
}

// CHECK: kernel sorted(int*, int*, int*)
// CHECK: write allocation { [bx] -> arg0[*] }
// CHECK-NEXT: because a function that is recursive, very large or called through a pointer reaches it (sort(int*, int const*, int, int))
// CHECK: read allocation { [bx] -> arg2[*] }
// CHECK: atomic allocation { [bx] -> @counter[*] }
// CHECK-NOT: {{anywhere|arg1}}
// CHECK: 3 accesses
__global__ void sorted(int *a, int *unused, int *keys) { sort(a, keys, 0, 9); }

__device__ void odd(int *a, int n);
__device__ void even(int *a, int n) {
  if (n)
    odd(a + 1, n - 1);
}
__device__ void odd(int *a, int n) {
  a[0] = n;
  if (n)
    even(a + 1, n - 1);
}

// Two functions that call each other.
// CHECK: kernel mutual
// CHECK: write allocation { [bx] -> arg0[*] }
// CHECK: 1 access:
__global__ void mutual(int *a) { even(a, 5); }

// The functions a pointer is chosen from are known.
// CHECK: kernel chosen
// CHECK: {{^}}  {{.*}}indirect calls
// CHECK: write allocation { [bx] -> arg0[*] }
// CHECK-NEXT: because a function that is recursive
// CHECK: 1 access:
__device__ void first(int *a) { a[1] = 1; }
__device__ void second(int *a) { a[2] = 1; }
__global__ void chosen(int *a, int n) {
  void (*f)(int *) = n ? first : second;
  f(a);
}

// CHECK: kernel indirect
// CHECK: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because a call through a function pointer may touch any memory
__global__ void indirect(float *a, float (*f)(float)) { a[0] = f(1); }
