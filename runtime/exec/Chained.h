// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches of pdl variants, gathered and submitted as graphs:
// chains of kernels, each of which starts when the last block in front has
// exited. Submitting a chain costs the host a fraction of what its launches
// cost one by one, and no kernel but the first waits for the host. On the
// data's way: an Executor on a GpuPort; the order is that of the stream, so
// nobody needs to know what a launch touches. Invariants:
//  - Launches reach their stream in the order given. All that are held are of
//    one stream.
//  - A chain has its kernels for good, since to give a node another one costs
//    as much as a launch; what else has changed is set. Several chains may have
//    the same kernels, with the arguments that come by turns.
//  - Nobody waits for a chain to be made: until then its launches go as before.
//  - Long chains of a program that repeats itself end at the same place of it,
//    whatever has come between but a fence, which comes at its place too: else
//    each way to cut it would want chains.
//  - A chain runs on one stream only: a graph waits for its own last run.
//  - Nothing is held where the host has the time to launch one by one: the
//    device then begins sooner, and has no gap between chains.
//  - The first launch after a fence is never held, since the device has nothing
//    else to do; nor the next ones where a fence will soon come again.
// Ownership: the port outlives it. Threads: one caller at a time; chains are
// made on another (ChainMaker.h).

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINED_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINED_H

#include "ChainMaker.h"
#include "Executor.h"
#include "GpuPort.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace blockmaestro {

class Chained final : public Executor {
public:
  /// Tasks are held as long as \p MayHold says so.
  Chained(GpuPort &Port, std::function<bool()> MayHold,
          ChainMaker::Place Where = ChainMaker::Place::Beside)
      : Port(Port), MayHold(std::move(MayHold)), Maker(Where) {}
  ~Chained() override { forgetKernels(); }

  /// Takes a launch of a pdl variant that may be held, with a copy of its
  /// arguments. False: the caller makes it now; nothing is held then.
  Result<bool> gather(const GpuLaunch &What);

  Status submit(Task Next) override;
  /// Submits what is held.
  Status drain() override;
  Status submitHeld() override;
  bool plain() const override { return true; }
  bool takesStreams() const override { return true; }
  bool gathers() const override { return Count != 0; }
  void forgetStream(void *Stream) override;
  void waited(std::chrono::nanoseconds Idle) override;

  void forgetKernels() override;

  /// The first chain after a fence; then twice as many each time.
  static constexpr size_t FirstChain = 4;
  /// So many are submitted at once when the device has work for long; more, up
  /// to twice as many, where the kernels then begin from the start again.
  static constexpr size_t Steady = 32;
  /// A chain is made for launches that come so often: to make it costs as much
  /// as a few times of it save.
  static constexpr unsigned Often = 3;
  /// So many chains may have the same kernels.
  static constexpr size_t MostAlike = 4;
  /// No chain is shorter: the device needs as long to begin one as it gains by
  /// the next launches.
  static constexpr size_t Shortest = 4;
  /// So many chains are made without any being of use, and from then on one for
  /// so many that are launched.
  static constexpr size_t Advance = 64;
  static constexpr size_t UsesForOne = 4;
  /// What a launch takes the host, and one that goes by a chain does not.
  static constexpr std::chrono::nanoseconds LaunchTime{4000};
  /// Whether launches are held is not changed back more often than after so
  /// many waits.
  static constexpr unsigned MostWaits = 64;

private:
  /// One launch that is held.
  struct Held {
    GpuLaunch What;
    std::vector<std::byte> Bytes;
    std::vector<void *> Arguments; ///< Into Bytes.

    void copy(const GpuLaunch &From);
    unsigned costAfter(const Held &Other) const;
  };
  struct Chain {
    void *Graph = nullptr;    ///< Null: not made yet, or it could not be.
    ChainMaker::Chain Coming; ///< Valid until it has been made.
    std::vector<Held> Set;    ///< What its nodes are.
    uint64_t UsedAt = 0;      ///< The flush.
  };
  using Kernels = std::vector<const KernelRecord *>;
  /// What is known of kernels in a row on a stream.
  struct Sequence {
    unsigned Missed = 0;   ///< Flushes without a chain that is as wanted.
    uint64_t MissedAt = 0; ///< The last of them.
    std::vector<Chain> Chains;

    /// Whether a chain of it is being made.
    bool awaits() const;
  };
  /// Two kernels in a row, between which long chains end.
  struct Seam {
    const KernelRecord *Last = nullptr, *First = nullptr;

    bool operator==(const Seam &) const = default;
  };

  bool isSpare(std::chrono::nanoseconds Idle) const;
  bool goesAtOnce() const;
  bool comesAround(const GpuLaunch &Next);
  Status flush();
  Status submitAll(std::span<Held> Launches, bool Learns);
  Status submitAs(Chain &Known, std::span<Held> Launches);
  bool isThere(Chain &Known);
  std::pair<Chain *, size_t> cheapest(Sequence &Among,
                                      std::span<const Held> For);
  Chain *chainFor(Sequence &Among, std::span<Held> Launches, bool Learns);
  void begin(Sequence &For, std::span<const Held> Launches);
  void release(Sequence &Gone);
  void forgetSequences();
  void forgetSome();

  GpuPort &Port;
  const std::function<bool()> MayHold;
  std::vector<Held> Launches = std::vector<Held>(2 * Steady);
  size_t Count = 0;          ///< Of Launches that are held.
  size_t Limit = FirstChain; ///< So many are submitted, or somewhat more.
  size_t SinceFence = 0;     ///< Launches.
  unsigned ShortRuns = 0;    ///< The last so many from fence to fence.
  const KernelRecord *Before = nullptr; ///< The last one that was submitted.
  Seam End; ///< Of long chains; empty: the program has not repeated itself.
  uint64_t Flushes = 0;
  bool Spare = false;         ///< The host has time: nothing is held.
  unsigned SpareWaits = 0;    ///< In a row that say so, while Spare does not.
  unsigned WaitsForSpare = 1; ///< So many have to.
  size_t SinceWait = 0;       ///< Launches.
  size_t ByChain = 0;         ///< Of these, those that went by a chain.
  size_t Made = 0;            ///< Chains.
  size_t Used = 0;            ///< Launches of chains.
  size_t Nodes = 0;           ///< Of all chains.
  std::map<std::pair<void *, Kernels>, Sequence> Sequences;
  ChainMaker Maker;
};

} // namespace blockmaestro

#endif
