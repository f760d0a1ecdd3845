// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the program's own graphs with kernels that start early. Of an
// executable graph that is launched again and again a second one is made, in
// which a kernel behind a single other one takes its pdl form and is launched
// programmatically.
// On the data's way: inside CudaDevice, which launches one or the other.
// Invariants:
//  - The program's graphs stay what they are: it finds no node, edge or kernel
//    of ours in them, and what it changes is the graph that it made.
//  - A graph that the program has changed is launched as it is.
//  - The two never run at a time. CUDA lets an executable graph run behind its
//    own last run, on whatever streams, but knows nothing of the other: one
//    takes the other's place only on the stream of the last launch, or behind
//    an event.
// Ownership: owns the second graphs. The calls outlive it. Threads: one caller
// at a time; graphs are made on another (ChainMaker.h).

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EARLYGRAPHS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EARLYGRAPHS_H

#include "ChainMaker.h"
#include "CudaKernels.h"
#include "Device.h"
#include "GraphUploads.h"
#include "Lane.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace blockmaestro {

class EarlyGraphs {
public:
  /// The pdl form that the kernel of a node can take there; null: none.
  using FormOf = std::function<KernelKey(const cudaKernelNodeParams &)>;

  EarlyGraphs(const RuntimeCalls &Real, int Device,
              ChainMaker::Place Where = ChainMaker::Place::Beside)
      : Real(Real), Device(Device), Uploads(Real), Maker(Where) {}
  ~EarlyGraphs() { forgetAll(); }

  /// The program has made Ready of From.
  void made(cudaGraphExec_t Ready, cudaGraph_t From);
  /// The program is about to change it.
  void changes(cudaGraphExec_t Ready);
  /// The same of all, as something may that we do not see.
  void changeAll();
  void forget(cudaGraphExec_t Ready);
  void forgetAll();
  /// The stream is about to go away.
  void forgetStream(cudaStream_t Stream);
  /// Memory is about to go away that a graph may name.
  void letMemoryGo() { Maker.finishChains(); }

  /// What is launched where the program launches Ready.
  Result<cudaGraphExec_t> toLaunch(cudaGraphExec_t Ready, cudaStream_t Stream,
                                   const FormOf &Form);

  /// As Executor::account.
  std::string account() const;

  /// The second graph is made when the first has been launched so often.
  static constexpr unsigned Often = 4;

private:
  /// Of a stream that is gone; another may have got its name.
  static constexpr uint64_t Nowhere = ~uint64_t(0);
  /// A kernel that starts early behind another.
  struct Start {
    cudaGraphNode_t Behind, Node;
    cudaKernelNodeParams Params;
  };
  struct Shape;
  struct Graph {
    cudaGraph_t Copy = nullptr; ///< Until the second graph is made of it.
    ChainMaker::Chain Coming;
    cudaGraphExec_t Early = nullptr;
    unsigned Launches = 0;
    std::optional<Lane> Last;   ///< Of the last launch.
    bool WasEarly = false;      ///< It was of the second graph.
    cudaEvent_t Done = nullptr; ///< Behind it, where its stream is gone.
  };

  cudaGraph_t copyOf(cudaGraph_t From);
  std::optional<Shape> shapeOf(cudaGraph_t Of) const;
  bool runsAlone(cudaGraphNode_t Node) const;
  std::vector<Start> startsOf(cudaGraph_t Of, const FormOf &Form) const;
  void ask(Graph &For, const FormOf &Form);
  Result<void *> make(cudaGraph_t From, const std::vector<Start> &Starts);
  cudaError_t change(cudaGraph_t Of, const Start &Each);
  void hear(Graph &Of);
  void drop(Graph &Of);
  void forgetMark(Graph &Of);
  cudaEvent_t markBehind(const Graph &Of);
  bool comeBehind(Graph &Of, cudaStream_t Stream);

  const RuntimeCalls &Real;
  const int Device;
  std::unordered_map<cudaGraphExec_t, Graph> Known;
  unsigned InVain = 0; ///< Copies in a row that went away unused.
  unsigned Skipped = 0;
  size_t Made = 0, All = 0, Early = 0; ///< Second graphs; launches of graphs.
  GraphUploads Uploads;                ///< Used where graphs are made.
  ChainMaker Maker;
};

} // namespace blockmaestro

#endif
