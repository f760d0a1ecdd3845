// Feature: graphs: What capture and graphs do not allow, each with CUDA's error.

#include <thread>

#include "Inputs/suite.h"

__global__ void nothing() {}

/// The call fails in this way, and the error is the last one.
#define fails(Call, Error)                                                     \
  do {                                                                         \
    cudaError_t Got = (Call);                                                  \
    if (Got != (Error))                                                        \
      std::printf("line %d: %s: %s\n", __LINE__, #Call,                        \
                  cudaGetErrorName(Got));                                      \
    expect(Got == (Error));                                                    \
    (void)cudaGetLastError();                                                  \
  } while (false)

static cudaStream_t stream(unsigned Flags = cudaStreamNonBlocking) {
  cudaStream_t Out = nullptr;
  check(cudaStreamCreateWithFlags(&Out, Flags));
  return Out;
}

static void begin(cudaStream_t Stream,
                  cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed) {
  check(cudaStreamBeginCapture(Stream, Mode));
}

/// The capture is ruined; it can only be ended.
static void expectRuined(cudaStream_t Stream) {
  cudaStreamCaptureStatus Status;
  check(cudaStreamIsCapturing(Stream, &Status));
  expect(Status == cudaStreamCaptureStatusInvalidated);
  cudaGraph_t Graph = nullptr;
  fails(cudaStreamEndCapture(Stream, &Graph),
        cudaErrorStreamCaptureInvalidated);
  expect(Graph == nullptr);
  check(cudaStreamIsCapturing(Stream, &Status));
  expect(Status == cudaStreamCaptureStatusNone);
}

