// Feature: programs: Many small kernels: each is launched once, and again with another
// block.

#include <utility>

#include "Inputs/suite.h"

template <int K> __global__ void step(int *Data) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Data[I] = Data[I] * (K + 2) + K;
}

template <int... Ks>
void launchAll(int *Data, int Blocks, int Threads,
               std::integer_sequence<int, Ks...>) {
  (step<Ks><<<Blocks, Threads>>>(Data), ...);
}

int main() {
  const int N = 256;
  suite::Array<int> Data(N);
  launchAll(Data, 4, 64, std::make_integer_sequence<int, 8>());
  launchAll(Data, 8, 32, std::make_integer_sequence<int, 8>());
  int Expected = 0;
  for (int Round = 0; Round < 2; ++Round)
    for (int K = 0; K < 8; ++K)
      Expected = Expected * (K + 2) + K;
  same(Data.host(), std::vector<int>(N, Expected));
  return suite::finish();
}
