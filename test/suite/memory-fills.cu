// Feature: memory: fills of bytes, rows and boxes, on the default stream and on others.

#include "Inputs/suite.h"

int main() {
  suite::Array<unsigned char> A(600);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  std::vector<unsigned char> Expected(600, 0);

  check(cudaMemset(A, 0x1ff, 100));
  std::fill(Expected.begin(), Expected.begin() + 100, 0xff);
  same(A.host(), Expected);

  check(cudaMemset2DAsync(A + 200, 20, 3, 5, 4, Stream));
  check(cudaStreamSynchronize(Stream));
  for (int Y = 0; Y < 4; ++Y)
    for (int X = 0; X < 5; ++X)
      Expected[200 + 20 * Y + X] = 3;
  same(A.host(), Expected);

  cudaPitchedPtr Box = make_cudaPitchedPtr(A + 300, 10, 10, 10);
  check(cudaMemset3D(Box, 4, make_cudaExtent(6, 7, 3)));
  for (int Z = 0; Z < 3; ++Z)
    for (int Y = 0; Y < 7; ++Y)
      for (int X = 0; X < 6; ++X)
        Expected[300 + 100 * Z + 10 * Y + X] = 4;
  same(A.host(), Expected);

  check(cudaMemsetAsync(A, 9, 600, Stream));
  check(cudaMemset3DAsync(Box, 1, make_cudaExtent(10, 10, 1), Stream));
  check(cudaStreamSynchronize(Stream));
  Expected.assign(600, 9);
  std::fill(Expected.begin() + 300, Expected.begin() + 400, 1);
  same(A.host(), Expected);

  expect(cudaMemset(A, 0, 601) == cudaErrorInvalidValue);
  expect(cudaMemset(nullptr, 0, 1) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  check(cudaMemset(nullptr, 0, 0));
  check(cudaStreamDestroy(Stream));
  return suite::finish();
}
