// Feature: programs: A program in C that uses the C form of the API, with
// cudaLaunchKernel, and takes its kernel from a CUDA file.
// Files: Inputs/c-program.c

#include "Inputs/suite.h"

extern "C" int runInC(void);

__global__ void add(const int *A, int *B, int N, int Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    B[I] += A[I] + Value;
}

extern "C" const void *addKernel(void) { return reinterpret_cast<const void *>(add); }

int main() {
  expect(runInC() == 0);
  return suite::finish();
}
