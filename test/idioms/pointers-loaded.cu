// Pointers loaded from memory: what they point to is unknown.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

struct Node {
  float value;
  Node *next;
};

// CHECK-LABEL: kernel batched
// CHECK-DAG: read exact { [bx] -> arg0[8*bx + 0..7] }
// CHECK-DAG: write unknown { [bx] -> anywhere }
// CHECK-DAG: because the pointer is itself read from memory
__global__ void batched(float **matrices) {
  matrices[blockIdx.x][threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel list
// CHECK-DAG: read unknown { [bx] -> anywhere }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 0..3] }
__global__ void list(const Node *head, float *sum) {
  float total = 0.0f;
  for (const Node *p = head; p; p = p->next)
    total += p->value;
  sum[threadIdx.x] = total;
}

// CHECK-LABEL: kernel number
// CHECK-NEXT: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is made from an integer
__global__ void number(long address) {
  *(float *)(address & ~15l) = 1.0f;
}
