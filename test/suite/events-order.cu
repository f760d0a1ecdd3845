// Feature: events: A stream that waits for an event goes on when what the event
// was recorded behind is done; a later record does not matter to it.

#include "Inputs/gate.h"

__global__ void append(int *Log, int What) { Log[++Log[0]] = What; }

int main() {
  suite::Array<int> Log(8);
  cudaStream_t A, B, C;
  for (cudaStream_t *Stream : {&A, &B, &C})
    check(cudaStreamCreateWithFlags(Stream, cudaStreamNonBlocking));
  cudaEvent_t Event, Never;
  check(cudaEventCreateWithFlags(&Event, cudaEventDisableTiming));
  check(cudaEventCreate(&Never));
  append<<<1, 1>>>(Log, 0);
  check(cudaMemset(Log, 0, sizeof(int)));
  check(cudaDeviceSynchronize());
  suite::Gate First, Second;

  // One never recorded is no reason to wait.
  expect(cudaEventQuery(Never) == cudaSuccess);
  check(cudaStreamWaitEvent(A, Never, 0));
  check(cudaEventSynchronize(Never));

  First.close(A);
  append<<<1, 1, 0, A>>>(Log, 1);
  check(cudaEventRecord(Event, A));
  check(cudaStreamWaitEvent(B, Event, 0));
  append<<<1, 1, 0, B>>>(Log, 2);
  expect(suite::notReady(cudaEventQuery(Event)));
  expect(suite::notReady(cudaStreamQuery(B)));

  // Recorded anew behind something that lasts longer: B's wait is the old one.
  Second.close(C);
  check(cudaEventRecord(Event, C));
  First.open();
  check(cudaStreamSynchronize(B));
  expect(suite::notReady(cudaEventQuery(Event)));
  expect(suite::notReady(cudaStreamQuery(C)));
  Second.open();
  check(cudaEventSynchronize(Event));
  expect(cudaEventQuery(Event) == cudaSuccess);

  std::vector<int> Got = Log.host();
  same(std::vector<int>(Got.begin(), Got.begin() + 3),
       (std::vector<int>{2, 1, 2}));
  for (cudaStream_t Stream : {A, B, C})
    check(cudaStreamDestroy(Stream));
  check(cudaEventDestroy(Event));
  check(cudaEventDestroy(Never));
  return suite::finish();
}
