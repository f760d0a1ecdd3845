// BLOCKMAESTRO_CHECK=memory finds what is released twice or never, and pointers
// that no allocation returned; the calls give the errors they give anyway.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=memory %t 2>&1 | FileCheck %s

// CHECK: cudaSuccess
// CHECK-NEXT: double release: cudaFree of 0x{{[0-9a-f]+}}, the 256 bytes from cudaMalloc were released before
// CHECK-NEXT: cudaErrorInvalidValue
// CHECK-NEXT: invalid release: cudaFree of 0x{{[0-9a-f]+}}, which is not what an allocation returned: {{.*}} the 512 bytes at 0x{{[0-9a-f]+}} from cudaMalloc
// CHECK-NEXT: cudaErrorInvalidValue
// CHECK: leak: 512 bytes at 0x{{[0-9a-f]+}} from cudaMalloc were never released
// CHECK-NOT: leak
// CHECK: 3 findings, 3 of them different and shown

#include <cstdio>
int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  char *a, *b;
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 512);
  std::puts(cudaGetErrorName(cudaFree(a)));
  std::puts(cudaGetErrorName(cudaFree(a)));
  std::puts(cudaGetErrorName(cudaFree(b + 8)));
}
