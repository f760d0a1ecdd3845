// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the captures under way: which streams they have, what the next
// work of each stream comes after, and events recorded in them.
// On the data's way: between the questions of Capture.h and the graph that is
// filled. Knows streams by name only.
// Invariants: as in Capture.h. A capture that went wrong fills its graph no
// more. An event recorded in a capture stays captured until it is recorded
// elsewhere or destroyed, also when the capture has ended.
// Ownership: as in Capture.h. Threads: the callers hold GraphState::Lock,
// except for idle().

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_CAPTURES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_CAPTURES_H

#include "Graph.h"
#include "StreamName.h"

#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include <vector>

namespace blockmaestro::emulated {

/// A stream inside a capture.
struct CapturedStream {
  std::vector<GraphEdge> Needs; ///< Of the next work.
  bool Blocking = true;
  // What cudaStreamGetCaptureInfo() points to.
  std::vector<cudaGraphNode_t> ToldNodes;
  std::vector<cudaGraphEdgeData> ToldData;
};

struct Capture {
  uint64_t Id = 0;
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeGlobal;
  std::thread::id Thread;
  const void *Origin = nullptr;
  Graph *Into = nullptr;
  std::unique_ptr<Graph> Owned; ///< Null when the program gave the graph.
  bool Spoiled = false;
  std::map<const void *, CapturedStream> Streams;
  /// What streams destroyed meanwhile would have come after.
  std::vector<GraphEdge> Left;
};

/// A thread's own setting, see cudaThreadExchangeStreamCaptureMode().
cudaStreamCaptureMode &threadCaptureMode();

class Captures {
public:
  /// Nothing is captured and no event was; needs no lock.
  bool idle() const { return Active.load(std::memory_order_acquire) == 0; }

  /// Into is the program's graph; null: a new one.
  cudaError_t begin(const StreamName &Stream, cudaStreamCaptureMode Mode,
                    Graph *Into, std::vector<GraphEdge> Needs);
  /// Out is the graph, null when something is wrong; Gone what the caller
  /// destroys without the lock.
  cudaError_t end(const StreamName &Stream, Graph *&Out,
                  std::unique_ptr<Graph> &Gone);

  /// The capture a stream belongs to, right or wrong; null: none.
  Capture *of(const StreamName &Stream);

  /// The capture that takes work of this stream; null, with Error left alone,
  /// when the work is for the device.
  Capture *taker(const StreamName &Stream, cudaError_t &Error);
  /// Makes the node what the stream's next work comes after.
  static cudaError_t advance(Capture &In, const StreamName &Stream,
                             GraphNode *Node);

  /// Adds to what the next work of a stream comes after, or replaces it.
  static void comeAfter(CapturedStream &Which,
                        const std::vector<GraphEdge> &More, bool Replace);

  /// Both true when the event now means a place in a graph.
  bool record(const StreamName &Stream, cudaEvent_t Event, cudaError_t &Error);
  bool wait(const StreamName &Stream, cudaEvent_t Event, cudaError_t &Error);

  cudaError_t mayWait(const StreamName &Stream);
  cudaError_t mayWait(cudaEvent_t Event);
  cudaError_t mayWaitForAll();
  cudaError_t mayUseLegacy();
  /// Whether a stream is captured that the legacy stream would wait for.
  bool tiesLegacy() const;
  cudaError_t mayCallUnsafely();

  /// The graph that nobody gets any more; destroyed without the lock.
  std::unique_ptr<Graph> forget(const StreamName &Stream);
  void forget(cudaEvent_t Event);
  void clear(std::vector<std::unique_ptr<Graph>> &Gone);

private:
  struct CapturedEvent {
    uint64_t In = 0; ///< The capture's Id.
    std::vector<GraphEdge> Needs;
  };
  Capture *byId(uint64_t Id);
  void count();
  std::unique_ptr<Graph> erase(Capture &Which);

  std::vector<std::unique_ptr<Capture>> Running;
  std::map<cudaEvent_t, CapturedEvent> Events;
  uint64_t LastId = 0;
  std::atomic<size_t> Active = 0; ///< Of both.
};

} // namespace blockmaestro::emulated

#endif
