// Feature: refused: Libraries whose device code is closed: cuBLAS, cuFFT, cuSPARSE, cuSOLVER,
// cuRAND's host side.
// Flags: -L%cuda/lib64 -Wl,-rpath,%cuda/lib64 -lcublas -lcufft -lcurand
// Emulated-only: they work on a GPU.
// Environment: BLOCKMAESTRO_EXPLAIN=1
// Expect-stderr: cublas
// Expect-stderr: cufft
// Expect-stderr: curand

#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>

#include "Inputs/suite.h"

int main() {
  cublasHandle_t Blas;
  expect(cublasCreate(&Blas) != CUBLAS_STATUS_SUCCESS);
  cufftHandle Plan;
  expect(cufftPlan1d(&Plan, 64, CUFFT_C2C, 1) != CUFFT_SUCCESS);
  curandGenerator_t Random;
  expect(curandCreateGenerator(&Random, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS);
  suite::Array<int> Out(4);
  same(Out.host(), std::vector<int>(4));
  return suite::finish();
}
