// Feature: streams: Kernels of two streams are on the device at the same time:
// one waits for what the other writes.

#include "Inputs/suite.h"

__global__ void send(volatile int *Mail, int What) {
  Mail[1] = What;
  __threadfence();
  Mail[0] = 1;
}

__global__ void receive(volatile int *Mail, int *Out) {
  while (Mail[0] == 0)
    ;
  __threadfence();
  *Out = Mail[1];
}

int main() {
  suite::Array<int> Mail(2), Out(1);
  cudaStream_t First, Second;
  check(cudaStreamCreate(&First));
  check(cudaStreamCreate(&Second));
  // Both kernels once, in the order that works anyway, so that they are loaded.
  send<<<1, 1>>>(Mail, 1);
  receive<<<1, 1>>>(Mail, Out);
  check(cudaDeviceSynchronize());
  for (int Round = 0; Round < 20; ++Round) {
    check(cudaMemset(Mail, 0, 2 * sizeof(int)));
    check(cudaDeviceSynchronize());
    receive<<<1, 1, 0, First>>>(Mail, Out);
    send<<<1, 1, 0, Second>>>(Mail, 100 + Round);
    same(Out.host(), std::vector<int>{100 + Round});
  }
  check(cudaStreamDestroy(First));
  check(cudaStreamDestroy(Second));
  return suite::finish();
}
