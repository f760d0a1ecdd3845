// Feature: streams: Work of one stream runs in order; the legacy default stream
// waits for blocking streams and they for it; a non-blocking one does neither.

#include "Inputs/gate.h"

__global__ void append(int *Log, int What) { Log[++Log[0]] = What; }

int main() {
  suite::Array<int> Log(16);
  cudaStream_t A, B, Free;
  check(cudaStreamCreate(&A));
  check(cudaStreamCreate(&B));
  check(cudaStreamCreateWithFlags(&Free, cudaStreamNonBlocking));
  append<<<1, 1>>>(Log, 0);
  check(cudaMemset(Log, 0, sizeof(int)));
  check(cudaDeviceSynchronize());
  int *Pinned = nullptr;
  check(cudaHostAlloc(&Pinned, sizeof(int), cudaHostAllocDefault));
  *Pinned = 7;
  suite::Gate Gate;

  // A is held up; 1 to 3 can only come after it, in this order.
  Gate.close(A);
  append<<<1, 1, 0, A>>>(Log, 1);
  append<<<1, 1>>>(Log, 2);
  append<<<1, 1, 0, B>>>(Log, 3);
  expect(suite::notReady(cudaStreamQuery(A)));
  expect(suite::notReady(cudaStreamQuery(B)));
  expect(suite::notReady(cudaStreamQuery(cudaStreamLegacy)));

  // What waits for nobody gets through.
  append<<<1, 1, 0, Free>>>(Log + 8, 4);
  check(cudaMemcpyAsync(Pinned, Log + 9, sizeof(int), cudaMemcpyDeviceToHost,
                        Free));
  check(cudaStreamSynchronize(Free));
  expect(*Pinned == 4);
  expect(cudaStreamQuery(Free) == cudaSuccess);
  expect(suite::notReady(cudaStreamQuery(A)));

  Gate.open();
  check(cudaStreamSynchronize(B));
  expect(cudaStreamQuery(A) == cudaSuccess);
  expect(cudaStreamQuery(nullptr) == cudaSuccess);
  std::vector<int> Got = Log.host();
  same(std::vector<int>(Got.begin(), Got.begin() + 4),
       (std::vector<int>{3, 1, 2, 3}));
  check(cudaFreeHost(Pinned));
  for (cudaStream_t Stream : {A, B, Free})
    check(cudaStreamDestroy(Stream));
  return suite::finish();
}
