// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the launches that may still be running, and what a new one has
// to wait for in each of them.
// On the data's way: asked by runtime/cuda at every launch; calls evaluate,
// relate and encode.
// Invariants:
//  - admit() relates to the last Depth nodes of the same stream since the last
//    clear(); executors complete older ones first. A node is a launch, or
//    something else that touches memory in the order of a stream: a copy, a
//    fill, a launch that the program describes itself.
//  - What was worked out once is looked up: the accesses of a launch, the
//    relation of two, and the answer for one sequence of launches. Each memo
//    has a bound; none ever changes an answer.
// Threads: the caller's lock. What admit() gives may be read from any thread.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_WINDOW_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_WINDOW_H

#include "Allocations.h"
#include "Encode.h"
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

/// A relation and its encoded form. Their launch ids mean nothing: two
/// launches that touch the same bytes in the same way share one.
struct Related {
  Relation What;
  Encoding Form;
};

/// One earlier node a new one is related to.
struct Need {
  uint64_t Producer = 0; ///< As it was admitted.
  /// Nobody has to wait for it: others make sure of it. See Implied.h.
  bool Implied = false;
  std::shared_ptr<const Related> How;
};

struct Admission {
  std::shared_ptr<const LaunchAccesses> Touched;
  /// Oldest producer first; independent launches left out.
  std::vector<Need> Needs;
};

/// Which hazards a window looks for.
enum class HazardChoice : uint8_t {
  All,
  RawOnly ///< As the paper does. Not safe: see docs/soundness.md.
};

class Window {
public:
  /// MemoEntries 0 works everything out anew.
  explicit Window(unsigned Depth = 8, size_t MemoEntries = 1024,
                  HazardChoice Hazards = HazardChoice::All)
      : Depth(Depth), MemoEntries(MemoEntries), Hazards(Hazards) {}

  /// What is in flight from then on. Without the implied needs it is cheaper:
  /// in a deep window most are.
  Admission admit(const Launch &What, const AllocationMap &Known,
                  const void *Stream = nullptr, bool WithImplied = true);

  /// The same under a number other than the launch's own. It is above those of
  /// all nodes admitted before.
  Admission admit(uint64_t Id, const Launch &What, const AllocationMap &Known,
                  const void *Stream = nullptr, bool WithImplied = true);

  /// The same for a node whose accesses are known. One that is not divided into
  /// blocks has a grid of one.
  Admission admit(uint64_t Id, LaunchAccesses Touched,
                  const void *Stream = nullptr, bool WithImplied = true);

  /// What admit() would relate to, oldest first.
  std::vector<uint64_t> inFlight(const void *Stream = nullptr) const;

  /// Everything admitted so far has completed. Keeps the memos.
  void clear() { Streams.clear(); }

  /// Pairs of launches remembered.
  size_t remembered() const { return Relations.size(); }

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
  using Line = std::deque<InFlight>;
  /// Needs with Producer counted from the oldest launch in flight.
  using Pattern = std::shared_ptr<const std::vector<Need>>;

  Shape shapeOf(const Launch &What, const AllocationMap &Known);
  Shape shapeOf(LaunchAccesses Touched);
  Admission admit(uint64_t Id, Shape Mine, const void *Stream,
                  bool WithImplied);
  std::shared_ptr<const Related> related(const Shape &Producer,
                                         const Shape &Consumer);
  Pattern patternOf(const Line &Earlier, const Shape &Mine);
  Pattern findPattern(const Line &Earlier, const Shape &Mine);

  unsigned Depth;
  size_t MemoEntries;
  HazardChoice Hazards;
  uint64_t NextShape = 0;
  std::map<const void *, Line> Streams;
  std::unordered_map<std::string, Shape> ByLaunch;
  std::unordered_map<std::string, Shape> ByAccesses;
  std::unordered_map<std::string, std::shared_ptr<const Related>> Relations;
  std::unordered_map<std::string, Pattern> Patterns;
};

} // namespace blockmaestro

#endif
