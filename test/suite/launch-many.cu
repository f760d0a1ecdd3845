// Feature: launch: 20,000 small launches in a row, on one stream and over eight, by
// two dozen kernels of one template, without waiting between them.

#include <utility>

#include "Inputs/suite.h"

__global__ void addOne(unsigned *Out) {
  if (threadIdx.x == 0)
    ++*Out;
}

template <int Number> __global__ void own(int *Out) { Out[Number] += Number + threadIdx.x; }

template <int... Numbers>
static void launchAll(int *Out, std::integer_sequence<int, Numbers...>) {
  (own<Numbers><<<1, 1>>>(Out), ...);
}

int main() {
  suite::Array<unsigned> One(1);
  for (int I = 0; I < 10000; ++I)
    addOne<<<1, 1>>>(One);
  same(One.host(), std::vector<unsigned>{10000});

  suite::Array<unsigned> Each(8);
  cudaStream_t Streams[8];
  for (cudaStream_t &Stream : Streams)
    check(cudaStreamCreate(&Stream));
  for (int I = 0; I < 10000; ++I)
    addOne<<<1, 32, 0, Streams[I % 8]>>>(Each + I % 8);
  same(Each.host(), std::vector<unsigned>(8, 1250));
  for (cudaStream_t Stream : Streams)
    check(cudaStreamDestroy(Stream));

  constexpr int Kernels = 24;
  suite::Array<int> Own(Kernels);
  std::vector<int> Expected(Kernels);
  for (int Round = 0; Round < 3; ++Round)
    launchAll(Own, std::make_integer_sequence<int, Kernels>());
  for (int I = 0; I < Kernels; ++I)
    Expected[I] = 3 * I;
  same(Own.host(), Expected);
  return suite::finish();
}
