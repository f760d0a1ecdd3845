// Feature: graphs: Executable graphs changed node by node and by another graph, and nodes switched off.

#include <vector>

#include "Inputs/suite.h"

__global__ void put(int *Data, int Value) { Data[threadIdx.x] = Value; }
__global__ void putTwice(int *Data, int Value) {
  Data[threadIdx.x] = 2 * Value;
}

static void CUDART_CB assign(void *Where) { *static_cast<int *>(Where) = 1; }

constexpr int Count = 32;

/// A fill, a kernel, a copy to the host and a host function in a row.
struct Chain {
  explicit Chain(int *Device, int Value, int *Host, int *Called,
                 void *Stub = (void *)put) {
    check(cudaGraphCreate(&Graph, 0));
    cudaMemsetParams Zero = fill(Device + Count, 1);
    check(cudaGraphAddMemsetNode(&Fill, Graph, nullptr, 0, &Zero));
    Params.func = Stub;
    Params.gridDim = dim3(1);
    Params.blockDim = dim3(Count);
    Arguments[0] = &Where;
    Arguments[1] = &This;
    Params.kernelParams = Arguments;
    Where = Device;
    This = Value;
    check(cudaGraphAddKernelNode(&Kernel, Graph, &Fill, 1, &Params));
    check(cudaGraphAddMemcpyNode1D(&Copy, Graph, &Kernel, 1, Host, Device,
                                   2 * Count * sizeof(int),
                                   cudaMemcpyDeviceToHost));
    cudaHostNodeParams Last = {assign, Called};
    check(cudaGraphAddHostNode(&Call, Graph, &Copy, 1, &Last));
  }
  ~Chain() { check(cudaGraphDestroy(Graph)); }
  static cudaMemsetParams fill(int *To, unsigned char Value) {
    cudaMemsetParams Out = {};
    Out.dst = To;
    Out.elementSize = 1;
    Out.value = Value;
    Out.width = Count * sizeof(int);
    Out.height = 1;
    return Out;
  }
  cudaGraph_t Graph;
  cudaGraphNode_t Fill, Kernel, Copy, Call;
  cudaKernelNodeParams Params = {};
  void *Arguments[2];
  int *Where, This;
};

static std::vector<int> expected(int First, int Second) {
  std::vector<int> Out(Count, First);
  Out.resize(2 * Count, Second);
  return Out;
}

struct Setup {
  suite::Array<int> Device{2 * Count};
  std::vector<int> Host = std::vector<int>(2 * Count);
  std::vector<int> OtherHost = std::vector<int>(2 * Count);
  int Called = 0, OtherCalled = 0;

  void run(cudaGraphExec_t Exec) {
    check(cudaMemset(Device, 0, 2 * Count * sizeof(int)));
    check(cudaGraphLaunch(Exec, nullptr));
    check(cudaDeviceSynchronize());
  }
};

static void nodeByNode() {
  Setup S;
  Chain C(S.Device, 3, S.Host.data(), &S.Called);
  cudaGraphExec_t Exec;
  check(cudaGraphInstantiate(&Exec, C.Graph, 0));
  S.run(Exec);
  same(S.Host, expected(3, 0x01010101));
  expect(S.Called == 1);

  C.This = 9;
  C.Params.func = (void *)putTwice;
  check(cudaGraphExecKernelNodeSetParams(Exec, C.Kernel, &C.Params));
  cudaMemsetParams Fill = Chain::fill(S.Device + Count, 2);
  check(cudaGraphExecMemsetNodeSetParams(Exec, C.Fill, &Fill));
  check(cudaGraphExecMemcpyNodeSetParams1D(
      Exec, C.Copy, S.OtherHost.data(), S.Device.get(),
      2 * Count * sizeof(int), cudaMemcpyDeviceToHost));
  cudaHostNodeParams Other = {assign, &S.OtherCalled};
  check(cudaGraphExecHostNodeSetParams(Exec, C.Call, &Other));
  S.run(Exec);
  same(S.OtherHost, expected(18, 0x02020202));
  same(S.Host, expected(3, 0x01010101));
  expect(S.OtherCalled == 1);

  cudaKernelNodeParams Told = {};
  check(cudaGraphKernelNodeGetParams(C.Kernel, &Told));
  expect(Told.func == (void *)put);
  expect(*static_cast<int *>(Told.kernelParams[1]) == 3);
  check(cudaGraphExecDestroy(Exec));
}

