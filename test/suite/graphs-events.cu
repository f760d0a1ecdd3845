// Feature: graphs: Events recorded and awaited by nodes, and user objects that graphs keep alive.

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "Inputs/suite.h"

__global__ void set(int *Data, int Value) { *Data = Value; }
__global__ void twice(int *Data) { *Data *= 2; }

static cudaGraphNode_t addSet(cudaGraph_t Graph, int *Data, int Value) {
  void *Arguments[] = {&Data, &Value};
  cudaKernelNodeParams Params = {};
  Params.func = (void *)set;
  Params.gridDim = dim3(1);
  Params.blockDim = dim3(1);
  Params.kernelParams = Arguments;
  cudaGraphNode_t Node = nullptr;
  check(cudaGraphAddKernelNode(&Node, Graph, nullptr, 0, &Params));
  return Node;
}

/// A graph in one stream records what another stream waits for.
static void recordNode() {
  suite::Array<int> Data(1);
  check(cudaDeviceSynchronize());
  cudaEvent_t Done, Again;
  check(cudaEventCreate(&Done));
  check(cudaEventCreate(&Again));
  cudaStream_t One, Two;
  check(cudaStreamCreateWithFlags(&One, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&Two, cudaStreamNonBlocking));
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaGraphNode_t Set = addSet(Graph, Data, 21), Record = nullptr;
  check(cudaGraphAddEventRecordNode(&Record, Graph, &Set, 1, Done));
  cudaEvent_t Told = nullptr;
  check(cudaGraphEventRecordNodeGetEvent(Record, &Told));
  expect(Told == Done);
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphLaunch(Exec, One));
  check(cudaStreamWaitEvent(Two, Done, 0));
  twice<<<1, 1, 0, Two>>>(Data);
  check(cudaGetLastError());
  check(cudaStreamSynchronize(Two));
  same(Data.host(), std::vector<int>{42});

  check(cudaGraphExecEventRecordNodeSetEvent(Exec, Record, Again));
  check(cudaGraphLaunch(Exec, One));
  check(cudaEventSynchronize(Again));
  same(Data.host(), std::vector<int>{21});
  float Milliseconds = -1;
  check(cudaEventElapsedTime(&Milliseconds, Done, Again));
  expect(Milliseconds >= 0);
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaEventDestroy(Done));
  check(cudaEventDestroy(Again));
  check(cudaStreamDestroy(One));
  check(cudaStreamDestroy(Two));
}

static std::atomic<bool> Open;
static void CUDART_CB gate(void *) {
  while (!Open)
    std::this_thread::yield();
}

/// A graph waits for what another stream has recorded, by hand and captured.
static void waitNode() {
  suite::Array<int> Data(1);
  check(cudaDeviceSynchronize());
  cudaEvent_t Ready;
  check(cudaEventCreateWithFlags(&Ready, cudaEventDisableTiming));
  cudaStream_t One, Two;
  check(cudaStreamCreateWithFlags(&One, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&Two, cudaStreamNonBlocking));
  check(cudaStreamBeginCapture(Two, cudaStreamCaptureModeGlobal));
  check(cudaStreamWaitEvent(Two, Ready, cudaEventWaitExternal));
  twice<<<1, 1, 0, Two>>>(Data);
  cudaGraph_t Graph = nullptr;
  check(cudaStreamEndCapture(Two, &Graph));
  cudaGraphNode_t Root = nullptr;
  size_t Count = 1;
  check(cudaGraphGetRootNodes(Graph, &Root, &Count));
  cudaGraphNodeType Type;
  check(cudaGraphNodeGetType(Root, &Type));
  expect(Type == cudaGraphNodeTypeWaitEvent);
  cudaEvent_t Told = nullptr;
  check(cudaGraphEventWaitNodeGetEvent(Root, &Told));
  expect(Told == Ready);
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));

  Open = false;
  check(cudaLaunchHostFunc(One, gate, nullptr));
  set<<<1, 1, 0, One>>>(Data, 8);
  check(cudaEventRecord(Ready, One));
  check(cudaGraphLaunch(Exec, Two));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  expect(cudaStreamQuery(Two) == cudaErrorNotReady);
  (void)cudaGetLastError();
  Open = true;
  check(cudaStreamSynchronize(Two));
  same(Data.host(), std::vector<int>{16});
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaEventDestroy(Ready));
  check(cudaStreamDestroy(One));
  check(cudaStreamDestroy(Two));
}

static std::atomic<int> Destroyed;
static void CUDART_CB destroy(void *By) {
  Destroyed += *static_cast<int *>(By);
}

/// Destructors are called by another thread some time later.
static bool becomes(int Value) {
  for (int I = 0; I < 5000 && Destroyed != Value; ++I)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return Destroyed == Value;
}

static void userObjects() {
  static int One = 1, Ten = 10;
  cudaUserObject_t Moved, Shared;
  check(cudaUserObjectCreate(&Moved, &One, destroy, 1,
                             cudaUserObjectNoDestructorSync));
  check(cudaUserObjectCreate(&Shared, &Ten, destroy, 1,
                             cudaUserObjectNoDestructorSync));
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  check(cudaGraphRetainUserObject(Graph, Moved, 1, cudaGraphUserObjectMove));
  check(cudaGraphRetainUserObject(Graph, Shared, 2, 0));
  check(cudaUserObjectRetain(Shared, 1));
  check(cudaUserObjectRelease(Shared, 2));
  check(cudaGraphReleaseUserObject(Graph, Shared, 1));
  cudaGraphNode_t Node = nullptr;
  check(cudaGraphAddEmptyNode(&Node, Graph, nullptr, 0));
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphDestroy(Graph));
  check(cudaGraphLaunch(Exec, nullptr));
  check(cudaDeviceSynchronize());
  expect(Destroyed == 0);
  check(cudaGraphExecDestroy(Exec));
  expect(becomes(11));
}

int main() {
  recordNode();
  waitNode();
  userObjects();
  return suite::finish();
}
