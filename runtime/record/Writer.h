// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: streams one run of a program to a recording file.
// On the data's way: filled by runtime/cuda (launches, copies, relations,
// barriers), by the executors (blocks), by the emulated device (warps) and by
// the check (observations); read back by Reader.h. Bytes: docs/recording.md.
// Invariants:
//  - A launch or copy and all of its relations go into one chunk, so that a
//    file cut off anywhere never has one without what it waits for.
//  - The chunk of a block, and that of its warps, comes after its launch's.
//  - The file is complete only after close(); whatever was flushed before is
//    readable without it.
//  - What is held in memory is bounded, however long the run, but for a few
//    bytes for each thread that asks for something.
//  - A forked process that records anything, and only such a one, goes on in a
//    file of its own, which begins with what its parent had recorded.
//  - The first write error stops all writing and is returned by close().
// Threads: every member may be called from any thread; one lock. launch() and
// copy() are called in issue order, launch() before the first block of it.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_WRITER_H
#define BLOCKMAESTRO_RUNTIME_RECORD_WRITER_H

#include "blockmaestro/EventSink.h"
#include "blockmaestro/Recording.h"
#include "blockmaestro/Status.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

/// What is known of a run before its first launch.
struct RecordingInfo {
  std::string Program;
  std::string Device;
  std::string Executor;
  uint32_t Window = 0;
  bool Costs = true; ///< Blocks are counted.
  /// Warps of every so many blocks of a launch are traced; 0: none.
  uint32_t WarpsOneIn = 0;
};

class RecordingWriter final : public EventSink {
public:
  /// What a recording is to be named in a process forked from this one.
  using ChildName = std::function<std::string()>;

  /// Creates the file, see RecordingFile.h, and writes its first chunk.
  static Result<std::unique_ptr<RecordingWriter>>
  open(const std::string &Path, const RecordingInfo &Info,
       ChildName NameOfChild = {});

  /// Leaves the file unfinished beside its name when close() was not called.
  ~RecordingWriter() override;
  RecordingWriter(const RecordingWriter &) = delete;
  RecordingWriter &operator=(const RecordingWriter &) = delete;

  /// The next launch, with every relation whose Consumer it is, to copies too;
  /// independent ones are left out.
  void launch(const RecordedLaunch &What,
              const std::vector<RecordedRelation> &Needs);

  /// The next copy, fill or access of the host, with every relation whose
  /// Consumer it is. Before is known here and need not be set.
  void copy(const RecordedCopy &What,
            const std::vector<RecordedRelation> &Needs);

  /// What a check saw of two launches that have been recorded. At most once
  /// for each pair.
  void observe(const RecordedObservation &What);

  /// Everything launched so far completes before all that comes; the host waits
  /// for that, or not. Flushes. What names the call ("cudaMemcpy"). Of several
  /// in a row, without a launch between, the first counts, and the first at
  /// which the host waits.
  void barrier(const std::string &What, bool HostWaits = true,
               const HostTime &Asked = {});

  /// The host has waited for so many launches and copies, the first ones, or
  /// more. Left out where the thread has waited for them before.
  void wait(const std::string &What, uint64_t Until,
            const HostTime &Asked = {});

  bool wantsCosts() const override;
  void blockRan(const Event &What, const BlockCost *Cost) override;
  uint32_t warpsOneIn() const override;
  void warpsRan(const BlockTrace &What) override;

  /// Writes out what is buffered; returns the first failure so far.
  Status flush();

  /// Where the file is, when that is not the name that was asked for: another
  /// process had it. Else empty.
  std::string otherPath() const;

  /// Flushes, writes the end mark, gives the file its name. Later calls do
  /// nothing and return the same Status.
  Status close();

private:
  struct State;
  explicit RecordingWriter(std::unique_ptr<State> Inside);
  std::unique_ptr<State> Inside;
};

} // namespace blockmaestro

#endif
