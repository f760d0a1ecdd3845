// Feature: refused: Textures.
// Emulated-only: textures work on a GPU.
// Environment: BLOCKMAESTRO_EXPLAIN=1
// Expect-stderr: (a texture read)

#include "Inputs/suite.h"

__global__ void sample(float *Out, cudaTextureObject_t Image) {
  Out[threadIdx.x] = tex2D<float>(Image, threadIdx.x, 0.5f);
}

int main() {
  suite::Array<float> Out(4);
  sample<<<1, 4>>>(Out, 0);
  expect(cudaGetLastError() == cudaErrorNotSupported);
  return suite::finish();
}
