// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches of pdl variants, with the copies and fills of device
// memory between them, copies from the host among these, gathered and submitted
// as graphs: chains, in which each launch starts when the last block in front
// has exited, or beside others where they touch nothing that it needs.
// Submitting a chain costs the host a fraction of what its works cost one by
// one, and none but the first waits for the host. On the data's way: an
// Executor on a GpuPort; how works become chains is ChainMemory's. Invariants:
//  - Works reach their stream in the order given. All that are held are of one
//    stream, or of several that events join (JoinedStreams.h) and that are
//    joined again before long. Where streams take turns by so many works that a
//    chain is worth it, the run goes on with the other stream: the device has
//    something to do.
//  - Long chains of a program that repeats itself end at the same place of it,
//    whatever has come between but a fence, which comes at its place too: else
//    each way to cut it would want chains.
//  - Nothing is held where the host has the time to launch one by one: the
//    device then begins sooner, and has no gap between chains.
//  - From one wait of the host to the next nothing is held where that has been
//    faster (HoldChoice.h).
//  - The first work after a fence is never held, since the device has nothing
//    else to do; nor the next ones where a fence will soon come again.
//  - Bytes that the program may change while a copy of them is held have been
//    taken aside; where there is no room for them the copy is not held.
//  - An event that is recorded behind what is held stands for that when it has
//    gone. It may then stand for works that came later too, where these are
//    sure to end by themselves; but never where somebody has asked before.
//  - But works are held that begin a run for which there is a chain as a whole
//    (ChainMemory::goesAsWhole), where the host issues it without a pause. A
//    run goes from a fence to the next, or to where a long chain would end.
// Ownership: the port and the relations outlive it. Threads: one caller at a
// time; chains are made on another (ChainMaker.h).

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINED_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINED_H

#include "ChainMemory.h"
#include "Executor.h"
#include "ExpectedRuns.h"
#include "GpuPort.h"
#include "HeldWork.h"
#include "HoldChoice.h"
#include "JoinedStreams.h"
#include "StagingPages.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace blockmaestro {

class Chained final : public Executor {
public:
  /// Tasks are held as long as \p MayHold says so.
  Chained(GpuPort &Port, std::function<bool()> MayHold,
          const ChainSettings &Settings = {})
      : Port(Port), MayHold(std::move(MayHold)), Chains(Port, Settings) {
    Joined.begin(nullptr);
  }
  ~Chained() override;

  /// Takes a copy, a fill, or a launch of a pdl variant that may be held, with
  /// a copy of its arguments. False: the caller makes it now; nothing is held
  /// then.
  Result<bool> gather(const GpuWork &What);

  /// Records the event, which measures no time, behind what is held of the
  /// stream. False: nothing is; the caller records it.
  bool holdRecord(void *Event, void *Stream);
  /// Whether the stream is behind the event from here on though it is given no
  /// wait for it.
  bool holdWait(void *Stream, void *Event);
  /// Somebody rests on the event: where its record is held, what it stands for
  /// goes, and nothing with it that came later.
  Status submitFor(void *Event);
  /// The event goes away.
  void forgetEvent(void *Event);
  /// The stream is to wait for another next: what is held in front of that
  /// goes, and no more.
  Status submitBefore(void *Stream);
  /// An event that measures time is recorded on the stream next.
  Status submitForTime(void *Stream);
  /// What the program has made, and what it gives streams beside this. Streams
  /// that are given something hold nothing back.
  JoinedStreams &streams() { return Joined; }

  Status submit(Task Next) override;
  /// Submits what is held.
  Status drain() override;
  Status submitHeld() override;
  bool plain() const override { return true; }
  bool takesStreams() const override { return true; }
  /// Also while a stream waits for no event yet that it is to wait for.
  bool gathers() const override { return holds() || Joined.owes(); }
  void relateBy(WorkRelations *By) override {
    Chains.relateBy(By);
    WaitsToTry = By ? FirstWaits : 0;
    MayJoin = By;
    Joined.strangeAnywhere();
  }
  void forgetStream(void *Stream) override;
  void letMemoryGo() override { Chains.letMemoryGo(); }
  void waited(std::chrono::nanoseconds Idle) override;

  void forgetKernels() override;
  std::string account() const override;