static void waiting() {
  cudaStream_t One = stream(), Two = stream();
  cudaEvent_t Event;
  check(cudaEventCreate(&Event));
  cudaGraph_t Graph = nullptr;
  fails(cudaStreamEndCapture(One, &Graph), cudaErrorIllegalState);
  fails(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
        cudaErrorStreamCaptureUnsupported);
  begin(One);
  fails(cudaStreamBeginCapture(One, cudaStreamCaptureModeRelaxed),
        cudaErrorIllegalState);
  fails(cudaStreamSynchronize(One), cudaErrorStreamCaptureUnsupported);
  expectRuined(One);

  begin(One);
  fails(cudaStreamQuery(One), cudaErrorStreamCaptureUnsupported);
  expectRuined(One);

  begin(One);
  check(cudaEventRecord(Event, One));
  fails(cudaEventSynchronize(Event), cudaErrorCapturedEvent);
  expectRuined(One);

  begin(One);
  fails(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  expectRuined(One);
  check(cudaEventDestroy(Event));
  check(cudaStreamDestroy(One));
  check(cudaStreamDestroy(Two));
}

static void streams() {
  cudaStream_t One = stream(), Two = stream();
  cudaEvent_t Event;
  check(cudaEventCreateWithFlags(&Event, cudaEventDisableTiming));
  cudaGraph_t Graph = nullptr;

  begin(One);
  check(cudaEventRecord(Event, One));
  check(cudaStreamWaitEvent(Two, Event, 0));
  nothing<<<1, 1, 0, Two>>>();
  fails(cudaStreamEndCapture(One, &Graph), cudaErrorStreamCaptureUnjoined);
  expect(Graph == nullptr);

  check(cudaEventRecord(Event, Two));
  begin(One);
  fails(cudaStreamWaitEvent(One, Event, 0), cudaErrorStreamCaptureIsolation);
  expectRuined(One);

  begin(One);
  begin(Two);
  check(cudaEventRecord(Event, One));
  fails(cudaStreamWaitEvent(Two, Event, 0), cudaErrorStreamCaptureMerge);
  expectRuined(One);
  expectRuined(Two);

  begin(One);
  check(cudaEventRecord(Event, One));
  check(cudaStreamWaitEvent(Two, Event, 0));
  fails(cudaStreamEndCapture(Two, &Graph), cudaErrorStreamCaptureUnmatched);
  (void)cudaStreamEndCapture(One, &Graph);
  (void)cudaGetLastError();
  if (Graph)
    check(cudaGraphDestroy(Graph));
  check(cudaEventDestroy(Event));
  check(cudaStreamDestroy(One));
  check(cudaStreamDestroy(Two));
}

static void legacyStream() {
  cudaStream_t Blocking = stream(cudaStreamDefault), Other = stream();
  cudaGraph_t Graph = nullptr;
  begin(Other);
  nothing<<<1, 1>>>();
  check(cudaGetLastError());
  check(cudaStreamEndCapture(Other, &Graph));
  check(cudaGraphDestroy(Graph));
  begin(Blocking);
  nothing<<<1, 1>>>();
  expect(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
  expectRuined(Blocking);
  check(cudaStreamDestroy(Blocking));
  check(cudaStreamDestroy(Other));
}

static void modes() {
  cudaStream_t One = stream();
  void *Memory = nullptr;
  cudaGraph_t Graph = nullptr;
  begin(One, cudaStreamCaptureModeGlobal);
  fails(cudaMalloc(&Memory, 64), cudaErrorStreamCaptureUnsupported);
  expectRuined(One);
  begin(One, cudaStreamCaptureModeRelaxed);
  check(cudaMalloc(&Memory, 64));
  check(cudaStreamEndCapture(One, &Graph));
  check(cudaGraphDestroy(Graph));
  check(cudaFree(Memory));

  // Allowed on this thread for as long as it says so.
  begin(One, cudaStreamCaptureModeGlobal);
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed;
  check(cudaThreadExchangeStreamCaptureMode(&Mode));
  expect(Mode == cudaStreamCaptureModeGlobal);
  check(cudaMalloc(&Memory, 64));
  check(cudaThreadExchangeStreamCaptureMode(&Mode));
  expect(Mode == cudaStreamCaptureModeRelaxed);
  std::thread([&] {
    cudaGraph_t Mine = nullptr;
    fails(cudaStreamEndCapture(One, &Mine), cudaErrorStreamCaptureWrongThread);
  }).join();
  cudaStreamCaptureStatus Status;
  check(cudaStreamIsCapturing(One, &Status));
  if (Status != cudaStreamCaptureStatusNone) {
    check(cudaStreamEndCapture(One, &Graph));
    check(cudaGraphDestroy(Graph));
  }
  check(cudaFree(Memory));

  // Another thread's calls are its own business.
  begin(One, cudaStreamCaptureModeThreadLocal);
  std::thread([&] { check(cudaMalloc(&Memory, 64)); }).join();
  check(cudaStreamEndCapture(One, &Graph));
  check(cudaGraphDestroy(Graph));
  check(cudaFree(Memory));
  check(cudaStreamDestroy(One));
}

static void structure() {
  cudaGraph_t Graph = nullptr, Other = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  check(cudaGraphCreate(&Other, 0));
  cudaGraphNode_t A, B, C;
  check(cudaGraphAddEmptyNode(&A, Graph, nullptr, 0));
  check(cudaGraphAddEmptyNode(&B, Graph, &A, 1));
  fails(cudaGraphAddEmptyNode(&C, Other, &A, 1), cudaErrorInvalidValue);
  fails(cudaGraphAddDependencies(Graph, &A, &A, nullptr, 1),
        cudaErrorInvalidValue);
  fails(cudaGraphAddDependencies(Graph, &A, &B, nullptr, 1),
        cudaErrorInvalidValue);
  fails(cudaGraphRemoveDependencies(Graph, &B, &A, nullptr, 1),
        cudaErrorInvalidValue);
  cudaHostNodeParams Params = {};
  fails(cudaGraphHostNodeGetParams(A, &Params), cudaErrorInvalidValue);
  fails(cudaGraphAddHostNode(&C, Graph, nullptr, 0, nullptr),
        cudaErrorInvalidValue);
  fails(cudaGraphCreate(nullptr, 0), cudaErrorInvalidValue);
  check(cudaGraphDestroy(Graph));
  check(cudaGraphDestroy(Other));
}

int main() {
  waiting();
  streams();
  legacyStream();
  modes();
  structure();
  return suite::finish();
}
