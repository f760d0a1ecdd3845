// A block that waits for what never happens says for what, and stops the
// program instead of hanging. The variant is launched by hand: block b waits
// for block b - 2 of an earlier launch, whose block 1 is never done.
// REQUIRES: gpu
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -c %s -o %t.cubin
// RUN: %bmclangxx -fno-blockmaestro -std=c++20 --offload-arch=sm_90 -Wno-unknown-cuda-version -I%S/../../include -I%S/../../runtime/device %s -o %t -L%cuda/lib64 -lcudart_static -ldl -lrt -lpthread
// RUN: %t %t.cubin | FileCheck %s
// CHECK: cudaErrorLaunchFailure
// CHECK-NEXT: report 2: block 3 of launch 42 waited for block 1 of launch 41

#include <cstdio>
#include <cuda_runtime.h>

extern "C" __global__ void mark(int *a) { a[blockIdx.x] = 1; }

#ifndef __CUDA_ARCH__
#include "Gate.h"

using namespace blockmaestro;

static void check(cudaError_t error) {
  if (error != cudaSuccess)
    std::printf("%s\n", cudaGetErrorName(error));
}

template <typename T> static T *zeroed(size_t count) {
  T *memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)));
  check(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

static GatePiece twoBefore(const uint32_t *done) {
  GatePiece out{};
  for (int d = 0; d < 3; ++d) {
    out.Piece.Rows[d].A[d] = 1;
    out.Piece.Rows[d].D = 1;
  }
  out.Piece.Rows[0].Low = out.Piece.Rows[0].High = -2;
  out.Piece.ConsumerHigh[0] = out.Piece.ProducerHigh[0] = 3;
  out.Done = done;
  out.Producer = 41;
  out.Epoch = 7;
  out.GridX = out.GridXY = 4;
  return out;
}

int main(int, char **argv) {
  cudaLibrary_t library;
  cudaKernel_t variant;
  check(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr,
                                nullptr, 0));
  check(cudaLibraryGetKernel(&variant, library, "mark$bm_prelaunch"));
  StuckReport *report = nullptr;
  check(cudaHostAlloc(reinterpret_cast<void **>(&report), sizeof(*report),
                      cudaHostAllocMapped));
  *report = {};
  uint32_t *done = zeroed<uint32_t>(4);
  uint32_t epoch = 7;
  check(cudaMemcpy(done, &epoch, sizeof(epoch), cudaMemcpyHostToDevice));
  Gate gate{};
  gate.Done = zeroed<uint32_t>(4);
  gate.Counter = zeroed<uint64_t>(1);
  gate.Stuck = report;
  gate.Launch = 42;
  gate.Epoch = 9;
  gate.FirstLate = ~0u;
  gate.PieceCount = 1;
  gate.Pieces[0] = twoBefore(done);
  int *marks = zeroed<int>(4);
  void *arguments[] = {&marks, &gate};
  check(cudaLaunchKernel(reinterpret_cast<void *>(variant), dim3(4), dim3(64),
                         arguments, 0, nullptr));
  check(cudaDeviceSynchronize());
  std::printf("report %u: block %u of launch %llu waited for block %u of "
              "launch %llu\n",
              report->Taken, report->Block,
              static_cast<unsigned long long>(report->Launch),
              report->ProducerBlock,
              static_cast<unsigned long long>(report->Producer));
}
#endif
