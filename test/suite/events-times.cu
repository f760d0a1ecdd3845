// Feature: events: Times between events, and the errors of events that have none.

#include "Inputs/gate.h"

__global__ void work(int *Value) {
  for (int I = 0; I < 1000; ++I)
    *Value = *Value * 3 + I;
}

int main() {
  suite::Array<int> Value(1);
  cudaEvent_t Start, Middle, End, Untimed, Never;
  for (cudaEvent_t *Event : {&Start, &Middle, &End, &Never})
    check(cudaEventCreate(Event));
  check(cudaEventCreateWithFlags(&Untimed, cudaEventDisableTiming));
  work<<<1, 1>>>(Value);
  check(cudaDeviceSynchronize());
  suite::Gate Gate;

  check(cudaEventRecord(Start));
  work<<<1, 1>>>(Value);
  check(cudaEventRecord(Middle));
  work<<<1, 1>>>(Value);
  check(cudaEventRecordWithFlags(End, nullptr, cudaEventRecordDefault));
  check(cudaEventRecord(Untimed));
  check(cudaDeviceSynchronize());
  float First = -1, Second = -1, Both = -1;
  check(cudaEventElapsedTime(&First, Start, Middle));
  check(cudaEventElapsedTime(&Second, Middle, End));
  check(cudaEventElapsedTime(&Both, Start, End));
  expect(First >= 0 && Second >= 0 && Both >= First && Both >= Second);
  expect(Both < 10000);
  float Backwards = 1;
  check(cudaEventElapsedTime(&Backwards, End, Start));
  expect(Backwards <= 0);

  float None = -1;
  expect(cudaEventElapsedTime(&None, Start, Never) ==
         cudaErrorInvalidResourceHandle);
  expect(cudaEventElapsedTime(&None, Start, Untimed) ==
         cudaErrorInvalidResourceHandle);
  expect(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  Gate.close(nullptr);
  check(cudaEventRecord(End));
  expect(suite::notReady(cudaEventElapsedTime(&None, Start, End)));
  Gate.open();
  check(cudaEventSynchronize(End));
  check(cudaEventElapsedTime(&None, Start, End));
  for (cudaEvent_t Event : {Start, Middle, End, Untimed, Never})
    check(cudaEventDestroy(Event));
  return suite::finish();
}
