// A pointer one past the end of an array, or one before its start, that is also
// inside of the array beside it: launches wait for those that touch the same
// bytes through it.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=graph BLOCKMAESTRO_EXPLAIN=1 %t > %t.serial 2> %t.log
// RUN: FileCheck %s < %t.serial
// RUN: FileCheck --check-prefix=LOG %s < %t.log
// RUN: bash -c 'for seed in {0..11}; do BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | cmp %t.serial - || exit 1; done'
// CHECK: side by side 1, 5 sums
// LOG-NOT: {{nothing relates|no allocation}}
// LOG: missing: 0
// LOG-NOT: no allocation

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int N = 1024;
__device__ int first[N], second[N];

__global__ void clear() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  first[i] = second[i] = 0;
}
__global__ void backwards(int *end, const int *flag, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flag[i])
    end[-1 - i] = v + i;
}
__global__ void from_one(int *a, const int *flag, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (flag[i - 1])
    a[i] += v + i;
}
__global__ void scattered(int *end, const int *index, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  end[-1 - index[i]] += v + i;
}
__global__ void add(const int *a, int *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = sum[i] * 3 + a[i];
}

int main() {
  int *globals[2];
  cudaGetSymbolAddress((void **)&globals[0], first);
  cudaGetSymbolAddress((void **)&globals[1], second);
  int *low = globals[globals[1] < globals[0]], *high = low + N;
  int *memory = (int *)aligned_alloc(4096, 2 * N * sizeof(int));
  for (int i = 0; i < 2 * N; ++i)
    memory[i] = 0;
  cudaHostRegister(memory, N * sizeof(int), cudaHostRegisterMapped);
  cudaHostRegister(memory + N, N * sizeof(int), cudaHostRegisterMapped);
  int *flag, *index, *sums[5], host[N];
  cudaMalloc(&flag, sizeof(host));
  cudaMemset(flag, 1, sizeof(host));
  cudaMalloc(&index, sizeof(host));
  for (int i = 0; i < N; ++i)
    host[i] = i * 5 % N;
  cudaMemcpy(index, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int *&sum : sums) {
    cudaMalloc(&sum, sizeof(host));
    cudaMemset(sum, 0, sizeof(host));
  }
  clear<<<8, N / 8>>>();
  cudaDeviceSynchronize();
  for (int r = 1; r < 5; ++r) {
    backwards<<<8, N / 8>>>(high, flag, r * 1000);
    add<<<8, N / 8>>>(low, sums[0]);
    from_one<<<8, N / 8>>>(high - 1, flag, r * 1000);
    add<<<8, N / 8>>>(high, sums[1]);
    scattered<<<8, N / 8>>>(high, index, r);
    add<<<8, N / 8>>>(low, sums[2]);
    backwards<<<8, N / 8>>>(memory + N, flag, r * 1000);
    add<<<8, N / 8>>>(memory, sums[3]);
    from_one<<<8, N / 8>>>(memory + N - 1, flag, r * 1000);
    add<<<8, N / 8>>>(memory + N, sums[4]);
  }
  cudaDeviceSynchronize();
  std::printf("side by side %d, 5 sums\n", globals[0] < globals[1] ? globals[1] - globals[0] == N : globals[0] - globals[1] == N);
  for (int *sum : sums) {
    unsigned digest = 0;
    cudaMemcpy(host, sum, sizeof(host), cudaMemcpyDeviceToHost);
    for (int value : host)
      digest = digest * 31 + unsigned(value);
    std::printf("%08x\n", digest);
  }
}
