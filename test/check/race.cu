// BLOCKMAESTRO_CHECK=race finds two accesses of one byte that nothing orders,
// by threads of a block or by blocks of a launch, and lets the kernel go on.
// RUN: %bmclangxx -fblockmaestro -g %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=race %t missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: env BLOCKMAESTRO_CHECK=race %t blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: env BLOCKMAESTRO_CHECK=race %t right 2>&1 | FileCheck %s --check-prefix=RIGHT

// MISSING: race: {{read|write}} by block (0,0,0), thread ({{[0-9]+}},0,0) of kernel 'reverse(int*, bool)' at {{.*}}race.cu:{{[0-9]+}} and {{read|write}} at {{.*}}race.cu:{{[0-9]+}} by block (0,0,0), thread ({{[0-9]+}},0,0) of the same shared memory, address 0x{{[0-9a-f]+}}, with no barrier between them
// MISSING: done
// BLOCKS: race: write by block ([[#B:]],0,0), thread (0,0,0) of kernel 'last(int*)' at {{.*}} and write at {{.*}} by block ({{[0-9]+}},0,0), thread (0,0,0) of the same memory, address 0x{{[0-9a-f]+}}, and nothing orders the blocks
// BLOCKS: done
// RIGHT-NOT: race
// RIGHT: done 2016
// RIGHT-NOT: race

#include <cstdio>
#include <cstring>

__global__ void reverse(int *a, bool ordered) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
  if (ordered)
    __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void last(int *a) { a[0] = blockIdx.x; }

// Every block leaves its part; the last to arrive adds them up, and sets the
// counter back.
__device__ unsigned arrived;
__global__ void sum(int *parts, int *total) {
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      int t = 0;
      for (unsigned i = 0; i < gridDim.x; ++i)
        t += parts[i];
      *total = t;
      arrived = 0;
    }
  }
}

// A warp adds up without a block's barrier.
__global__ void warpSum(int *a) {
  __shared__ int s[32];
  s[threadIdx.x] = a[threadIdx.x];
  __syncwarp();
  for (int step = 16; step; step /= 2) {
    int other = s[(threadIdx.x + step) % 32];
    __syncwarp();
    s[threadIdx.x] += other;
    __syncwarp();
  }
  a[threadIdx.x] = s[threadIdx.x];
}

int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  auto is = [&](const char *name) { return !std::strcmp(argv[1], name); };
  int *a, total = 0;
  cudaMalloc(&a, 1024);
  cudaMemset(a, 0, 1024);
  if (is("missing"))
    reverse<<<1, 64>>>(a, false);
  else if (is("blocks"))
    last<<<4, 1>>>(a);
  else {
    reverse<<<1, 64>>>(a, true);
    warpSum<<<1, 32>>>(a);
    sum<<<64, 32>>>(a, a + 128);
    cudaMemcpy(&total, a + 128, sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaDeviceSynchronize();
  std::printf("done %d\n", total);
}
