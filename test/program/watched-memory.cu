// A program may watch memory of the host, pinned, mapped, registered or managed,
// for what a kernel or a copy writes, without any call: shuffled launches go on.
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: timeout 60 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:0 timeout 60 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=sim timeout 60 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:2 timeout 60 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:5 BLOCKMAESTRO_WORKERS=1 timeout 60 %t | FileCheck %s

#include <cstdio>
#include <cstdlib>
#include <thread>

__global__ void work(int *p, int v) { p[blockIdx.x * blockDim.x + threadIdx.x] = v; }
__global__ void done(volatile int *flag, const int *p, int n) {
  int all = 0;
  for (int i = 0; i < n; ++i)
    all += p[i];
  *flag = all;
}

constexpr int N = 64;

/// Launches, and waits for what comes to be in watched; others are launched
/// behind it meanwhile.
void watch(const char *name, int *device, int *flag, int *watched, int others = 0) {
  for (int round = 1; round <= 20; ++round) {
    *watched = 0;
    work<<<N / 16, 16>>>(device, round);
    done<<<1, 1>>>(flag, device, N);
    if (watched != flag)
      cudaMemcpyAsync(watched, flag, sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < others; ++i)
      work<<<N / 16, 16>>>(device + (1 + i) * N, round);
    while (*(volatile int *)watched != round * N)
      std::this_thread::yield();
  }
  std::printf("%s\n", name);
}

int main() {
  int *device, *mapped, *managed, *registered, *flag, *copied;
  cudaMalloc(&device, 16 * N * sizeof(int));
  // CHECK: mapped
  cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped);
  watch("mapped", device, mapped, mapped);
  // As many as may run beside it (BLOCKMAESTRO_WINDOW), and fewer.
  for (int others : {7, 8}) {
    // CHECK-NEXT: behind
    // CHECK-NEXT: behind
    watch("behind", device, mapped, mapped, others);
  }
  // CHECK-NEXT: managed
  cudaMallocManaged(&managed, sizeof(int));
  watch("managed", device, managed, managed);
  // CHECK-NEXT: registered
  registered = (int *)aligned_alloc(4096, 4096);
  cudaHostRegister(registered, 4096, cudaHostRegisterMapped);
  watch("registered", device, registered, registered);
  // CHECK-NEXT: copied
  cudaMalloc(&flag, sizeof(int));
  cudaMallocHost(&copied, sizeof(int));
  watch("copied", device, flag, copied);
  // CHECK-NEXT: cudaSuccess
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
