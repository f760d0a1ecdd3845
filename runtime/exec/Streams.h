// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches, copies and fills of one stream of the program, spread
// over several: a work waits for those in front that touch what it touches, and
// for no others.
// On the data's way: an Executor on a GpuPort; asks WorkRelations what meets.
// Invariants:
//  - Each work goes to the device at once.
//  - A work is related to the last Window works of its stream at least; it is
//    behind all older ones, behind all that came before the last fence, and
//    behind every work that keeps its place.
//  - Behind a fence, what the program's stream is given next is behind all.
//  - From one wait of the host to the next all keep their order where that has
//    been faster (SpreadChoice.h).
//  - Between works of the default stream and of another there is a fence: each
//    of the two waits for the other, and side streams for neither.
// Ownership: the port and the relations outlive it. Threads: one caller at a
// time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_STREAMS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_STREAMS_H

#include "Executor.h"
#include "GpuPort.h"
#include "KnownWorks.h"
#include "SideStreams.h"
#include "SpreadChoice.h"
#include "StreamLanes.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

class Streams final : public Executor {
public:
  /// When works are spread that may be.
  enum class Policy : uint8_t { WhereFaster, Always };

  /// Over \p Lanes streams, of which one is the program's, where \p MaySpread
  /// says so.
  Streams(GpuPort &Port, size_t Lanes, size_t Window,
          std::function<bool(void *Stream)> MaySpread,
          Policy When = Policy::Always)
      : Port(Port), Sides(Port), MostLanes(Lanes), Window(Window),
        MaySpread(std::move(MaySpread)), When(When) {}

  /// Gives the device a launch of a kernel as the program has it, a copy or a
  /// fill, behind what it needs.
  Status run(const GpuWork &What);

  Status submit(Task Next) override;
  Status drain() override;
  /// What is beside comes in front of what its stream is given next.
  Status submitHeld() override;
  bool plain() const override { return true; }
  bool takesStreams() const override { return true; }
  bool gathers() const override;
  bool mindsFences() const override;
  const char *fenceText() const override { return "streams were joined for "; }
  bool relatesAtOnce() const override { return true; }
  void relateBy(WorkRelations *By) override { Relations = By; }
  void waited(std::chrono::nanoseconds) override;
  void forgetStream(void *Stream) override;
  void forgetKernels() override;
  std::string account() const override;

  /// Works of so many streams of the program are spread.
  static constexpr size_t MostStreams = 64;

private:
  struct WorkInFlight {
    StreamLanes::Place Where;
    KnownWork *What = nullptr;
  };
  /// A stream of the program.
  struct ProgramStream {
    ProgramStream(Streams &Of, void *Own)
        : Lanes(Of.Port, Of.Sides, Own, Of.MostLanes) {}
    StreamLanes Lanes;
    std::vector<WorkInFlight> InFlight; ///< Oldest first.
  };

  ProgramStream *find(void *Stream);
  Status goTo(void *Stream);
  Status give(GpuWork What, void *Stream);
  Status runAlone(const GpuWork &What);
  Status spread(const GpuWork &What, KnownWork &Mine, ProgramStream &On);
  void findNeeds(KnownWork &Mine, ProgramStream &On);
  Status moveWindow(ProgramStream &On);
  void noteUse(ProgramStream &On);
  Status fenceStream(ProgramStream &On);
  void beginStretch(const GpuWork &First);
  StreamLanes::Counts counts() const;
  static void add(StreamLanes::Counts &To, const StreamLanes::Counts &More);

  GpuPort &Port;
  SideStreams Sides;
  const size_t MostLanes;
  const size_t Window;
  const std::function<bool(void *)> MaySpread;
  const Policy When;
  WorkRelations *Relations = nullptr;
  KnownWorks Works;
  std::map<void *, std::unique_ptr<ProgramStream>> ByStream;
  void *Last = nullptr; ///< The stream of the last work.
  /// Of the work that is being placed; kept for its memory.
  std::vector<const StreamLanes::Place *> Needs;
  /// Of the stretch since the host has last waited.
  bool Spreads = true;
  size_t SinceWait = 0; ///< Works.
  uint64_t BesideBefore = 0;
  std::chrono::steady_clock::time_point StretchBegan;
  SpreadChoices Choices;
  uint64_t All = 0;         ///< Works, ever.
  uint64_t InOrder = 0;     ///< Works that could have been spread.
  uint64_t Joined = 0;      ///< Fences with works beside.
  StreamLanes::Counts Gone; ///< Of streams that have gone away.
  size_t MostSeen = 1;      ///< Lanes of one.
};

} // namespace blockmaestro

#endif