  /// The first chain after a fence; then four times as many.
  static constexpr size_t FirstChain = 8;
  /// So many are submitted at once when the device has work for long; more, up
  /// to twice as many, where the works then begin from the start again.
  static constexpr size_t Steady = 32;
  /// What a launch takes the host, and one that goes by a chain does not.
  static constexpr std::chrono::nanoseconds LaunchTime{6000};
  /// Whether launches are held is not changed back more often than after so
  /// many waits.
  static constexpr unsigned MostWaits = 64;
  /// For so many waits long runs are held at first though the host has the time
  /// to launch one by one: they may be faster as chains by block.
  static constexpr unsigned FirstWaits = 6;
  /// Streams are joined no more when so often in a row others than home were
  /// left with works that home was not behind, or so many works had no chain.
  static constexpr unsigned MostLoose = 8;
  static constexpr size_t MostAlone = 1024;
  /// Runs from fence to fence of so few works are short.
  static constexpr size_t ShortRun = 4;

private:
  /// In a run of more than FirstChain works the clock is looked at once for so
  /// many.
  static constexpr size_t Glance = 8;

  /// Two works in a row, between which long chains end.
  struct Seam {
    NodeKind Last, First;
    bool operator==(const Seam &) const = default;
  };

  /// An event that is to be recorded when so many of Works have gone.
  struct Mark {
    void *Event = nullptr;
    size_t Works = 0;
    void *Stream = nullptr;
    JoinedStreams::Works Behind = 0; ///< Of those that are held.
  };
  using Marks = std::vector<Mark>;

  bool holds() const { return Sent != Works.size(); }
  std::span<const HeldWork> held() const;
  Marks::iterator markOf(void *Event);
  bool isSpare(std::chrono::nanoseconds Idle) const;
  bool holdsAnyway();
  void beginStretch(const GpuWork &First);
  bool goesStraight();
  HoldGain gain() const;
  void endStretch();
  bool goesOn(const GpuWork &Next) const;
  Status changeStream(void *To);
  Status goOn(const GpuWork &Next);
  void add(const GpuWork &What);
  Status submitHeld(std::span<const HeldWork> These);
  Status recordOwn();
  Status putBehind(const std::vector<void *> &Streams);
  void beginRun(const GpuWork &First);
  void endRun();
  bool goesAtOnce() const;
  void noteGone();
  bool takeAside();
  Status letGo();
  bool isFull(bool AsExpected) const;
  bool comesAround(const GpuWork &Next);
  Status flush() { return flushTo(Works.size()); }
  Status flushTo(size_t End);
  Status record();
  bool cameWithoutPause() const;
  Status flushRun();
  void forgetWorks();
  std::string accountOfForms() const;
  std::string accountOfOthers() const;

  GpuPort &Port;
  const std::function<bool()> MayHold;
  /// Those that are held, behind those of the same run that have been sent.
  HeldWorks Works;
  size_t Sent = 0;
  bool IsWholeRun = true; ///< Works has all of the run.
  /// When the first work of the run came, and when the last one came at which
  /// the clock was looked at.
  std::chrono::steady_clock::time_point RunBegan, LastCame;
  ExpectedRuns Expected;
  size_t Limit = FirstChain; ///< So many are submitted, or somewhat more.
  JoinedStreams Joined;
  bool MayJoin = false;
  unsigned Loose = 0;  ///< Of chains of joined streams, see MostLoose.
  size_t Alone = 0;    ///< Their works without a chain, but for those with.
  size_t ByJoined = 0; ///< Works in chains of joined streams.
  void *LastEvent = nullptr; ///< That was recorded behind what has just gone.
  void *OwnEvent = nullptr;  ///< Null: none was needed yet.
  size_t SinceChange = 0;    ///< Works in a row since another stream's.
  size_t SinceFence = 0;     ///< Works.
  /// By the kind of its first work: so many of the last runs from fence to
  /// fence were short.
  std::map<NodeKind, unsigned> ShortRuns;
  unsigned *ShortBefore = nullptr; ///< Of these, that of the run under way.
  NodeKind Before;                 ///< The last one that was submitted.
  Seam End; ///< Of long chains; empty: the program has not repeated itself.
  bool Spare = false;         ///< The host has time: nothing is held.
  unsigned SpareWaits = 0;    ///< In a row that say so, while Spare does not.
  unsigned WaitsForSpare = 1; ///< So many have to.
  unsigned WaitsToTry = 0;    ///< So many more whatever they say.
  size_t SinceWait = 0;       ///< Works.
  /// Of the stretch since then: nothing is held.
  bool Straight = false;
  std::chrono::steady_clock::time_point StretchBegan;
  HoldChoices Choices;
  size_t SubmittedBefore = 0, CostBefore = 0; ///< By the chains.
  size_t UnsureBefore = 0;                    ///< See gain().
  size_t ByChain = 0;  ///< Of these, those that went by a chain.
  size_t All = 0;      ///< Works, ever.
  size_t FromHost = 0; ///< Copies that were held, of the host's memory.
  Marks Recorded;      ///< Those that are held, in order; each event once.
  size_t Records = 0, Waits = 0; ///< Of events, that were held or needless.
  ChainMemory Chains;
  StagingPages Staged{Port, Chains.maker()};
};

} // namespace blockmaestro

#endif
