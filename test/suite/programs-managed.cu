// Feature: programs: Managed memory: linked structures, classes that allocate themselves
// in it, prefetching and advice, host and device taking turns.

#include "Inputs/suite.h"

struct Node {
  int Value;
  Node *Next;
};

__global__ void visit(Node *Head, int *Sum) {
  for (Node *N = Head; N; N = N->Next) {
    *Sum += N->Value;
    N->Value *= 2;
  }
}

struct Managed {
  void *operator new(size_t Size) {
    void *P = nullptr;
    check(cudaMallocManaged(&P, Size));
    return P;
  }
  void operator delete(void *P) { cudaFree(P); }
  int Length = 0;
  char Text[32] = {};
};

__global__ void measure(Managed *M) {
  while (M->Text[M->Length])
    ++M->Length;
}

int main() {
  int *Sum = nullptr;
  Node *Head = nullptr;
  check(cudaMallocManaged(&Sum, sizeof *Sum, cudaMemAttachGlobal));
  *Sum = 0;
  for (int I = 0; I < 10; ++I) {
    Node *N = nullptr;
    check(cudaMallocManaged(&N, sizeof *N));
    *N = {I, Head};
    Head = N;
  }
  visit<<<1, 1>>>(Head, Sum);
  visit<<<1, 1>>>(Head, Sum);
  check(cudaDeviceSynchronize());
  expect(*Sum == 45 * 3);
  for (Node *N = Head; N;) {
    Node *Next = N->Next;
    expect(N->Value % 4 == 0);
    check(cudaFree(N));
    N = Next;
  }

  Managed *M = new Managed;
  std::snprintf(M->Text, sizeof M->Text, "managed memory");
  cudaMemLocation Device{};
  Device.type = cudaMemLocationTypeDevice;
  check(cudaMemAdvise(M, sizeof *M, cudaMemAdviseSetReadMostly, Device));
  check(cudaMemPrefetchAsync(M, sizeof *M, Device, 0));
  measure<<<1, 1>>>(M);
  check(cudaDeviceSynchronize());
  expect(M->Length == 14);
  cudaPointerAttributes Attributes;
  check(cudaPointerGetAttributes(&Attributes, M));
  expect(Attributes.type == cudaMemoryTypeManaged && Attributes.devicePointer == M &&
         Attributes.hostPointer == M);
  delete M;
  check(cudaFree(Sum));
  return suite::finish();
}
