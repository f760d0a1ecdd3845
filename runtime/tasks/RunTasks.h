// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: running a finished graph on the device of the process.
// On the data's way: TaskGraph -> here -> on a GPU one copy and one launch of
// workers; on the emulated device launches of one level each, by its executor
// (LeveledTasks.h), or, where BLOCKMAESTRO_QUEUE is set, workers as well.
// Invariants: stands above the CUDA runtime API of libblockmaestro and calls
// it as a program does, but for Runtime::runTasks and placeOfTasks.
// Ownership: owns memory of the device, which it keeps for the next graph. The
// graph outlives the run, which ends with wait().
// Threads: one caller at a time. Behind expect() a thread of its own asks a GPU
// for what takes long the first time: the code of workers, memory, and memory
// of the host that the GPU may read.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_RUNTASKS_H
#define BLOCKMAESTRO_RUNTIME_TASKS_RUNTASKS_H

#include "LeveledTasks.h"
#include "TaskGraph.h"
#include "TaskImage.h"
#include "WorkerLoad.h"
#include "blockmaestro/Status.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace blockmaestro {

/// The kernels that run tasks; both take Leading first, and then a pointer to
/// a list of DeviceTask, or a TaskWork.
struct TaskCode {
  const void *Blocks = nullptr;
  const void *Workers = nullptr;
  std::vector<void *> Leading; ///< Pointers to arguments.
  unsigned Threads = 0;        ///< Of a block.
  size_t SharedBytes = 0;      ///< Dynamic.
  /// What the program calls memory of the device; asked for by checks.
  std::function<std::vector<NamedMemory>()> Names = {};
};

class TaskRun {
public:
  TaskRun() = default;
  TaskRun(const TaskRun &) = delete;
  TaskRun &operator=(const TaskRun &) = delete;
  /// Waits.
  ~TaskRun();

  /// A graph for this code is to come; may be said more than once.
  void expect(const TaskCode &Code);
  /// What expect() has begun is done, or given up.
  void endPreparation();
  /// Gives the graph to the device, behind what the stream has; the caller goes
  /// on as soon as the device need not ask the host any more.
  Status start(const TaskGraph &Graph, const TaskCode &Code,
               cudaStream_t Stream);
  /// Returns when it is done, with what went wrong.
  Status wait();
  /// Of the last run, which is done.
  WorkerLoad load() const;

private:
  Status runLevels(class Runtime &Front, const TaskPlace &Place,
                   const TaskCode &Code);
  Status runWorkers(const TaskPlace &Place, const TaskCode &Code);
  /// What workers have been given, as long as the same comes again.
  struct Placed {
    uint64_t Version = 0; ///< Of the graph; 0: nothing is there.
    const void *Kernel = nullptr;
    unsigned Threads = 0;
    size_t SharedBytes = 0;
    TaskQueue Queue = TaskQueue::Tickets;

    bool operator==(const Placed &) const = default;
  };
  /// The code of workers on a device.
  struct PlacedCode {
    int Device = -1;
    const void *Kernel = nullptr;
    unsigned Threads = 0;
    size_t SharedBytes = 0;

    PlacedCode() = default;
    PlacedCode(int Device, const TaskCode &Of)
        : Device(Device), Kernel(Of.Workers), Threads(Of.Threads),
          SharedBytes(Of.SharedBytes) {}
    bool operator==(const PlacedCode &) const = default;
  };
  Status makeReady(const PlacedCode &Code);
  void prepare(const PlacedCode &Code);
  Status upload(const TaskImage &What);
  Status uploadPart(TaskImage::Part What);
  Status uploadEntries(const TaskImage &What);
  Status placeWorkers(const TaskPlace &Place, const TaskCode &Code,
                      const Placed &Wanted);
  Status placeAgain();
  Status reserveStaging(size_t Bytes);
  Status reserve(size_t Bytes);
  void makeReport(const TaskPlace &Place);
  Status launchWorkers(const TaskPlace &Place, const TaskCode &Code);
  std::string stuckText() const;
  std::string kindsText() const;
  Status failed(const Status &How) const;
  std::string nodeText(uint32_t Node) const;

  PlacedCode Expected;              ///< By Preparation.
  std::thread Preparation;          ///< Has all below while it runs.
  PlacedCode Ready;                 ///< Of which it is known how much fits.
  uint32_t Resident = 0;            ///< So many workers of it.
  const TaskGraph *Graph = nullptr; ///< Of the run, until wait().
  cudaStream_t Stream = nullptr;
  Placed There;
  uint64_t DataThere = 0;                 ///< TaskGraph::dataVersion().
  std::unique_ptr<const TaskImage> Image; ///< Of what is there.
  TaskWork Work = {};                     ///< The same, for workers.
  uint32_t Workers = 0;
  /// In memory of the host that the device may use: the report of workers, and
  /// behind it, in Staging, the image. Both or none are there.
  TaskReport *Report = nullptr;
  std::byte *Staging = nullptr;
  size_t StagingBytes = 0;
  void *Memory = nullptr;
  size_t Reserved = 0;
};

} // namespace blockmaestro

#endif
