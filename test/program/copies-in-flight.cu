// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies, fills, variables and releases between launches are nodes of the
// window: under any order that the relations allow, and however many blocks run
// at a time, the program computes what it does one call after another. Memory
// of the host is overwritten as soon as the call that reads it has returned.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: %t > %t.serial
// RUN: FileCheck %s < %t.serial
// RUN: bash -c 'for seed in {0..23}; do BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | cmp %t.serial - || exit 1; done'
// RUN: bash -c 'for seed in {0..5}; do for window in 1 3 64 8,in-order; do BLOCKMAESTRO_WINDOW=$window BLOCKMAESTRO_WORKERS=3 BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | cmp %t.serial - || exit 1; done; done'
// RUN: bash -c 'for by in producer consumer8 acs-hw producer+reorder; do BLOCKMAESTRO_EXECUTOR=sim:$by %t | cmp %t.serial - || exit 1; done'
// RUN: env BLOCKMAESTRO_RECORD=%t.rec %t > %t.recorded && cmp %t.serial %t.recorded
// RUN: %bm-dump launches %t.rec | FileCheck --check-prefix=LAUNCHES %s
// RUN: %bm-dump graph %t.rec | FileCheck --check-prefix=GRAPH %s

// CHECK: parts of one array: 0 failures
// CHECK: bytes taken at once: 0 failures
// CHECK: a loop with copies: 0 failures
// CHECK: pinned memory: 0 failures
// CHECK: variables: 0 failures
// CHECK: errors: 0 failures

// LAUNCHES: copy 0: cudaMemset, 4096 bytes
// LAUNCHES-NEXT: launch 0: add
// LAUNCHES-NEXT: copy 1: cudaMemset, 2048 bytes
// LAUNCHES-NEXT: copy 2: cudaMemcpyAsync, 1024 bytes
// LAUNCHES-NEXT: launch 1: add

// The fill is of what blocks 0 to 3 wrote. The copy reads what blocks 4 and 5
// wrote and overwrites what blocks 0 and 1 read.
// GRAPH: relation 0 -> copy 1: n-to-1, 4 edges, WAW, exact
// GRAPH-NEXT: relation 0 -> copy 2: n-to-1, 4 edges, RAW+WAR, exact
// GRAPH-NEXT: relation copy 1 -> 1: 1-to-n, 4 edges, WAW, exact
// GRAPH-NEXT: relation copy 2 -> 1: 1-to-n, 4 edges, RAW+WAR, exact

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int N = 1024;
constexpr size_t Bytes = N * sizeof(int);

__device__ int Variable[N];

__global__ void add(int *To, const int *From, int By) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = From[I] + By;
}

__global__ void addVariable(int *To) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] += Variable[I];
}

static int Failures;

static void check(bool Right) { Failures += !Right; }
static void check(cudaError_t Got, cudaError_t Wanted = cudaSuccess) {
  Failures += Got != Wanted;
}

static void report(const char *What) {
  check(cudaDeviceSynchronize());
  std::printf("%s: %d failures\n", What, Failures);
  Failures = 0;
}

static int *make() {
  int *Out = nullptr;
  check(cudaMalloc(&Out, Bytes));
  return Out;
}

/// A launch, and copies and fills of parts of what it writes.
static void parts() {
  int *A = make(), *B = make();
  check(cudaMemset(A, 0, Bytes));
  add<<<8, 128>>>(B, A, 1);
  check(cudaMemset(B, 2, Bytes / 2));
  check(cudaMemcpyAsync(A, B + N / 2, Bytes / 4, cudaMemcpyDeviceToDevice));
  add<<<8, 128>>>(B, A, 10);
  std::vector<int> Host(N);
  check(cudaMemcpy(Host.data(), B, Bytes, cudaMemcpyDeviceToHost));
  for (int I = 0; I < N; ++I)
    check(Host[I] == (I < N / 4 ? 11 : 10));
  check(cudaFree(A));
  check(cudaFree(B));
}

/// The host changes its memory after every call that reads it.
static void taken() {
  int *A = make(), *B = make();
  std::vector<int> Host(N);
  for (int Round = 0; Round < 20; ++Round) {
    Host.assign(N, Round);
    check(Round % 2 ? cudaMemcpy(A, Host.data(), Bytes, cudaMemcpyHostToDevice)
                    : cudaMemcpyAsync(A, Host.data(), Bytes,
                                      cudaMemcpyHostToDevice));
    Host.assign(N, -1);
    add<<<8, 128>>>(B, A, Round);
    if (Round % 3 == 0) {
      check(cudaMemcpyAsync(Host.data(), B, Bytes, cudaMemcpyDeviceToHost));
      check(Host[0] == 2 * Round && Host[N - 1] == 2 * Round);
    }
  }
  check(cudaFree(B));
  check(cudaFree(A));
}

