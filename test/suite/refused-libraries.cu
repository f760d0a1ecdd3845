// Feature: refused: Libraries with closed device code, as cuBLAS, cuFFT and the host side of
// cuRAND: their calls fail.
// Flags: -L%cuda/lib64 -Wl,-rpath,%cuda/lib64 -l:libcurand.so.10
// Emulated-only: they work on a GPU.
// Expect-stderr: libcurand.so.10: the code of its kernels is closed

#include <curand.h>

#include "Inputs/suite.h"

int main() {
  suite::Array<int> Out(4);
  curandGenerator_t Random;
  expect(curandCreateGenerator(&Random, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS);
  same(Out.host(), std::vector<int>(4));
  return suite::finish();
}
