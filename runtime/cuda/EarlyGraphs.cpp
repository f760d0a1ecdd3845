// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EarlyGraphs.h"

#include "GraphParts.h"
#include "OnDevice.h"
#include "OwnErrors.h"

#include <map>
#include <utility>
#include <vector>

namespace blockmaestro {

/// The nodes of a graph, and the edges between them.
struct EarlyGraphs::Shape {
  struct Node {
    bool IsKernel = false;
    unsigned Behind = 0, Followers = 0; ///< How many others.
  };
  std::map<cudaGraphNode_t, Node> Nodes;
  std::vector<cudaGraphNode_t> From, To;
  std::vector<cudaGraphEdgeData> How;
};

/// Node kinds that do the same in another graph.
static bool canBeCopied(cudaGraphNodeType Kind) {
  return Kind == cudaGraphNodeTypeKernel || Kind == cudaGraphNodeTypeMemcpy ||
         Kind == cudaGraphNodeTypeMemset || Kind == cudaGraphNodeTypeHost ||
         Kind == cudaGraphNodeTypeEmpty;
}

static bool isPlain(const cudaGraphEdgeData &How) {
  return How.from_port == 0 && How.to_port == 0 && How.type == 0;
}

/// Null where there is none to be had, or where many were of no use.
cudaGraph_t EarlyGraphs::copyOf(cudaGraph_t From) {
  constexpr unsigned Many = 4, Few = 16;
  constexpr size_t MostNodes = 4096;
  const OwnErrors Ours(Real);
  size_t Count = 0;
  if (Real.cudaGraphGetNodes(From, nullptr, &Count) != cudaSuccess ||
      Count < 2 || Count > MostNodes)
    return nullptr;
  if (InVain >= Many && ++Skipped % Few != 0)
    return nullptr;
  cudaGraph_t Out = nullptr;
  return Real.cudaGraphClone(&Out, From) == cudaSuccess ? Out : nullptr;
}

void EarlyGraphs::made(cudaGraphExec_t Ready, cudaGraph_t From) {
  forget(Ready);
  if (cudaGraph_t Copy = copyOf(From))
    Known[Ready].Copy = Copy;
}

/// Nothing where a node is not known to do the same in another graph.
std::optional<EarlyGraphs::Shape> EarlyGraphs::shapeOf(cudaGraph_t Of) const {
  size_t Count = 0, Edges = 0;
  if (Real.cudaGraphGetNodes(Of, nullptr, &Count) != cudaSuccess ||
      Real.cudaGraphGetEdges(Of, nullptr, nullptr, nullptr, &Edges) !=
          cudaSuccess)
    return {};
  Shape Out;
  std::vector<cudaGraphNode_t> Nodes(Count);
  Out.From.resize(Edges);
  Out.To.resize(Edges);
  Out.How.resize(Edges);
  if (Real.cudaGraphGetNodes(Of, Nodes.data(), &Count) != cudaSuccess ||
      Real.cudaGraphGetEdges(Of, Out.From.data(), Out.To.data(), Out.How.data(),
                             &Edges) != cudaSuccess)
    return {};
  for (cudaGraphNode_t Each : Nodes) {
    cudaGraphNodeType Kind = cudaGraphNodeTypeCount;
    if (Real.cudaGraphNodeGetType(Each, &Kind) != cudaSuccess ||
        !canBeCopied(Kind))
      return {};
    Out.Nodes[Each].IsKernel = Kind == cudaGraphNodeTypeKernel;
  }
  for (size_t I = 0; I < Edges; ++I) {
    ++Out.Nodes[Out.From[I]].Followers;
    ++Out.Nodes[Out.To[I]].Behind;
  }
  return Out;
}

/// Whether the blocks of a kernel come one by one, as those of its pdl form.
bool EarlyGraphs::runsAlone(cudaGraphNode_t Node) const {
  cudaKernelNodeAttrValue Together = {}, Cluster = {};
  return Real.cudaGraphKernelNodeGetAttribute(
             Node, cudaLaunchAttributeCooperative, &Together) == cudaSuccess &&
         Real.cudaGraphKernelNodeGetAttribute(
             Node, cudaLaunchAttributeClusterDimension, &Cluster) ==
             cudaSuccess &&
         Together.cooperative == 0 && Cluster.clusterDim.x <= 1 &&
         Cluster.clusterDim.y <= 1 && Cluster.clusterDim.z <= 1;
}

/// Kernels behind one other kernel, which nothing else is behind.
std::vector<EarlyGraphs::Start>
EarlyGraphs::startsOf(cudaGraph_t Of, const FormOf &Form) const {
  const std::optional<Shape> Known = shapeOf(Of);
  if (!Known)
    return {};
  std::vector<Start> Out;
  for (size_t I = 0; I < Known->From.size(); ++I) {
    const cudaGraphNode_t From = Known->From[I], To = Known->To[I];
    const Shape::Node &First = Known->Nodes.at(From);
    const Shape::Node &Second = Known->Nodes.at(To);
    if (!isPlain(Known->How[I]) || First.Followers != 1 || Second.Behind != 1 ||
        !First.IsKernel || !Second.IsKernel || !runsAlone(To))
      continue;
    cudaKernelNodeParams Params = {};
    if (Real.cudaGraphKernelNodeGetParams(To, &Params) != cudaSuccess)
      continue;
    Params.func = const_cast<void *>(Form(Params));
    if (Params.func)
      Out.push_back({From, To, Params});
  }
  return Out;
}

cudaError_t EarlyGraphs::change(cudaGraph_t Of, const Start &Each) {
  const cudaGraphEdgeData Plain = {};
  const cudaGraphEdgeData Programmatic = programmaticEdge();
  cudaError_t Error =
      Real.cudaGraphKernelNodeSetParams(Each.Node, &Each.Params);
  if (Error == cudaSuccess)
    Error = Real.cudaGraphRemoveDependencies(Of, &Each.Behind, &Each.Node,
                                             &Plain, 1);
  return Error == cudaSuccess
             ? Real.cudaGraphAddDependencies(Of, &Each.Behind, &Each.Node,
                                             &Programmatic, 1)
             : Error;
}

Result<void *> EarlyGraphs::make(cudaGraph_t From,
                                 const std::vector<Start> &Starts) {
  const OnDevice Here(Real, Device);
  const NotCaptured Alone(Real);
  const OwnErrors Ours(Real);
  cudaError_t Error = cudaSuccess;
  for (const Start &Each : Starts)
    if (Error == cudaSuccess)
      Error = change(From, Each);
  cudaGraphExec_t Out = nullptr;
  if (Error == cudaSuccess)
    Error = Real.cudaGraphInstantiate(&Out, From, 0);
  (void)Real.cudaGraphDestroy(From);
  if (Error == cudaSuccess)
    Error = Uploads.bring(Out);
  if (Error == cudaSuccess)
    return static_cast<void *>(Out);
  if (Out)
    (void)Real.cudaGraphExecDestroy(Out);
  return Status(StatusCode::Device, "a graph could not be made");
}

void EarlyGraphs::ask(Graph &For, const FormOf &Form) {
  const OwnErrors Ours(Real);
  std::vector<Start> Starts = startsOf(For.Copy, Form);
  cudaGraph_t Copy = std::exchange(For.Copy, nullptr);
  if (Starts.empty()) {
    (void)Real.cudaGraphDestroy(Copy);
    return;
  }
  InVain = 0;
  For.Coming = Maker.make(
      [this, Copy, Starts = std::move(Starts)] { return make(Copy, Starts); });
}

void EarlyGraphs::hear(Graph &Of) {
  if (!isReady(Of.Coming))
    return;
  const Result<void *> Done = Of.Coming.get();
  Of.Early = Done.ok() ? static_cast<cudaGraphExec_t>(*Done) : nullptr;
  Made += Done.ok();
}

/// It is launched as it is from now on.
void EarlyGraphs::drop(Graph &Of) {
  const OwnErrors Ours(Real);
  if (Of.Coming.valid())
    Of.Coming.wait();
  hear(Of);
  if (Of.Copy) {
    ++InVain;
    (void)Real.cudaGraphDestroy(std::exchange(Of.Copy, nullptr));
  }
  if (Of.Early)
    (void)Real.cudaGraphExecDestroy(std::exchange(Of.Early, nullptr));
}

void EarlyGraphs::changes(cudaGraphExec_t Ready) {
  if (const auto Found = Known.find(Ready); Found != Known.end())
    drop(Found->second);
}

void EarlyGraphs::changeAll() {
  for (auto &[Ready, Each] : Known)
    drop(Each);
}

void EarlyGraphs::forget(cudaGraphExec_t Ready) {
  const auto Found = Known.find(Ready);
  if (Found == Known.end())
    return;
  drop(Found->second);
  forgetMark(Found->second);
  Known.erase(Found);
}

void EarlyGraphs::forgetAll() {
  while (!Known.empty())
    forget(Known.begin()->first);
  Uploads.forget();
}

/// An event behind the last launch; null where there is none to be had.
cudaEvent_t EarlyGraphs::markBehind(const Graph &Of) {
  const OwnErrors Ours(Real);
  cudaEvent_t Out = nullptr;
  if (*Of.Last != laneOf(Of.Last->Stream) ||
      isCapturing(Real, Of.Last->Stream) ||
      Real.cudaEventCreateWithFlags(&Out, cudaEventDisableTiming) !=
          cudaSuccess)
    return nullptr;
  if (Real.cudaEventRecord(Out, Of.Last->Stream) == cudaSuccess)
    return Out;
  (void)Real.cudaEventDestroy(Out);
  return nullptr;
}

void EarlyGraphs::forgetMark(Graph &Of) {
  if (Of.Done)
    (void)Real.cudaEventDestroy(std::exchange(Of.Done, nullptr));
}

void EarlyGraphs::forgetStream(cudaStream_t Stream) {
  for (auto &[Ready, Each] : Known)
    if (Each.Last && Each.Last->Stream == Stream && !Each.Done) {
      Each.Done = markBehind(Each);
      Each.Last->Thread = Nowhere;
    }
}

/// Makes what is launched on the stream next wait for the last launch. False:
/// there is no event behind that, as where only another thread can name its
/// stream.
bool EarlyGraphs::comeBehind(Graph &Of, cudaStream_t Stream) {
  const OwnErrors Ours(Real);
  if (!Of.Done)
    Of.Done = markBehind(Of);
  return Of.Done && Real.cudaStreamWaitEvent(Stream, Of.Done, 0) == cudaSuccess;
}

/// Where the one cannot come behind the other, the second graph is not begun
/// with, and the host waits for it before the first goes again.
Result<cudaGraphExec_t> EarlyGraphs::toLaunch(cudaGraphExec_t Ready,
                                              cudaStream_t Stream,
                                              const FormOf &Form) {
  ++All;
  const auto Found = Known.find(Ready);
  if (Found == Known.end())
    return Ready;
  Graph &Mine = Found->second;
  if (++Mine.Launches == Often && Mine.Copy)
    ask(Mine, Form);
  hear(Mine);
  const Lane Now = laneOf(Stream);
  bool GoesEarly = Mine.Early;
  if (GoesEarly != Mine.WasEarly && Mine.Last && *Mine.Last != Now &&
      !comeBehind(Mine, Stream)) {
    if (!GoesEarly && Real.cudaDeviceSynchronize() != cudaSuccess)
      return Status(StatusCode::Device,
                    "a graph that was changed cannot wait for its last launch");
    GoesEarly = false;
  }
  forgetMark(Mine);
  Mine.Last = Now;
  Mine.WasEarly = GoesEarly;
  Early += GoesEarly;
  return GoesEarly ? Mine.Early : Ready;
}

std::string EarlyGraphs::account() const {
  if (All == 0)
    return "";
  return "of " + std::to_string(All) + " launches of the program's graphs " +
         std::to_string(Early) + " went as " + std::to_string(Made) +
         " graphs whose kernels start early";
}

} // namespace blockmaestro
