// Feature: refused: Kernels launched by kernels.
// Flags: -fgpu-rdc -Xoffload-linker %cuda/lib64/libcudadevrt.a
// Emulated-only: works on a GPU.
// Environment: BLOCKMAESTRO_EXPLAIN=1
// Expect-stderr: dynamic parallelism

#include "Inputs/suite.h"

__global__ void child(int *Out) { Out[threadIdx.x] = 1; }
__global__ void parent(int *Out) { child<<<1, 4>>>(Out); }

int main() {
  suite::Array<int> Out(4);
  parent<<<1, 1>>>(Out);
  expect(cudaGetLastError() == cudaErrorNotSupported);
  return suite::finish();
}
