// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the chains there are, by the works that they are made of, and how
// works that come in a row are submitted by them.
// On the data's way: between Chained, which decides how many works come
// together, and the GpuPort.
// Invariants:
//  - A chain has its kernels for good, since to give a node another one costs
//    as much as a launch; what else has changed is set. Works whose arguments
//    come again and again get a chain with these for good, which costs nothing
//    to set.
//  - Works run beside each other only where their relations say so
//    (KnownOrders.h), and where they leave room for each other on the device.
//  - A chain is made when what there was has cost two thirds as much more as
//    making one does, or a third where its arguments have come again: what has
//    come so often comes more often. So making chains costs little more than
//    having none.
//  - Nobody waits for a chain to be made: until then its works go as before.
//  - A chain runs on one stream only: a graph waits for its own last run.
//  - Chains whose arguments stay are tried in their other form, with blocks
//    that wait for blocks (ChainForms.h). The more often that was in vain, the
//    later the next is tried.
// Ownership: the port outlives it. Threads: one caller at a time; chains are
// made on another (ChainMaker.h).

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINMEMORY_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINMEMORY_H

#include "ChainForms.h"
#include "ChainMaker.h"
#include "ChainOrder.h"
#include "GpuPort.h"
#include "HeldWork.h"
#include "KnownOrders.h"
#include "StuckReports.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace blockmaestro {

struct ChainSettings {
  ChainMaker::Place Where = ChainMaker::Place::Beside;
  std::chrono::nanoseconds Patience = LongPatience; ///< Of waiting blocks.
  FormPolicy Forms = FormPolicy::Faster;
};

class ChainMemory {
public:
  ChainMemory(GpuPort &Port, const ChainSettings &By)
      : Port(Port), Policy(By.Forms), Stuck(Port, By.Patience),
        Maker(By.Where) {}
  ~ChainMemory() { forgetAll(); }

  /// Null, as at first: each work waits for the one in front.
  void relateBy(WorkRelations *By) { Relations = By; }

  /// Submits works of one stream in a row: as one chain, or as those of their
  /// halves; one by one what no chain has. Says how many went by chains. AsRun:
  /// they come right behind a fence, and a few are enough for a chain.
  Result<size_t> submit(std::span<const HeldWork> Works, bool AsRun);

  /// The same for works of several streams, which have this order by their
  /// streams and events: as one chain, or one after the other on the stream
  /// that they say.
  Result<size_t> submitJoined(std::span<const HeldWork> Works,
                              const ChainOrder &Behind);

  /// Works as a program issues them from one fence to the next. Whether there
  /// is a chain for all of them that is worth waiting for: some of them run
  /// beside others in it.
  bool goesAsWhole(std::span<const HeldWork> Run);

  void forgetStream(void *Stream);
  /// CUDA must not free what a copy of a graph names while that is being made.
  /// A copy or a fill is of the very memory that its node was set to: when
  /// other memory gets that address, the chain would end the program.
  void letMemoryGo();
  void forgetAll();

  /// Chains that have been made and launches of them; works that went by them,
  /// and those in chains with works that run beside others.
  struct Counts {
    size_t Made = 0;
    size_t Launched = 0;
    size_t Works = 0;
    size_t Beside = 0;
    size_t Submitted = 0; ///< Works, by chains and one by one,
    size_t Cost = 0;      ///< and what that has cost.
    size_t ByBlock = 0;   ///< Works whose blocks waited for blocks.
    size_t Tried = 0;     ///< Chains that were timed in both forms.
    size_t Won = 0;       ///< Those that go by block since.
    std::chrono::nanoseconds Before{0}, Since{0}; ///< For one work of these.
  };
  const Counts &counts() const { return Ever; }
  /// Makes what takes long, for others too.
  ChainMaker &maker() { return Maker; }
  /// Ok, or which block has waited too long for what.
  Status failure() const { return Stuck.read(); }

  /// A work takes the device so long, as the host has seen.
  void worksTake(std::chrono::nanoseconds Time) { WorkTime = Time; }
  /// Whether since the last time that it was asked a chain went by block, or is
  /// still to be tried.
  bool formsMatter() { return std::exchange(FormsMatter, false); }

