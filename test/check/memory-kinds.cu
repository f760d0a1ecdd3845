// What else BLOCKMAESTRO_CHECK=memory finds: use after release, pointers to the
// host's memory, null pointers, misaligned accesses, shared memory that is too
// small, copies in bulk. Each ends the kernel.
// RUN: %bmclangxx -fblockmaestro -g %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=memory %t released 2>&1 | FileCheck %s --check-prefix=RELEASED
// RUN: env BLOCKMAESTRO_CHECK=memory %t host 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: env BLOCKMAESTRO_CHECK=memory %t null 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: env BLOCKMAESTRO_CHECK=memory %t misaligned 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: env BLOCKMAESTRO_CHECK=memory %t shared 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: env BLOCKMAESTRO_CHECK=memory %t variable 2>&1 | FileCheck %s --check-prefix=VARIABLE

// RELEASED: invalid read of 4 bytes at {{.*}} of kernel 'copy(int*, int const*)' at {{.*}}memory-kinds.cu:{{[0-9]+}}: use after release of the 256 bytes at 0x{{[0-9a-f]+}} from cudaMalloc
// RELEASED: cudaErrorIllegalAddress
// HOST: invalid read of 4 bytes at {{.*}}: memory of the host, which the device cannot reach
// HOST: cudaErrorIllegalAddress
// NULL: invalid read of 4 bytes at 0x0 {{.*}}: a null pointer
// NULL: cudaErrorIllegalAddress
// MISALIGNED: misaligned read of 16 bytes at {{.*}}: must be a multiple of 16
// MISALIGNED: cudaErrorMisalignedAddress
// SHARED: invalid write of 4 bytes at {{.*}} thread (32,0,0) of kernel 'tooSmall(int*)' at {{.*}}: outside the block's shared memory
// SHARED: cudaErrorIllegalAddress
// VARIABLE: invalid read of 4 bytes at {{.*}}: 1 byte after the end of the 64 bytes at 0x{{[0-9a-f]+}} from the variable 'table'
// VARIABLE: cudaErrorIllegalAddress

#include <cstdio>
#include <cstring>

__device__ int table[16];

__global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void wide(float4 *to, const char *from) { *to = *(const float4 *)(from + 4); }
__global__ void tooSmall(int *to) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  to[threadIdx.x] = s[0];
}
__global__ void readTable(int *to, int n) {
  for (int i = 0; i < n; ++i)
    to[0] += table[i];
}

int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  const char *what = argv[1];
  auto is = [&](const char *name) { return !std::strcmp(what, name); };
  int *a, *b;
  static int onHost[64];
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  if (is("released")) {
    cudaFree(b);
    copy<<<1, 64>>>(a, b);
  } else if (is("host")) {
    copy<<<1, 64>>>(a, onHost);
  } else if (is("null")) {
    copy<<<1, 64>>>(a, nullptr);
  } else if (is("misaligned")) {
    wide<<<1, 1>>>((float4 *)a, (const char *)b);
  } else if (is("shared")) {
    tooSmall<<<1, 64, 32 * sizeof(int)>>>(a);
  } else {
    readTable<<<1, 1>>>(a, 17);
  }
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
