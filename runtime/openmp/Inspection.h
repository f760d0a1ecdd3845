// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a region whose tasks are being recorded, and its memory.
// On the data's way: inspection functions, by the calls of TaskInterface.h ->
// here -> TaskGraph -> TaskPort.
//
// Note [When tasks run]
// Tasks are pending until the region ends, or the region looks at what they may
// have written: flush(). It may do so only behind a wait of its own; programs
// without a race look at nothing before that a pending task changes, and change
// nothing that one looks at. So before a wait memory of the device is read and
// written as it is. After one, Synced is set, and memory of the device, and
// variables that a pending task may reach, are touched behind a flush.
// To flush is allowed at any time: tasks may run as soon as they are there.
//
// Note [Copies of shared variables]
// A task that only reads a variable of the region gets its value at the task's
// creation, if no pending task reaches the variable and so could change it
// before: tasks created later either come behind, or race. Else the task reads
// the variable itself.
//
// Note [Regions that come again]
// An inspection function decides by its arguments and by what it reads. If it
// changed nothing but its own variables, and all tasks ran at its end, then all
// that it read was as it was before: as long as arguments and reads are the
// same, so are the tasks, and it is not called. Its variables are then where
// they were; those that tasks reach, and may have changed, are brought to the
// device again as they were before the tasks ran.
//
// Note [Inferred dependences]
// A task without depend clauses, in a file that says what tasks touch, declares
// what it is going to touch. That is evaluated when it is created, with the
// values of its record and of variables that it reads (SharedCopy); where such
// a variable stays where it is, as a pending task may write it, those run
// before, and the task declares to read the variable. What is not known is
// everything. How far memory reaches around pointers counts as read.
//
// Order of use: begin(), calls, end(); again. Ownership: keeps memory of host
// and device from region to region. Threads: one at a time.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_INSPECTION_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_INSPECTION_H

#include "DeviceView.h"
#include "LocalMemory.h"
#include "LoopChunks.h"
#include "RegionCall.h"
#include "TaskRecords.h"
#include "TouchedRanges.h"

#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace blockmaestro::openmp {

/// What became of a region's tasks. Times are in microseconds.
struct InspectionCounts {
  uint64_t Tasks = 0;
  uint64_t Edges = 0;
  uint64_t Flushes = 0; ///< Times that tasks ran.
  bool Again = false;   ///< Known, and so not inspected.
  double Inspect = 0;   ///< Until all tasks were recorded.
  double Prepare = 0;   ///< Until the device had the graph.
  double Run = 0;
};

/// Two arrays of Dependence, as clang's calls have them; they may lie in
/// variables of the region.
struct DependenceLists {
  int32_t Count = 0;
  const void *First = nullptr;
  int32_t MoreCount = 0;
  const void *More = nullptr;
};

class Inspection {
public:
  explicit Inspection(TaskPort &Port)
      : Port(Port), View(Port), Local(Port.memory()) {}

  /// Before the first run: so that this one finds memory of the host there.
  void bringMemory() { Graph.bringMemory(); }
  InspectionCounts run(const RegionCall &Call);
  /// What was run last.
  const RegionCall &last() const { return Last; }
  /// Of the table that is there no longer.
  void forget() {
    Last = {};
    Named = nullptr;
  }
  /// What comes before and after the inspection function, where it is not
  /// run() that calls it.
  void begin(const TaskTable &Table, unsigned Threads);
  InspectionCounts end();

  void *newTask(uint32_t Kind, uint64_t TaskBytes, uint64_t SharedsBytes);
  void addTask(void *Record, const DependenceLists &Behind);
  void addUndeferred(void *Record);
  void addLoop(void *Record, bool Deferred, const uint64_t *LowerAt,
               const uint64_t *UpperAt, int64_t Step, LoopSchedule Schedule,
               uint64_t Size);
  void waitAll();
  void waitFor(const DependenceLists &Behind);
  void beginGroup();
  void endGroup();

  void *newLocal(uint64_t Bytes);
  void endLocals(void *First);

  void load(void *Value, const void *From, size_t Bytes) {
    const auto Where = reinterpret_cast<uint64_t>(From);
    if (const std::byte *Own = Local.mirror(Where, Bytes)) {
      touchLocal(Where, Bytes);
      std::memcpy(Value, Own, Bytes);
      return;
    }
    const std::byte *Known = Synced ? nullptr : View.find(Where, Bytes);
    if (!Known)
      return loadElsewhere(Value, Where, Bytes);
    std::memcpy(Value, Known, Bytes);
    Reads.note(Where, Known, Bytes);
  }
  void store(void *To, const void *Value, size_t Bytes);
  void copy(void *To, const void *From, size_t Bytes);
  void fill(void *To, int32_t Value, size_t Bytes);

private:
  using Clock = std::chrono::steady_clock;

  void open(const TaskTable &Table, unsigned Threads);
  bool comesAgain(const RegionCall &Call);
  void check(const Status &Done);
  void flush(bool Last);
  bool isPending() const { return Pending != 0; }
  void keepBounded();
  void touchDevice();
  void touchLocal(uint64_t Where, size_t Bytes);
  bool isHost(uint64_t Where);
  void loadElsewhere(void *Value, uint64_t From, size_t Bytes);
  void tellDevice(uint64_t To, const void *From, size_t Bytes);

  const TaskKind &kindOf(const void *Record) const;
  bool infer(void *Record, const TaskKind &Of);
  void readVariables(void *Record, const TaskKind &Of,
                     std::vector<std::byte> &Known);
  void dependOn(uint32_t Task, bool OnAll);
  DeviceRange rangeAround(DeviceAddress Where) const;
  DeviceRange noteRangeAround(DeviceAddress Where);
  bool rangesHold() const;
  bool mayBeWritten(DeviceAddress Where) const;
  void placeShareds(void *Record, const TaskKind &Of);
  bool copyShareds(void *Record, const TaskKind &Of);
  uint32_t append(const void *Record, const TaskKind &Of);
  const Dependence *listAt(const void *List, int32_t Count);
  bool readRanges(const DependenceLists &From);

  TaskPort &Port;
  DeviceView View;
  LocalMemory Local;
  TaskRecords Records;
  TaskGraph Graph;
  RegionCall Last;
  InspectionReads Reads;                ///< Of the last call.
  std::vector<TaskGraph::Range> Ranges; ///< Kept for its memory.
  std::vector<std::byte> Bounce;        ///< The same.
  std::vector<uint64_t> Pointers;       ///< The same.

  /// Of the table; nothing where tasks are ordered by their clauses alone.
  std::optional<TouchedRanges> Touched;
  /// What pending tasks write, by where the memory around it begins.
  std::set<DeviceAddress> Written;
  bool AnyWritten = false; ///< They may write anything.
  /// Memory that inferred dependences rest on, by where it begins: its size.
  std::map<DeviceAddress, uint64_t> RangesRead;

  const TaskTable *Table = nullptr;
  const TaskTable *Named = nullptr; ///< Whose kinds the graph has names of.
  TaskKernels Kernels;
  InspectionCounts Counts;
  size_t Pending = 0; ///< Tasks that have not run.
  size_t PendingBytes = 0;
  size_t Groups = 0;   ///< Open ones.
  bool Synced = false; ///< There are tasks, and the region has waited.
  uint64_t StackEnd = 0;
  Clock::time_point Begin;
  double Elsewhere = 0; ///< Of the time since Begin: not inspection.
};

} // namespace blockmaestro::openmp

#endif
