// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches one chain in one of its forms: in order, as the graph
// that ChainMemory has made, or by block, as a graph of prelaunch variants of
// the same works, whose blocks wait for blocks.
// On the data's way: between ChainMemory and the GpuPort.
// Invariants:
//  - The form by block is for the arguments that it was made for, or set to
//    where others have come often. What its blocks wait for is in its nodes, as
//    long as nothing changes by which that may be other
//    (WorkRelations::version): to launch it costs what any chain costs.
//  - Its done-words are its own, since a graph waits for its own last run, and
//    its first node clears them.
//  - Nobody waits for it to be made, nor for a time.
// Ownership: what Tools names outlives it; release() before its end. Threads:
// one caller; what takes long is done on another (ChainMaker.h), which nobody
// else then gives or asks for memory beside the streams.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINFORMS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINFORMS_H

#include "ChainMaker.h"
#include "ChainOrder.h"
#include "FormChoice.h"
#include "Gate.h"
#include "GpuPort.h"
#include "HeldWork.h"
#include "StuckReports.h"

#include <cstddef>
#include <cstdint>
#include <future>
#include <span>
#include <vector>

namespace blockmaestro {

class ChainForms {
public:
  struct Tools {
    GpuPort &Port;
    WorkRelations *Relations; ///< Null: works keep their order.
    ChainMaker &Maker;
    StuckReports &Stuck;
    /// So often in a row works come again with the same arguments before it is
    /// tried whether they are faster by block.
    size_t Often;
    bool IsLikely; ///< That they are.
    size_t &Taken; ///< Bytes of all done-words; at most MostBytes.
  };

  ChainForms(size_t Works, FormPolicy Policy) : Choice(Works, Policy) {}

  /// Launches these works, to which the graph InOrder is set. Hash is that of
  /// their arguments.
  Status launch(void *InOrder, std::span<const HeldWork> Works, uint64_t Hash,
                const Tools &With);
  void release(GpuPort &Port, size_t &Taken);

  /// The form of the last launch.
  ChainForm last() const { return Last; }
  const FormChoice &choice() const { return Choice; }
  /// Whether it may soon be known which form is faster.
  bool isOpen() const { return !Choice.isSettled() && Launches < LongestTrial; }

  /// Launches, after which whoever has not been tried is not waited for.
  static constexpr size_t LongestTrial = 16;
  /// Launches of more blocks stay in order: a chain has four words for each
  /// block of its largest launch.
  static constexpr uint64_t MostBlocks = 1 << 16;
  static constexpr size_t MostBytes = size_t(64) << 20;

private:
  using Needs = WorkRelations::Needs;
  /// A work as a node of the graph by block.
  struct Member {
    HeldWork Kept;
    Gate Parameter{};
    std::vector<void *> Arguments; ///< Of Kept, and Parameter.
    GpuWork Work;
    uint32_t FirstLate = 0; ///< See GateLine.h.

    void set(const HeldWork &To);
    const GpuLaunch *launch() const { return std::get_if<GpuLaunch>(&Work); }
  };
  /// What the graph by block is made of. Empty: it is not to be.
  struct Materials {
    Needs Behind;
    void *Memory = nullptr; ///< For done-words.
    StuckReport *Stuck = nullptr;
  };
  struct Timing {
    void *First = nullptr; ///< Marks; null: nothing is timed.
    void *Last = nullptr;
  };

  bool keep(std::span<const HeldWork> Works, const Tools &With);
  bool isWanted(uint64_t Now, const Tools &With) const;
  void ask(std::span<const HeldWork> Works, uint64_t Now, const Tools &With);
  void askMaterials(const Tools &With);
  void hear(uint64_t Now, const Tools &With);
  void hearMaterials(uint64_t Now, const Tools &With);
  void hearTime(GpuPort &Port);
  void releaseMarks(GpuPort &Port);
  void make(const Tools &With);
  bool isSetTo(std::span<const HeldWork> Works) const;
  bool canGoByBlock(std::span<const HeldWork> Works, uint64_t Now,
                    const Tools &With);
  uint64_t mostBlocks() const;
  size_t bytes() const;
  bool reserve(const Tools &With);
  void setGates();
  void setNodes(GpuPort &Port);
  Status launchTimed(void *Which, void *Stream, const Tools &With);

  FormChoice Choice;
  ChainForm Last = ChainForm::InOrder;
  uint64_t LastHash = 0;
  size_t Launches = 0;
  size_t Repeats = 0; ///< Launches in a row with arguments of this hash.

  uint64_t Hash = 0; ///< Of the arguments by block; 0: nothing was asked.
  std::vector<Member> Members;
  bool Fits = false; ///< Members can go by block, and have room in Made.Memory.
  uint64_t Capacity = 0; ///< Of Made.Memory, in blocks; 0: none was asked for.
  std::future<Materials> MaterialsComing;
  Materials Made;
  uint64_t Version = 0; ///< Of the relations, when they were asked.
  unsigned Asked = 0;   ///< So often.
  ChainMaker::Chain Coming;
  void *Graph = nullptr;
  Timing Timed;
};

} // namespace blockmaestro

#endif
