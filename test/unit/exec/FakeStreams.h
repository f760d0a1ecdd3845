// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a GPU with several streams. What they have been given runs in any
// order that streams and events allow, several works at a time, when the host
// waits. The default stream and those of the program wait for each other; those
// that the executor makes wait for nobody.
// Works are known by a number: of a launch the first argument, of copies and
// fills the number of their bytes.

#ifndef BLOCKMAESTRO_TEST_UNIT_EXEC_FAKESTREAMS_H
#define BLOCKMAESTRO_TEST_UNIT_EXEC_FAKESTREAMS_H

#include "FakeGpu.h"

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace blockmaestro {

class FakeStreams : public FakeGpu {
public:
  explicit FakeStreams(uint64_t Seed)
      : FakeGpu(Seed), Random(Seed), Policy(Seed % 4) {}

  /// A work is under way from the first to the second.
  std::function<void(int Number)> Begin, End;

  Status launch(const GpuLaunch &What) override;
  Status copy(const GpuCopy &What) override;
  Status fill(const GpuFill &What) override;
  Result<int> priorityOf(void *Stream) override { return Priorities[Stream]; }
  Result<void *> makeStream(int Priority) override;
  void releaseStream(void *Stream) override;
  Result<void *> makeEvent() override;
  void releaseEvent(void *Event) override;
  Status record(void *Event, void *Stream) override;
  bool hasPassed(void *) override { return false; }
  Status comeBehind(void *Stream, void *Event) override;
  /// Runs all that was given.
  Status synchronize(void *) override;

  /// A graph's works are behind all that its stream was given before, and of
  /// each other those that its order has.
  Status launchChain(void *Chain, void *Stream) override;

  /// The program gives its stream something beside the executor.
  void give(void *Stream, int Number);

  /// Where works have gone, in the order given.
  struct Given {
    int Number;
    void *Stream;
  };
  std::vector<Given> Works;
  std::map<void *, int> Priorities; ///< Of the program's streams.
  int LastPriority = 0;             ///< Of a stream that was made.
  unsigned StreamsMade = 0, EventsMade = 0, Records = 0, Waits = 0;
  size_t streamsAlive() const { return Sides.size(); }
  size_t eventsAlive() const { return Events.size(); }
  /// No more than so many streams and events can be had.
  unsigned MostStreams = 1000, MostEvents = 1000;
  /// One wait is forgotten: a broken executor.
  std::optional<unsigned> ForgottenWait;
  /// The number of the work that cannot be launched.
  int Failing = -1;

private:
  struct Operation {
    enum { Work, Record, Wait } Kind = Work;
    void *Stream = nullptr;
    int Number = 0;
    size_t Behind = 0;           ///< The record that is waited for.
    unsigned Graph = 0;          ///< 0: none.
    std::vector<size_t> InGraph; ///< What it is behind in that.
    bool Begun = false, Done = false;
  };
  bool isSide(void *Stream) const { return Sides.count(Stream) != 0; }
  bool isInFront(size_t First, size_t Second) const;
  bool mayBegin(size_t Index) const;
  bool step();

  std::mt19937_64 Random;
  const uint64_t Policy;
  unsigned Graphs = 0; ///< That were launched.
  std::vector<Operation> Operations;
  size_t FirstOpen = 0; ///< All in front of it are done.
  std::set<void *> Sides, SidesEver;
  std::map<void *, std::optional<size_t>> Events; ///< As last recorded.
  uintptr_t Names = 0x1000;
};

} // namespace blockmaestro

#endif
