// Feature: refused: What cuBLAS, cuFFT and cuRAND have that the emulated device lacks: several GPUs, MTGP32, callbacks.
// Flags: -lcurand
// Emulated-only: they work on a GPU.
// Expect-stderr: curandGetDirectionVectors32 is not on the emulated device
// Expect-stderr: cuRAND's generator MTGP32 is not on the emulated device

#include <curand.h>

#include "Inputs/suite.h"

int main() {
  curandDirectionVectors32_t *Vectors = nullptr;
  curandGenerator_t Random;
  expect(curandGetDirectionVectors32(&Vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6) != CURAND_STATUS_SUCCESS);
  expect(curandCreateGenerator(&Random, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR);
  return suite::finish();
}