static void switchedOff() {
  Setup S;
  Chain C(S.Device, 3, S.Host.data(), &S.Called);
  cudaGraphExec_t Exec;
  check(cudaGraphInstantiate(&Exec, C.Graph, 0));
  unsigned Enabled = 0;
  check(cudaGraphNodeGetEnabled(Exec, C.Kernel, &Enabled));
  expect(Enabled == 1);
  check(cudaGraphNodeSetEnabled(Exec, C.Kernel, 0));
  check(cudaGraphNodeGetEnabled(Exec, C.Kernel, &Enabled));
  expect(Enabled == 0);
  S.run(Exec);
  same(S.Host, expected(0, 0x01010101));
  check(cudaGraphNodeSetEnabled(Exec, C.Kernel, 1));
  check(cudaGraphNodeSetEnabled(Exec, C.Fill, 0));
  S.run(Exec);
  same(S.Host, expected(3, 0));
  check(cudaGraphExecDestroy(Exec));
}

static void asAWhole() {
  Setup S;
  Chain C(S.Device, 3, S.Host.data(), &S.Called);
  Chain D(S.Device, 4, S.OtherHost.data(), &S.OtherCalled, (void *)putTwice);
  cudaGraphExec_t Exec;
  check(cudaGraphInstantiate(&Exec, C.Graph, 0));
  cudaGraphExecUpdateResultInfo Info = {};
  check(cudaGraphExecUpdate(Exec, D.Graph, &Info));
  expect(Info.result == cudaGraphExecUpdateSuccess);
  S.run(Exec);
  same(S.OtherHost, expected(8, 0x01010101));
  expect(S.OtherCalled == 1 && S.Called == 0);

  cudaGraphNode_t Extra;
  check(cudaGraphAddEmptyNode(&Extra, D.Graph, nullptr, 0));
  expect(cudaGraphExecUpdate(Exec, D.Graph, &Info) ==
         cudaErrorGraphExecUpdateFailure);
  expect(Info.result == cudaGraphExecUpdateErrorTopologyChanged);
  expect(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);

  // The same shape with another kind of node.
  cudaGraph_t Other;
  cudaGraphNode_t First, Second, Third, Fourth;
  check(cudaGraphCreate(&Other, 0));
  check(cudaGraphAddEmptyNode(&First, Other, nullptr, 0));
  check(cudaGraphAddEmptyNode(&Second, Other, &First, 1));
  check(cudaGraphAddEmptyNode(&Third, Other, &Second, 1));
  check(cudaGraphAddEmptyNode(&Fourth, Other, &Third, 1));
  expect(cudaGraphExecUpdate(Exec, Other, &Info) ==
         cudaErrorGraphExecUpdateFailure);
  expect(Info.result == cudaGraphExecUpdateErrorNodeTypeChanged);
  expect(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);
  S.OtherHost.assign(2 * Count, 0);
  S.run(Exec);
  same(S.OtherHost, expected(8, 0x01010101));
  check(cudaGraphDestroy(Other));
  check(cudaGraphExecDestroy(Exec));
}

/// A change of the graph itself is for executable graphs made later.
static void theGraphItself() {
  Setup S;
  Chain C(S.Device, 3, S.Host.data(), &S.Called);
  cudaGraphExec_t Old, New;
  check(cudaGraphInstantiate(&Old, C.Graph, 0));
  C.This = 6;
  check(cudaGraphKernelNodeSetParams(C.Kernel, &C.Params));
  check(cudaGraphInstantiate(&New, C.Graph, 0));
  S.run(Old);
  same(S.Host, expected(3, 0x01010101));
  S.run(New);
  same(S.Host, expected(6, 0x01010101));
  check(cudaGraphExecDestroy(Old));
  check(cudaGraphExecDestroy(New));
}

int main() {
  nodeByNode();
  switchedOff();
  asAWhole();
  theGraphItself();
  return suite::finish();
}
