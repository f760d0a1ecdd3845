// Pointers moved by a number of bytes of 64 bits that is read from memory:
// unknown where more than a byte is touched, as the number may be the distance
// to another array; so are pointers moved by the difference of two arrays'
// addresses.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

#include <stddef.h>

// CHECK-LABEL: kernel relative(char
// CHECK: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is moved by a number of bytes read from memory
__global__ void relative(char *base, const ptrdiff_t *offsets) {
  *(int *)(base + offsets[0] + 4 * threadIdx.x) = 1;
}

// CHECK-LABEL: kernel unlessNull
// CHECK: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is moved by a number of bytes read from memory
__global__ void unlessNull(char *base, const ptrdiff_t *offsets) {
  if (offsets[0] != 0)
    *(int *)(base + offsets[0]) = 1;
}

// CHECK-LABEL: kernel halves
// CHECK: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is moved by a number of bytes read from memory
__global__ void halves(char *base, const unsigned *half) {
  *(int *)(base + ((unsigned long long)half[1] << 32 | half[0])) = 1;
}

struct Node {
  int value;
  ptrdiff_t next;
};

// CHECK-LABEL: kernel list
// CHECK: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is moved by a number of bytes read from memory
__global__ void list(char *pool, int *out, ptrdiff_t at) {
  while (at) {
    Node *node = (Node *)(pool + at);
    out[threadIdx.x] += node->value;
    at = node->next;
  }
}

__device__ int sum(const char *pool, ptrdiff_t at) {
  const Node *node = (const Node *)(pool + at);
  return at == 0 ? 0 : node->value + sum(pool, node->next);
}

// CHECK-LABEL: kernel recursive
// CHECK: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is moved by a number of bytes read from memory
__global__ void recursive(const char *pool, int *out) {
  out[threadIdx.x] = sum(pool, 16);
}

// CHECK-LABEL: kernel across
// CHECK: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is made from an integer
__global__ void across(int *p, int *q) { p[q - p] = 1; }

// The difference of two pointers into one array is an index.
// CHECK-LABEL: kernel within
// CHECK: write exact { [bx] -> arg1[12*bx + 0..3] }
__global__ void within(int *p, int *to) {
  int *it = p + blockIdx.x * 3;
  to[it - p] = 1;
}

// CHECK-LABEL: kernel indexed
// CHECK: write allocation { [bx] -> arg0[*] }
// CHECK: because the index is itself read from memory
__global__ void indexed(int *base, const ptrdiff_t *indices) {
  base[indices[threadIdx.x]] = 1;
}

// CHECK-LABEL: kernel bytes
// CHECK: write allocation { [bx] -> arg0[*] }
__global__ void bytes(char *base, const size_t *indices) {
  base[indices[threadIdx.x]] = 1;
}

// CHECK-LABEL: kernel checked
// CHECK: write bounded { [bx] -> arg0[v0 + 0..3]
__global__ void checked(char *base, const ptrdiff_t *offsets) {
  ptrdiff_t offset = offsets[threadIdx.x];
  if (offset >= 0 && offset < 4096)
    *(int *)(base + offset) = 1;
}

// What the launch passes is known then.
// CHECK-LABEL: kernel passed
// CHECK: write exact { [bx] -> arg0[4*tx + arg1 + 0..3] }
__global__ void passed(char *base, ptrdiff_t offset) {
  *(int *)(base + offset + 4 * threadIdx.x) = 1;
}
