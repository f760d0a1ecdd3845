// BLOCKMAESTRO_CHECK=graph holds the relations between launches against what
// their blocks touch: true ones are silent, and counted at the end; a window
// that looks for RAW alone, as the paper's does, misses that a later launch
// overwrites what an earlier one still reads.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=graph %t > %t.out 2> %t.said
// RUN: count 0 < %t.said
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// RUN: env BLOCKMAESTRO_CHECK=graph BLOCKMAESTRO_EXPLAIN=1 %t 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: env BLOCKMAESTRO_CHECK=graph BLOCKMAESTRO_EXPLAIN=1 BLOCKMAESTRO_EXECUTOR=shuffle:7 %t 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: env BLOCKMAESTRO_CHECK=graph BLOCKMAESTRO_WINDOW=paper %t 2>&1 | FileCheck %s --check-prefix=PAPER

// OUT: 4950
// COUNTS: pairs of launches in flight together: {{[0-9]+}}, related: {{[1-9][0-9]*}}, by exactly the true pairs of blocks: {{[1-9][0-9]*}}, implied by others: {{[1-9][0-9]*}}; true pairs of blocks: {{[1-9][0-9]*}}, in relations: {{[1-9][0-9]*}}, missing: 0
// PAPER: graph: block ({{[0-9]+}},0,0) of kernel 'fill(int*, int)' (launch {{[0-9]+}}) writes the byte at 0x{{[0-9a-f]+}} that block ({{[0-9]+}},0,0) of kernel 'add(int*, int const*, int)' (launch {{[0-9]+}}) reads, and nothing relates the launches

#include <cstdio>

__global__ void fill(int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = i;
}

__global__ void add(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += from[n - 1 - i];
}

int main() {
  const int n = 100;
  int *a, *b, host[n], sum = 0;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMemset(a, 0, sizeof host);
  fill<<<7, 16>>>(b, n);
  add<<<7, 16>>>(a, b, n);
  fill<<<7, 16>>>(b, n);
  fill<<<7, 16>>>(b, n);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  for (int each : host)
    sum += each;
  std::printf("%d\n", sum);
  cudaFree(a);
  cudaFree(b);
}
