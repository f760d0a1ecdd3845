// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the launches that may still be running, and the relations of a
// new one to each of them.
// On the data's way: asked by runtime/cuda at every launch, between evaluate
// and encode.
// Invariants:
//  - admit() relates to the last Depth launches of the same stream since the
//    last clear(); executors complete older ones first.
//  - Two launches that touch the same bytes in the same way are related once:
//    a memo of bounded size, which never changes an answer.
// Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_WINDOW_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_WINDOW_H

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/BlockGraph.h"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace blockmaestro {

class Window {
public:
  /// MemoEntries 0 relates every pair anew.
  explicit Window(unsigned Depth = 8, size_t MemoEntries = 1024)
      : Depth(Depth), MemoEntries(MemoEntries) {}

  /// The relations of What to every launch in flight on its stream, oldest
  /// producer first, independent ones left out. What is in flight from then on.
  std::vector<Relation> admit(const Launch &What, LaunchAccesses Touched,
                              const void *Stream = nullptr);

  /// Everything admitted so far has completed. Keeps the memo.
  void clear() { Streams.clear(); }

  /// Pairs of launches remembered.
  size_t remembered() const { return Memo.size(); }

private:
  /// One way of touching memory, and its number.
  struct Shape {
    uint64_t Number = 0;
    std::shared_ptr<const LaunchAccesses> Touched;
  };
  struct InFlight {
    uint64_t Id = 0;
    Shape What;
  };
  struct PairHash {
    size_t operator()(const std::pair<uint64_t, uint64_t> &P) const {
      return size_t(P.first * 0x9e3779b97f4a7c15u ^ P.second);
    }
  };

  Shape shapeOf(LaunchAccesses Touched);
  Relation related(const Shape &Producer, const Shape &Consumer);

  unsigned Depth;
  size_t MemoEntries;
  uint64_t NextShape = 0;
  std::map<const void *, std::deque<InFlight>> Streams;
  std::unordered_map<std::string, Shape> Shapes;
  std::unordered_map<std::pair<uint64_t, uint64_t>, Relation, PairHash> Memo;
};

} // namespace blockmaestro

#endif
