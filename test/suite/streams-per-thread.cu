// Feature: streams: Compiled for per-thread default streams, every thread has a
// default stream of its own, and the legacy stream has a name.
// Flags: -Xclang -fgpu-default-stream=per-thread -lpthread

#include <thread>

#include "Inputs/gate.h"

__global__ void add(int *Value, int What) { *Value += What; }

int main() {
  suite::Array<int> Value(4);
  add<<<1, 1>>>(Value, 0);
  check(cudaDeviceSynchronize());
  int *Pinned = nullptr;
  check(cudaHostAlloc(&Pinned, sizeof(int), cudaHostAllocDefault));
  suite::Gate Gate;

  // This thread's default stream is held up; the other thread's is not.
  Gate.close(nullptr);
  add<<<1, 1>>>(Value, 1);
  int FromThread = -1;
  std::thread Other([&] {
    add<<<1, 1>>>(Value + 1, 5);
    check(cudaMemcpyAsync(Pinned, Value + 1, sizeof(int),
                          cudaMemcpyDeviceToHost, nullptr));
    check(cudaStreamSynchronize(nullptr));
    expect(cudaStreamQuery(cudaStreamPerThread) == cudaSuccess);
    FromThread = *Pinned;
  });
  Other.join();
  expect(suite::notReady(cudaStreamQuery(nullptr)));
  Gate.open();
  expect(FromThread == 5);
  check(cudaStreamSynchronize(cudaStreamPerThread));

  // The legacy stream waits for the threads' streams and they for it.
  Gate.again();
  Gate.close(nullptr);
  add<<<1, 1>>>(Value + 2, 1);
  add<<<1, 1, 0, cudaStreamLegacy>>>(Value + 2, 10);
  expect(suite::notReady(cudaStreamQuery(cudaStreamLegacy)));
  expect(suite::notReady(cudaStreamQuery(nullptr)));
  Gate.open();
  check(cudaStreamSynchronize(cudaStreamLegacy));
  same(Value.host(), (std::vector<int>{1, 5, 11, 0}));
  check(cudaFreeHost(Pinned));
  return suite::finish();
}
