// Feature: launch: A launch returns before its kernel has run; arguments are
// those of the time of the launch.

#include "Inputs/gate.h"

struct Big {
  int Values[64];
};

__global__ void store(int *Out, Big Given, int Last) {
  Out[threadIdx.x] = Given.Values[threadIdx.x];
  Out[64] = Last;
}

int main() {
  suite::Array<int> Out(65);
  Big Given = {};
  store<<<1, 64>>>(Out, Given, 0);
  check(cudaDeviceSynchronize());
  suite::Gate Gate;
  Gate.close(nullptr);
  int Last = 9;
  for (int I = 0; I < 64; ++I)
    Given.Values[I] = 5 * I;
  store<<<1, 64>>>(Out, Given, Last);
  expect(suite::notReady(cudaStreamQuery(nullptr)));
  for (int &Each : Given.Values)
    Each = -1;
  Last = -1;
  Gate.open();
  std::vector<int> Expected(65, 9);
  for (int I = 0; I < 64; ++I)
    Expected[I] = 5 * I;
  same(Out.host(), Expected);
  return suite::finish();
}
