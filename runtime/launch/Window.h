// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the launches that may still be running, and what a new one has
// to wait for in each of them.
// On the data's way: asked by runtime/cuda at every launch; calls evaluate,
// relate and encode.
// Invariants:
//  - admit() relates to those of the last Depth nodes since the last clear()
//    that the program orders before the new one; executors complete older ones
//    first. A node is a launch, or something else that touches memory in the
//    order of a stream: a copy, a fill, a launch that the program describes
//    itself.
//  - What was worked out once is looked up: the accesses of a launch, the
//    relation of two, and the answer for one sequence of launches. Where the
//    memory lies does not matter, only which launches share it. Each memo has a
//    bound; none ever changes an answer. See Note [What is remembered].
// Threads: the caller's lock. What admit() gives may be read from any thread.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_WINDOW_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_WINDOW_H

#include "AllocationUseIndex.h"
#include "Allocations.h"
#include "BlockBytes.h"
#include "Encode.h"
#include "Graph.h"
#include "Memo.h"
#include "Shape.h"
#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/BlockGraph.h"

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
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
  /// Null unless the implied needs were asked for.
  std::shared_ptr<const LaunchAccesses> Touched;
  /// Oldest producer first; independent launches left out.
  std::vector<Need> Needs;
};

/// How a node comes in, besides what it touches.
struct Entrance {
  /// Nodes in flight that the program does not order before it, ascending: it
  /// waits for none of them.
  std::span<const uint64_t> Unordered = {};
  /// Whether accesses and implied needs are asked for. Without them it is
  /// cheaper: in a deep window most are implied.
  bool WithImplied = true;
};

/// Which hazards a window looks for.
enum class HazardChoice : uint8_t {
  All,
  RawOnly ///< As the paper does. Not safe: see docs/executors.md.
};

class Window {
public:
  /// MemoEntries 0 works everything out anew.
  explicit Window(unsigned Depth = 8, size_t MemoEntries = 1024,
                  HazardChoice Hazards = HazardChoice::All)
      : Depth(Depth), Hazards(Hazards), ByLaunch(MemoEntries),
        ByAccesses(MemoEntries), Relations(MemoEntries), Tokens(MemoEntries),
        Patterns(MemoEntries), States(MemoEntries), Answers(MemoEntries) {}

  /// What is in flight from then on.
  Admission admit(const Launch &What, const AllocationMap &Known,
                  const Entrance &How = {});

  /// The same under a number other than the launch's own. It is above those of
  /// all nodes admitted before.
  Admission admit(uint64_t Id, const Launch &What, const AllocationMap &Known,
                  const Entrance &How = {});

  /// The same for a node whose accesses are known. One that is not divided into
  /// blocks has a grid of one.
  Admission admit(uint64_t Id, const LaunchAccesses &Touched,
                  const Entrance &How = {});

  /// Everything admitted so far has completed. Keeps the memos.
  void clear();

  /// Pairs of launches remembered.
  size_t remembered() const { return Relations.size(); }

private:
  using ShapePointer = std::shared_ptr<const Shape>;
  using RelatedPointer = std::shared_ptr<const Related>;

  /// A shape, and which allocation of the launch's roots each of its is.
  struct LaunchShape {
    ShapePointer What; ///< Null when one of its is none of theirs.
    std::vector<uint32_t> RootOf;
  };
  /// What a node waits for; the Producer of a need counts back from the node,
  /// and the one before it is 1.
  struct Pattern {
    uint64_t Number = 0; ///< Never given twice.
    std::vector<Need> Needs;
  };
  using PatternPointer = std::shared_ptr<const Pattern>; ///< Null for nothing.

  /// A launch or other node in flight.
  struct InFlight {
    uint64_t Id = 0;
    uint64_t Token = 0; ///< Its shape, marks and whom it is not behind.
    PatternPointer Waits;
    ShapePointer What;
    std::vector<Allocation> Where; ///< Those of What, as they are here.
    std::shared_ptr<const LaunchAccesses> Touched; ///< There; made when asked.
    LaunchFindings Found;                          ///< Of Touched.
  };
  static constexpr uint64_t Unknown = 0; ///< No state has this number.

  struct Line {
    std::vector<InFlight> Nodes; ///< A ring.
    size_t First = 0;
    size_t Count = 0;
    AllocationUseIndex Memory;
    /// Of what is in flight; Unknown until asked for.
    uint64_t State = Unknown;

    InFlight &at(size_t I);
    const InFlight &at(size_t I) const;
    InFlight &push(unsigned Depth);
    void clear();
  };
  /// What comes of one token in one state.
  struct Answer {
    PatternPointer Waits;
    uint64_t Next = Unknown; ///< The state it leads to.
  };

  ShapePointer shapeOf(const Launch &What, const AllocationMap &Known);
  template <typename Accesses> ShapePointer shapeOf(Accesses &&Touched);
  LaunchShape evaluateShape(const Launch &What, const AllocationMap &Known);
  Admission admit(uint64_t Id, ShapePointer Mine, const Entrance &How);
  void findUnordered(std::span<const uint64_t> Ids);
  bool isUnordered(uint64_t Ago) const;
  uint64_t tokenOf(const Shape &Mine);
  Answer answer();
  void keyOfFlight(size_t First);
  uint64_t stateOf();
  uint64_t stateAfter(const PatternPointer &Waits);
  RelatedPointer related(InFlight &Producer, InFlight &Consumer,
                         bool Overlapping);
  RelatedPointer relateNow(InFlight &Producer, InFlight &Consumer);
  PatternPointer findPattern();
  PatternPointer patternOf(std::vector<Need> Needs, bool Overlapping);
  void enter(PatternPointer Waits);

  unsigned Depth;
  uint64_t Effort = MostEffort; ///< For looking at blocks one by one.
  HazardChoice Hazards;
  uint64_t NextShape = 1, NextToken = 1, NextPattern = 1, NextState = 1;
  Line In;
  std::unordered_map<const KernelRecord *, KernelInputs> Kernels;
  Memo<std::shared_ptr<const LaunchShape>> ByLaunch;
  Memo<ShapePointer> ByAccesses;
  Memo<RelatedPointer> Relations;
  Memo<uint64_t> Tokens;
  Memo<PatternPointer> Patterns;
  Memo<uint64_t> States;
  Memo<Answer> Answers;
  /// What one admission works with; kept for their memory.
  Words Key, LaunchWords;
  std::vector<Allocation> Roots;
  std::vector<uint64_t> Marks;
  std::vector<uint64_t> Unordered; ///< So many nodes ago.
  InFlight Next;
};

} // namespace blockmaestro

#endif
