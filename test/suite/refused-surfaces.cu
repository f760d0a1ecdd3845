// Feature: refused: Surfaces.
// Emulated-only: surfaces work on a GPU.
// Environment: BLOCKMAESTRO_EXPLAIN=1
// Expect-stderr: surface

#include "Inputs/suite.h"

__global__ void fill(cudaSurfaceObject_t Image) {
  surf2Dwrite<float>(1.0f, Image, threadIdx.x * sizeof(float), 0);
}

int main() {
  fill<<<1, 4>>>(0);
  expect(cudaGetLastError() == cudaErrorNotSupported);
  return suite::finish();
}