  /// What making a chain of 32 launches costs, in fifths of a microsecond; and
  /// what works have lost for which it is made, or made to keep its arguments.
  static constexpr size_t MakingCost = 900;
  static constexpr size_t WorthMaking = 2 * MakingCost / 3;
  static constexpr size_t WorthKeeping = MakingCost / 3;
  /// So many chains whose arguments are set may have the same kernels, and so
  /// many that keep theirs.
  static constexpr size_t MostAlike = 8;
  static constexpr size_t MostKept = 64;
  /// No chain in which nothing runs beside anything is shorter: the device
  /// needs as long to begin one as it gains by the next launches.
  static constexpr size_t Shortest = 4;
  /// So many chains are made without any being of use, and from then on one for
  /// so many that are launched.
  static constexpr size_t Advance = 64;
  static constexpr size_t UsesForOne = 4;
  /// So often in a row a chain is launched with the same arguments before its
  /// other form is tried; twice as often for each that was tried in vain.
  static constexpr size_t RepeatsForForms = 1;

private:
  using Order = std::shared_ptr<const ChainOrder>; ///< Null: a line.
  struct Chain {
    void *Graph = nullptr;     ///< Null: not made yet, or it could not be.
    ChainMaker::Chain Coming;  ///< Valid until it has been made.
    std::vector<HeldWork> Set; ///< What its nodes are.
    Order Behind;
    uint64_t Kept = 0;   ///< The hash of its arguments; 0: they may be set.
    uint64_t UsedAt = 0; ///< The submission.
    ChainForms Forms{0, FormPolicy::InOrder};

    bool hasOrder(const Order &Wanted) const;
  };
  /// Works of these kinds in a row on a stream.
  struct Row {
    void *Stream = nullptr;
    std::vector<NodeKind> Works;
    bool operator==(const Row &) const = default;
  };
  struct RowHash {
    using is_transparent = void;
    size_t operator()(const Row &Of) const;
    size_t operator()(std::span<const HeldWork> Works) const;
  };
  struct RowEqual {
    using is_transparent = void;
    bool operator()(const Row &One, const Row &Other) const {
      return One == Other;
    }
    bool operator()(std::span<const HeldWork> Works, const Row &Of) const;
  };
  /// What works with these arguments have lost by having no chain of their own.
  struct Repeated {
    uint64_t Hash = 0;
    size_t Lost = 0;
  };
  /// What is known of the works of a row.
  struct Sequence {
    size_t Lost = 0; ///< By going otherwise than by a chain as wanted.
    std::vector<Chain> Chains;  ///< Those that keep their arguments first.
    size_t Kept = 0;            ///< Chains that keep their arguments.
    std::vector<Repeated> Came; ///< The last ones that lost something.
    size_t NextCame = 0;        ///< Of Came, the one that is forgotten next.
    KnownOrders Orders;

    /// Whether a chain of it is being made.
    bool awaits() const;
  };
  struct Choice {
    Chain *Which = nullptr;
    size_t Cost = 0;
    size_t Setting = 0; ///< Of that, what it costs to set its nodes.
  };

  Sequence &sequenceOf(std::span<const HeldWork> Works);
  Order orderOf(Sequence &Of, std::span<const HeldWork> Works);
  bool isThere(Chain &Known);
  bool fills(const GpuWork &What);
  size_t costInLine(const Order &Wanted) const;
  /// Works of a sequence as they are now.
  struct Wish {
    std::span<const HeldWork> Works;
    Order Behind;
    uint64_t Hash = 0;
  };
  Wish wishFor(Sequence &Of, std::span<const HeldWork> Works, bool Orders);
  Choice cheapest(Sequence &Among, const Wish &For);
  void learn(Sequence &Same, const Wish &Had, size_t Cost);
  bool mayMake() const {
    return Ever.Made < Advance + Ever.Launched / UsesForOne;
  }
  bool comesAgain(Sequence &Same, uint64_t Hash, size_t Lost);
  void begin(Sequence &Same, const Wish &For, bool Keeps);
  Status submitAs(const Choice &By, const Wish &For);
  Result<bool> setNodes(Chain &Known, const Wish &For);
  Status launch(Chain &Known, const Wish &For);
  /// Whether the last chain that was tried by block is faster so.
  bool waitingByBlockPays() const { return Ever.Won != 0 && TriedInVain == 0; }
  size_t costInOrder(size_t Works) const;
  void learnForms(const Chain &Of);
  Result<size_t> submitWhole(std::span<const HeldWork> Works, bool Learns,
                             bool Orders);
  Result<size_t> submitParts(std::span<const HeldWork> Works, bool Learns);
  Result<size_t> submitEach(std::span<const HeldWork> Works);
  void release(Sequence &Gone);
  template <typename Condition> void forgetWhere(Condition Is);
  void forgetSome();

  GpuPort &Port;
  const FormPolicy Policy;
  WorkRelations *Relations = nullptr;
  std::chrono::nanoseconds WorkTime{0};
  uint64_t Submissions = 0;
  Counts Ever;
  size_t Nodes = 0;         ///< Of all chains.
  bool NameMemory = false;  ///< Some chains have copies or fills.
  size_t Cases = 0;         ///< Works in the cases of all orders.
  unsigned InVain = 0;      ///< Orders asked for since one was of use.
  unsigned TriedInVain = 0; ///< Forms, since one was faster.
  size_t GateBytes = 0;     ///< Device memory for chains by block.
  bool FormsMatter = false;
  StuckReports Stuck;
  std::unordered_map<Row, Sequence, RowHash, RowEqual> Sequences;
  ChainMaker Maker;
};

} // namespace blockmaestro

#endif
