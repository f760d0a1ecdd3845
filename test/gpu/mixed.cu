// What surrounds overlapped launches keeps its place: kernels without variants,
// copies and memsets on the stream, other streams and events, dynamic shared
// memory, structures as arguments, threads that return early, large grids.
// REQUIRES: gpu
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=serial %t 50 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=prelaunch %t 50 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=persistent %t 50 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=streams:8 %t 50 | FileCheck %s
// CHECK: mixed: ok

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

struct Span {
  int *data;
  int size;
  short step;
};

__global__ void fill(Span s, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.size)
    return;
  s.data[i] = value + i % s.step;
}

__global__ void shift(const int *__restrict__ from, int *__restrict__ to, int n,
                      int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[(i + by) % n] + 1;
}

__global__ void viaShared(int *data, int n) {
  extern __shared__ int held[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  held[threadIdx.x] = i < n ? data[i] : 0;
  held[threadIdx.x + 16000] = held[threadIdx.x] + 1;
  __syncthreads();
  if (i < n)
    data[i] = held[blockDim.x - 1 - threadIdx.x + 16000];
}

__global__ void withAssembly(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int one;
  asm volatile("mov.u32 %0, 1;" : "=r"(one));
  if (i < n)
    data[i] += one;
}

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::printf("mixed: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

static std::vector<int> expected(int n) {
  std::vector<int> a(n), b(n);
  for (int i = 0; i < n; ++i)
    a[i] = 5 + i % 7;
  for (int k = 0; k < 20; ++k) {
    for (int i = 0; i < n; ++i)
      b[i] = a[(i + 300) % n] + 1;
    for (int block = 0; block < n; block += 256)
      for (int t = 0; t < 256; ++t)
        a[block + t] = b[block + 255 - t] + 1 + (k % 5 == 0);
  }
  return a;
}

static void enqueue(cudaStream_t stream, int *a, int *b, int n) {
  int blocks = (n + 255) / 256;
  size_t shared = 80000;
  fill<<<blocks, 256, 0, stream>>>({a, n, 7}, 5);
  for (int k = 0; k < 20; ++k) {
    shift<<<blocks, 256, 0, stream>>>(a, b, n, 300);
    if (k % 7 == 3)
      check(cudaMemsetAsync(a, 1, n * 4, stream), "memset");
    viaShared<<<blocks, 256, shared, stream>>>(b, n);
    if (k % 5 == 0)
      withAssembly<<<blocks, 256, 0, stream>>>(b, n);
    check(cudaMemcpyAsync(a, b, n * 4, cudaMemcpyDeviceToDevice, stream),
          "copy");
  }
  check(cudaGetLastError(), "launch");
}

int main(int argc, char **argv) {
  int turns = argc > 1 ? std::atoi(argv[1]) : 1;
  check(cudaFuncSetAttribute((const void *)viaShared,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             80000),
        "attribute");
  for (int n : {256 * 40, 256 * 3000}) {
    std::vector<int> want = expected(n), got(n);
    int *a[3], *b[3];
    cudaStream_t streams[3] = {nullptr, nullptr, nullptr};
    check(cudaStreamCreate(&streams[1]), "stream");
    check(cudaStreamCreateWithFlags(&streams[2], cudaStreamNonBlocking),
          "stream");
    cudaEvent_t event;
    check(cudaEventCreate(&event), "event");
    for (int s = 0; s < 3; ++s) {
      check(cudaMalloc(&a[s], n * 4), "malloc");
      check(cudaMalloc(&b[s], n * 4), "malloc");
    }
    for (int turn = 0; turn < turns; ++turn) {
      for (int s = 0; s < 3; ++s)
        enqueue(streams[s], a[s], b[s], n);
      // The third stream's result, once more, behind the second stream.
      check(cudaEventRecord(event, streams[1]), "record");
      check(cudaStreamWaitEvent(streams[2], event, 0), "wait");
      shift<<<(n + 255) / 256, 256, 0, streams[2]>>>(a[1], b[2], n, 0);
      for (int s = 0; s < 3; ++s) {
        check(cudaStreamSynchronize(streams[s]), "synchronise");
        check(cudaMemcpy(got.data(), a[s], n * 4, cudaMemcpyDeviceToHost),
              "copy back");
        if (got != want) {
          std::printf("mixed: stream %d, turn %d, n %d: wrong\n", s, turn, n);
          return 1;
        }
      }
      check(cudaMemcpy(got.data(), b[2], n * 4, cudaMemcpyDeviceToHost),
            "copy back");
      for (int i = 0; i < n; ++i)
        if (got[i] != want[i] + 1) {
          std::printf("mixed: behind the event, turn %d: wrong\n", turn);
          return 1;
        }
    }
    for (int s = 0; s < 3; ++s) {
      check(cudaFree(a[s]), "free");
      check(cudaFree(b[s]), "free");
    }
  }
  std::printf("mixed: ok\n");
}
