// Feature: streams: Host functions and callbacks run in the order of their
// stream, between its kernels, on a thread of the runtime, one at a time.

#include <atomic>
#include <thread>

#include "Inputs/gate.h"

__global__ void twice(int *Value) { *Value *= 2; }

static std::thread::id Main;
static std::atomic<int> Inside(0), Most(0), OnMain(0);
static int Order[8], Count = 0;

struct Step {
  int *Value;
  int Add;
};

static void add(void *Data) {
  int Now = ++Inside;
  if (Now > Most)
    Most = Now;
  OnMain += std::this_thread::get_id() == Main;
  Step *S = static_cast<Step *>(Data);
  *S->Value += S->Add;
  Order[Count++] = S->Add;
  --Inside;
}

static void called(cudaStream_t Stream, cudaError_t Status, void *Data) {
  Order[Count++] = Status == cudaSuccess && Stream ? 50 : -1;
  *static_cast<int *>(Data) += 50;
}

int main() {
  Main = std::this_thread::get_id();
  int *Value = nullptr, *Device = nullptr;
  check(cudaHostAlloc(&Value, sizeof(int), cudaHostAllocMapped));
  check(cudaHostGetDevicePointer(&Device, Value, 0));
  cudaStream_t Stream, Other;
  check(cudaStreamCreate(&Stream));
  check(cudaStreamCreateWithFlags(&Other, cudaStreamNonBlocking));
  *Value = 0;
  twice<<<1, 1>>>(Device);
  check(cudaDeviceSynchronize());
  suite::Gate Gate;

  *Value = 1;
  Step Three{Value, 3}, Five{Value, 5};
  Gate.close(Stream);
  twice<<<1, 1, 0, Stream>>>(Device);
  check(cudaLaunchHostFunc(Stream, add, &Three));
  twice<<<1, 1, 0, Stream>>>(Device);
  check(cudaStreamAddCallback(Stream, called, Value, 0));
  check(cudaLaunchHostFunc(Stream, add, &Five));
  twice<<<1, 1, 0, Stream>>>(Device);
  expect(Count == 0);
  Gate.open();
  check(cudaStreamSynchronize(Stream));
  expect(*Value == ((1 * 2 + 3) * 2 + 50 + 5) * 2);
  expect(Count == 3 && Order[0] == 3 && Order[1] == 50 && Order[2] == 5);

  int Mine = 0, Theirs = 0;
  Step A{&Mine, 1}, B{&Theirs, 2};
  check(cudaLaunchHostFunc(Stream, add, &A));
  check(cudaLaunchHostFunc(Other, add, &B));
  check(cudaDeviceSynchronize());
  expect(Mine == 1 && Theirs == 2);
  expect(Most == 1 && OnMain == 0);

  expect(cudaLaunchHostFunc(Stream, nullptr, nullptr) == cudaErrorInvalidValue);
  expect(cudaGetLastError() == cudaErrorInvalidValue);
  check(cudaStreamDestroy(Stream));
  check(cudaStreamDestroy(Other));
  check(cudaFreeHost(Value));
  return suite::finish();
}
