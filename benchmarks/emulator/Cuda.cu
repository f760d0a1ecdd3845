// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases in CUDA, on the emulated device.

#include "Driver.h"
#include "Kernels.cu"

#include <cuda_runtime.h>

namespace {

void check(cudaError_t Code) {
  if (Code != cudaSuccess)
    fail(cudaGetErrorString(Code));
}

struct KernelRow {
  const char *Name;
  const void *Function;
};
#define ROW(Name) {#Name, reinterpret_cast<const void *>(&Name)}
const KernelRow Rows[] = {
    ROW(vectorAdd),   ROW(saxpy),        ROW(stencil),   ROW(convolution),
    ROW(nbody),       ROW(mandelbrot),   ROW(spmv),      ROW(blackScholes),
    ROW(matmulTiled), ROW(stencilTiled), ROW(transpose), ROW(reduction),
    ROW(scan),        ROW(histogram),    ROW(bitonic),   ROW(matvec),
    ROW(softmax)};

const void *functionOf(const std::string &Name) {
  for (const KernelRow &Row : Rows)
    if (Name == Row.Name)
      return Row.Function;
  fail("no kernel " + Name);
}

class CudaDevice final : public BenchDevice {
public:
  void load(Case &C) override {
    for (void *Old : Buffers)
      check(cudaFree(Old));
    Buffers.assign(C.Buffers.size(), nullptr);
    Arguments.clear();
    for (size_t K = 0; K < Buffers.size(); ++K) {
      size_t Bytes = C.Buffers[K].size() * sizeof(Word);
      check(cudaMalloc(&Buffers[K], Bytes));
      check(cudaMemcpy(Buffers[K], C.Buffers[K].data(), Bytes,
                       cudaMemcpyHostToDevice));
      Arguments.push_back(&Buffers[K]);
    }
    for (int &I : C.Ints)
      Arguments.push_back(&I);
    for (float &F : C.Floats)
      Arguments.push_back(&F);
  }
  void launch(Case &C) override {
    for (const KernelLaunch &L : C.Launches)
      check(cudaLaunchKernel(functionOf(L.Kernel), dim3(L.Grid[0], L.Grid[1]),
                             dim3(L.Block[0], L.Block[1]), Arguments.data(), 0,
                             nullptr));
  }
  void finish() override { check(cudaDeviceSynchronize()); }
  void fetch(Case &C) override {
    Buffer &Out = C.Buffers[C.Output];
    check(cudaMemcpy(Out.data(), Buffers[C.Output], Out.size() * sizeof(Word),
                     cudaMemcpyDeviceToHost));
  }

private:
  std::vector<void *> Buffers;
  std::vector<void *> Arguments;
};

} // namespace

int main(int Count, char **Names) {
  CudaDevice Device;
  return benchMain(Device, Count, Names);
}
