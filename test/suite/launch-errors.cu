// Feature: errors: A launch that is wrong in its shape or memory is an error of
// that call only; nothing runs and the next launch does.

#include "Inputs/suite.h"

__global__ void mark(int *Out) {
  extern __shared__ int Scratch[];
  Scratch[0] = 1;
  *Out = Scratch[0];
}

static void notAKernel() {}

static void launchWrong(dim3 Grid, dim3 Block, size_t Shared, int *Out,
                        int Line) {
  mark<<<Grid, Block, Shared>>>(Out);
  suite::expectAt(cudaGetLastError() == cudaErrorInvalidValue,
                  "error of a wrong launch", Line);
  suite::expectAt(cudaGetLastError() == cudaSuccess, "no error is left", Line);
}

int main() {
  suite::Array<int> Out(1);
  launchWrong(dim3(1), dim3(1025), 64, Out, __LINE__);
  launchWrong(dim3(1), dim3(1, 1, 65), 64, Out, __LINE__);
  launchWrong(dim3(1), dim3(64, 64), 64, Out, __LINE__);
  launchWrong(dim3(1, 65536), dim3(1), 64, Out, __LINE__);
  launchWrong(dim3(1, 1, 65536), dim3(1), 64, Out, __LINE__);
  launchWrong(dim3(0x80000000u), dim3(1), 64, Out, __LINE__);
  launchWrong(dim3(1), dim3(1), 49 << 10, Out, __LINE__);
  same(Out.host(), std::vector<int>{0});

  int *Address = Out.get();
  void *Arguments[] = {&Address};
  cudaError_t Wrong = cudaLaunchKernel(reinterpret_cast<void *>(&notAKernel),
                                       dim3(1), dim3(1), Arguments, 0, nullptr);
  expect(Wrong != cudaSuccess);
  expect(cudaGetLastError() == Wrong);

  check(cudaFuncSetAttribute(reinterpret_cast<void *>(mark),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             64 << 10));
  mark<<<1, 1, 49 << 10>>>(Out);
  same(Out.host(), std::vector<int>{1});
  return suite::finish();
}
