// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches on two streams are related where events join the streams, block by
// block, and only there; shuffled launches keep to it, events are done when they
// are asked for, and nothing is left to explain.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t
// RUN: %t | FileCheck %s
// RUN: env BLOCKMAESTRO_CHECK=graph %t 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:0 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:1 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:2 BLOCKMAESTRO_CHECK=graph %t 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:5 BLOCKMAESTRO_WINDOW=2 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t joined 2>&1 >/dev/null | FileCheck %s --check-prefix=SUM --implicit-check-not=BlockMaestro
// RUN: env BLOCKMAESTRO_RECORD=%t.rec %t joined && bm-dump graph %t.rec | FileCheck %s --check-prefix=JOINED
// RUN: env BLOCKMAESTRO_RECORD=%t.rec %t apart && bm-dump graph %t.rec | count 0

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

constexpr int Blocks = 16, Threads = 64, Count = Blocks * Threads;

__global__ void next(float *to, const float *from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + 1;
}

/// Launches that hand an array from stream to stream; \p joined says so with
/// events, and without it the program waits for the first stream.
static void handOver(float *a, float *b, float *c, bool joined) {
  cudaStream_t first, second;
  cudaEvent_t made;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreate(&made);
  next<<<Blocks, Threads, 0, first>>>(b, a);
  if (joined) {
    cudaEventRecord(made, first);
    cudaStreamWaitEvent(second, made, 0);
    next<<<Blocks, Threads, 0, second>>>(c, b);
  } else {
    next<<<Blocks, Threads, 0, second>>>(c, a);
  }
  cudaDeviceSynchronize();
  cudaEventDestroy(made);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

/// A pipeline of two streams and three buffers in turns, with an event for
/// each; the host looks on by another.
static void pipeline(float *buffers[3], int rounds) {
  cudaStream_t streams[2];
  cudaEvent_t full[3], last;
  for (cudaStream_t &each : streams)
    cudaStreamCreate(&each);
  for (cudaEvent_t &each : full)
    cudaEventCreateWithFlags(&each, cudaEventDisableTiming);
  cudaEventCreate(&last);
  for (int i = 0; i < rounds; ++i) {
    cudaStream_t mine = streams[i % 2];
    if (i > 0)
      cudaStreamWaitEvent(mine, full[(i - 1) % 3], 0);
    next<<<Blocks, Threads, 0, mine>>>(buffers[(i + 1) % 3], buffers[i % 3]);
    cudaEventRecord(full[i % 3], mine);
  }
  cudaEventRecord(last, streams[(rounds - 1) % 2]);
  while (cudaEventQuery(last) == cudaErrorNotReady)
    ;
  float host[Count], milliseconds = -1;
  cudaMemcpyAsync(host, buffers[rounds % 3], sizeof host, cudaMemcpyDeviceToHost, streams[0]);
  cudaStreamSynchronize(streams[0]);
  cudaEventRecord(last, streams[0]);
  cudaEventSynchronize(last);
  std::printf("%g %g %s\n", host[0], host[Count - 1],
              cudaGetErrorName(cudaEventElapsedTime(&milliseconds, last, last)));
  for (cudaEvent_t each : full)
    cudaEventDestroy(each);
  cudaEventDestroy(last);
  for (cudaStream_t each : streams)
    cudaStreamDestroy(each);
}

int main(int count, char **arguments) {
  float *buffers[3];
  for (float *&each : buffers) {
    cudaMalloc(&each, Count * sizeof(float));
    cudaMemset(each, 0, Count * sizeof(float));
  }
  if (count > 1) {
    cudaDeviceSynchronize();
    handOver(buffers[0], buffers[1], buffers[2], !std::strcmp(arguments[1], "joined"));
    return cudaDeviceSynchronize();
  }
  pipeline(buffers, 50);
  pipeline(buffers, 7);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
// SUM: BlockMaestro: launches run by blocks: 2, others: 0; relations: 1, 1 of them exact
// CHECK-NOT: BlockMaestro
// CHECK: 50 50 cudaSuccess
// CHECK-NEXT: 55 55 cudaSuccess
// CHECK-NEXT: cudaSuccess
// CHECK-NOT: BlockMaestro
// JOINED: relation 0 -> 1: 1-to-1, 16 edges, RAW, exact
