// Feature: refused: Tensor cores (nvcuda::wmma, mma.sync).
// Emulated-only: works on a GPU.
// Environment: BLOCKMAESTRO_EXPLAIN=1
// Expect-stderr: (a tensor core operation)

#include <mma.h>

#include "Inputs/suite.h"

using namespace nvcuda;

__global__ void multiply(const half *A, const half *B, float *C) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> Left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> Right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sum;
  wmma::fill_fragment(Sum, 0.0f);
  wmma::load_matrix_sync(Left, A, 16);
  wmma::load_matrix_sync(Right, B, 16);
  wmma::mma_sync(Sum, Left, Right, Sum);
  wmma::store_matrix_sync(C, Sum, 16, wmma::mem_row_major);
}

int main() {
  suite::Array<half> A(256), B(256);
  suite::Array<float> C(256);
  multiply<<<1, 32>>>(A, B, C);
  expect(cudaGetLastError() == cudaErrorNotSupported);
  return suite::finish();
}
