// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The launches and copies of a graph, captured or made by hand, are related like
// any others: to each other, to those of the launch before, and to what is
// launched without a graph. A graph that does more is launched as a whole, and
// BLOCKMAESTRO_EXPLAIN says so.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t
// RUN: %t | FileCheck %s
// RUN: env BLOCKMAESTRO_CHECK=graph %t 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:0 BLOCKMAESTRO_CHECK=graph %t 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:1 %t 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:2 BLOCKMAESTRO_WINDOW=2 %t 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:5 %t 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=sim:consumer8 BLOCKMAESTRO_CHECK=graph %t 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_RECORD=%t.rec %t record && bm-dump graph %t.rec | FileCheck %s --check-prefix=GRAPH
// RUN: env BLOCKMAESTRO_RECORD=%t.rec BLOCKMAESTRO_EXECUTOR=shuffle:1 %t record && bm-dump graph %t.rec | FileCheck %s --check-prefix=GRAPH
// RUN: bm-sim %t.rec
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t explain 2>&1 >/dev/null | FileCheck %s --check-prefix=EXPLAIN

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

constexpr int Blocks = 16, Threads = 64, Count = Blocks * Threads;
constexpr size_t Bytes = Count * sizeof(int);

__device__ int offset = 1;

__global__ void next(int *to, const int *from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + offset;
}
__global__ void setOffset(int to) { offset = to; }

static int calls;
static void call(void *) { ++calls; }

/// Twice a step on the second stream, which the first waits for, and a copy
/// back to where it began.
static cudaGraphExec_t captured(int *a, int *b, int *c, cudaStream_t first,
                                cudaStream_t second, bool withHost = false) {
  cudaEvent_t made;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaEventRecord(made, first);
  cudaStreamWaitEvent(second, made, 0);
  next<<<Blocks, Threads, 0, second>>>(b, a);
  next<<<Blocks, Threads, 0, second>>>(c, b);
  cudaEventRecord(made, second);
  cudaStreamWaitEvent(first, made, 0);
  cudaMemcpyAsync(a, c, Bytes, cudaMemcpyDeviceToDevice, first);
  if (withHost)
    cudaLaunchHostFunc(first, call, nullptr);
  cudaStreamEndCapture(first, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  cudaEventDestroy(made);
  return exec;
}

/// A fill and a step behind it, whose memory is changed after the first launch.
static void byHand(int *a, int *b, int *c, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, step;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams zeros = {};
  zeros.dst = a;
  zeros.elementSize = 4;
  zeros.width = Count;
  zeros.height = 1;
  zeros.value = 7;
  cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros);
  void *arguments[] = {&b, &a};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)next;
  kernel.gridDim = dim3(Blocks);
  kernel.blockDim = dim3(Threads);
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&step, graph, &fill, 1, &kernel);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  void *others[] = {&c, &a};
  kernel.kernelParams = others;
  cudaGraphExecKernelNodeSetParams(exec, step, &kernel);
  cudaGraphLaunch(exec, stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

static int first(const int *of, cudaStream_t stream) {
  int host[Count];
  cudaMemcpyAsync(host, of, Bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  return host[0] == host[Count - 1] ? host[0] : -1;
}

int main(int count, char **arguments) {
  int *a, *b, *c;
  cudaStream_t one, two;
  for (int **each : {&a, &b, &c}) {
    cudaMalloc(each, Bytes);
    cudaMemset(*each, 0, Bytes);
  }
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  const bool explains = count > 1 && !std::strcmp(arguments[1], "explain");
  cudaGraphExec_t exec = captured(a, b, c, one, two, explains);
  if (count > 1) {
    cudaGraphLaunch(exec, one);
    next<<<Blocks, Threads, 0, one>>>(b, a);
    return cudaDeviceSynchronize();
  }
  for (int i = 0; i < 10; ++i)
    cudaGraphLaunch(exec, one);
  std::printf("in one stream %d\n", first(a, one));
  setOffset<<<1, 1, 0, one>>>(3);
  for (int i = 0; i < 10; ++i) {
    cudaGraphLaunch(exec, one);
    next<<<Blocks, Threads, 0, one>>>(a, a);
  }
  std::printf("between launches %d\n", first(a, one));
  for (int i = 0; i < 10; ++i)
    cudaGraphLaunch(exec, i % 2 ? one : two);
  cudaDeviceSynchronize();
  std::printf("in two streams %d\n", first(a, one));
  byHand(a, b, c, one);
  std::printf("by hand %d %d\n", first(b, one), first(c, one));
  cudaGraphExecDestroy(exec);
  exec = captured(a, b, c, one, two, true);
  for (int i = 0; i < 3; ++i)
    cudaGraphLaunch(exec, one);
  const int last = first(a, one);
  std::printf("with a host function %d, %d times\n", last, calls);
  cudaGraphExecDestroy(exec);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
// CHECK-NOT: BlockMaestro
// CHECK: in one stream 20
// CHECK-NEXT: between launches 110
// CHECK-NEXT: in two streams 170
// CHECK-NEXT: by hand 10 10
// CHECK-NEXT: with a host function 25, 3 times
// CHECK-NEXT: cudaSuccess
// CHECK-NOT: BlockMaestro

// GRAPH: relation 0 -> 1: 1-to-1, 16 edges, RAW, exact
// GRAPH-NEXT: relation 1 -> copy 3: n-to-1, 16 edges, RAW, exact
// GRAPH-NEXT: relation copy 3 -> 2: 1-to-n, 16 edges, RAW, exact
// EXPLAIN-NOT: captured
// EXPLAIN: BlockMaestro: a graph was launched as a whole: it has host functions
// EXPLAIN-NOT: captured