/// Ping-pong with a copy back, rows of a plane, and memory that comes and goes.
static void loop() {
  int *A = make(), *B = make(), *C = make();
  check(cudaMemset(A, 0, Bytes));
  check(cudaMemset(C, 0, Bytes));
  for (int Round = 0; Round < 12; ++Round) {
    add<<<8, 128>>>(B, A, 1);
    check(cudaMemcpyAsync(A, B, Bytes, cudaMemcpyDeviceToDevice));
    check(cudaMemcpy2DAsync(C, 64, A, 128, 32, 32, cudaMemcpyDeviceToDevice));
    int *Fresh = make();
    add<<<8, 128>>>(Fresh, C, 100);
    add<<<8, 128>>>(B, Fresh, 0);
    check(cudaFree(Fresh));
  }
  std::vector<int> Host(N);
  check(cudaMemcpy(Host.data(), B, Bytes, cudaMemcpyDeviceToHost));
  for (int I = 0; I < N; ++I)
    check(Host[I] == (I < 512 && I % 16 < 8 ? 112 : 100));
  check(cudaMemcpy(Host.data(), A, Bytes, cudaMemcpyDeviceToHost));
  for (int Each : Host)
    check(Each == 12);
  for (int *Each : {A, B, C})
    check(cudaFree(Each));
}

/// Kernels write memory of the host, which a call that waits lets it look at
/// and use again.
static void pinned() {
  int *A = make(), *B = make(), *Host = nullptr;
  check(cudaMallocHost(&Host, Bytes));
  check(cudaMemset(A, 0, Bytes));
  std::vector<int> Other(N);
  for (int Round = 0; Round < 8; ++Round) {
    add<<<8, 128>>>(Host, A, Round);
    add<<<8, 128>>>(B, A, 1);
    check(cudaMemcpy(Other.data(), A, 64, cudaMemcpyDeviceToHost));
    check(Host[0] == 3 * Round - 2 * Round && Host[N - 1] == Round);
    std::memset(Host, 0, Bytes);
    check(cudaMemcpyAsync(B, Host, Bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(Other.data(), B, Bytes, cudaMemcpyDeviceToHost));
    check(Other[5] == 0);
  }
  check(cudaFreeHost(Host));
  check(cudaFree(A));
  check(cudaFree(B));
}

static void variables() {
  int *A = make();
  std::vector<int> Host(N);
  check(cudaMemset(A, 0, Bytes));
  for (int Round = 1; Round <= 10; ++Round) {
    Host.assign(N, Round);
    check(cudaMemcpyToSymbol(Variable, Host.data(), Bytes / 2, Bytes / 2));
    Host.assign(N, -7);
    addVariable<<<8, 128>>>(A);
  }
  check(cudaMemcpyFromSymbol(Host.data(), Variable, Bytes));
  check(Host[0] == 0 && Host[N - 1] == 10);
  check(cudaMemcpy(Host.data(), A, Bytes, cudaMemcpyDeviceToHost));
  check(Host[0] == 0 && Host[N / 2] == 55 && Host[N - 1] == 55);
  check(cudaFree(A));
}

static void errors() {
  int *A = make(), *B = make(), Host = 0;
  add<<<8, 128>>>(A, B, 1);
  check(cudaMemcpy(A, nullptr, 4, cudaMemcpyHostToDevice),
        cudaErrorInvalidValue);
  check(cudaMemcpy(A, B, Bytes + 1, cudaMemcpyDeviceToDevice),
        cudaErrorInvalidValue);
  check(cudaMemcpy(A, &Host, 4, cudaMemcpyKind(9)),
        cudaErrorInvalidMemcpyDirection);
  check(cudaMemcpyToSymbol(&Host, &Host, 4), cudaErrorInvalidSymbol);
  check(cudaMemcpy2D(A, 8, B, 8, 16, 4, cudaMemcpyDeviceToDevice),
        cudaErrorInvalidPitchValue);
  check(cudaMemset(&Host, 0, 4), cudaErrorInvalidValue);
  check(cudaMemcpyAsync(A, B, 4, cudaMemcpyDefault, cudaStream_t(&Host)),
        cudaErrorInvalidResourceHandle);
  check(cudaMemcpy(A, B, 0, cudaMemcpyDeviceToDevice));
  check(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  check(cudaFree(A + 1), cudaErrorInvalidValue);
  check(cudaFree(A));
  check(cudaFree(A), cudaErrorInvalidValue);
  check(cudaFree(B));
  (void)cudaGetLastError();
}

int main() {
  parts();
  report("parts of one array");
  taken();
  report("bytes taken at once");
  loop();
  report("a loop with copies");
  pinned();
  report("pinned memory");
  variables();
  report("variables");
  errors();
  report("errors");
}
