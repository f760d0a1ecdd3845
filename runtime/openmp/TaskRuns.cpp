// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskRuns.h"

#include "Offloading.h"
#include "Process.h"
#include "RegionLaunch.h"
#include "RegionReport.h"
#include "RunTasks.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <thread>

#include <cuda_runtime_api.h>

namespace blockmaestro::openmp {
namespace {

std::vector<NamedMemory> namedMemory() {
  std::vector<NamedMemory> Out;
  offloading().Data.eachNamed(
      [&](DeviceAddress Begin, uint64_t Bytes, const std::string &Name) {
        Out.push_back({Begin, Bytes, Name});
      });
  return Out;
}

class CudaTaskPort final : public TaskPort {
public:
  DeviceMemory &memory() override { return offloading().Memory; }

  void expect(const TaskKernels &Kernels) override {
    Run.expect(codeOf(Kernels));
  }
  void endPreparation() { Run.endPreparation(); }
  WorkerLoad load() const { return Run.load(); }

  Status start(const TaskGraph &Graph, const TaskKernels &Kernels) override {
    return Run.start(Graph, codeOf(Kernels), nullptr);
  }

  Status wait() override { return Run.wait(); }

  DeviceRange rangeAround(DeviceAddress Of) override {
    return offloading().Data.rangeAround(Of);
  }

  bool isOnDevice(uint64_t Of) override {
    if (rangeAround(Of).Bytes != 0)
      return true;
    cudaPointerAttributes Known = {};
    if (cudaPointerGetAttributes(&Known, reinterpret_cast<const void *>(Of)) !=
        cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    return Known.type == cudaMemoryTypeDevice ||
           Known.type == cudaMemoryTypeManaged;
  }

  unsigned processors() override { return processorCount(); }

  void fail(const std::string &Why) override { endProgram(Where, Why); }

  const CallLocation *Where = nullptr; ///< Of the region.

private:
  static TaskCode codeOf(const TaskKernels &Kernels) {
    return {Kernels.Blocks, Kernels.Workers, {}, Kernels.Threads, 0,
            namedMemory};
  }

  TaskRun Run;
};

struct PooledInspection {
  CudaTaskPort Port;
  Inspection Of{Port};
  /// It has run nothing yet, and is for the first region of the table.
  const TaskTable *PreparedFor = nullptr;

  PooledInspection() = default;
  ~PooledInspection() { endBringing(); }

  void prepare(const TaskTable &For) {
    PreparedFor = &For;
    Port.expect({For.Blocks, For.Workers, For.Threads});
    try {
      Bringing = std::thread([this] { Of.bringMemory(); });
    } catch (const std::system_error &) {
      return; // It comes as it is used.
    }
  }
  /// The inspection is to be used; the device may still be asked.
  void endBringing() {
    if (Bringing.joinable())
      Bringing.join();
  }
  void endPreparation() {
    endBringing();
    Port.endPreparation();
  }

private:
  std::thread Bringing; ///< Has Of while it runs.
};

/// See Note [Which inspection]. Never destroyed, since static destructors may
/// offload.
class InspectionPool {
public:
  std::unique_ptr<PooledInspection> take(const RegionCall &For) {
    std::lock_guard<std::mutex> Held(Lock);
    auto Found =
        std::find_if(Free.rbegin(), Free.rend(),
                     [&](const auto &Each) { return Each->Of.last() == For; });
    if (Found == Free.rend() && !Gone.remove(For))
      Found = std::find_if(Free.rbegin(), Free.rend(), [&](const auto &Each) {
        return Each->Of.last().Inspect == For.Inspect;
      });
    if (Found == Free.rend())
      Found = std::find_if(Free.rbegin(), Free.rend(), [&](const auto &Each) {
        return Each->PreparedFor == For.Table;
      });
    if (Found == Free.rend())
      return std::make_unique<PooledInspection>();
    std::unique_ptr<PooledInspection> Out = std::move(*Found);
    Free.erase(std::prev(Found.base()));
    Out->endBringing();
    if (!std::exchange(Out->PreparedFor, nullptr) && !(Out->Of.last() == For))
      Gone.add(Out->Of.last());
    return Out;
  }

  /// One for the first region of the table.
  void prepare(const TaskTable &Table) {
    auto Made = std::make_unique<PooledInspection>();
    Made->prepare(Table);
    give(std::move(Made));
  }

  void endPreparations() {
    std::lock_guard<std::mutex> Held(Lock);
    for (const auto &Each : Free)
      Each->endPreparation();
  }

  void give(std::unique_ptr<PooledInspection> Done) {
    std::unique_ptr<PooledInspection> Oldest;
    std::lock_guard<std::mutex> Held(Lock);
    Free.push_back(std::move(Done));
    if (Free.size() <= MostFree)
      return;
    Oldest = std::move(Free.front());
    Free.erase(Free.begin());
  }

  void forget(const TaskTable &Table) {
    std::lock_guard<std::mutex> Held(Lock);
    for (const auto &Each : Free) {
      if (Each->Of.last().Table == &Table)
        Each->Of.forget();
      // Its memory stays: the process may have come to its end.
      if (Each->PreparedFor == &Table) {
        Each->endPreparation();
        Each->PreparedFor = nullptr;
      }
    }
    Gone = {};
  }

private:
  static constexpr size_t MostFree = 16;

  std::mutex Lock;
  std::vector<std::unique_ptr<PooledInspection>> Free; ///< As they came back.
  RecentCalls Gone; ///< Those that another call has taken the inspection of.
};

InspectionPool &inspectionPool() {
  static auto *Only = new InspectionPool;
  return *Only;
}

/// A program of many files rarely runs the tasks of all of them.
constexpr size_t MostPrepared = 4;

/// Whether it is known what the first region of the table is going to need.
bool isPreparable(const TaskTable &Of) {
  return Of.Threads != 0 &&
         std::any_of(Of.Regions, Of.Regions + Of.RegionCount,
                     [](const TaskRegion &Each) { return Each.Inspect; });
}

/// Asked for by each call; the model spares these a call of their own.
__attribute__((tls_model("initial-exec"))) thread_local Inspection *Current =
    nullptr;

void report(const std::string &Name, const InspectionCounts &Of,
            CudaTaskPort &Port) {
  const Runtime *Front = runtimeIfOpen();
  if (!Front || Front->taskReport().empty())
    return;
  if (Status Done =
          addReport(Front->taskReport(), reportLine(Name, Of, Port.load()));
      !Done.ok())
    Port.fail(Done.message());
}

} // namespace

TaskRegions &taskRegions() {
  static auto *Only = new TaskRegions;
  return *Only;
}

void prepareTasks() {
  size_t Prepared = 0;
  for (const TaskTable *Each : taskRegions().takeNew()) {
    if (!isPreparable(*Each) || Prepared == MostPrepared)
      continue;
    // Before CUDA's own, which come first as the device has been asked for.
    [[maybe_unused]] static const int AtEnd =
        std::atexit([] { inspectionPool().endPreparations(); });
    inspectionPool().prepare(*Each);
    ++Prepared;
  }
}

void runTasks(const CallLocation *Where, const KnownTaskRegion &Region,
              const std::string &Name, unsigned Threads,
              const std::vector<uint64_t> &Arguments) {
  const RegionCall Call = {Region.In, Region.Region->Inspect, Threads,
                           Arguments};
  std::unique_ptr<PooledInspection> Mine = inspectionPool().take(Call);
  Mine->Port.Where = Where;
  Inspection *Outer = std::exchange(Current, &Mine->Of);
  const InspectionCounts Counts = Mine->Of.run(Call);
  Current = Outer;
  (void)Mine->Port.wait(); // Where there were no tasks.
  report(Name, Counts, Mine->Port);
  inspectionPool().give(std::move(Mine));
}

void forgetInspections(const TaskTable &Table) {
  inspectionPool().forget(Table);
}

Inspection &currentInspection() {
  if (!Current)
    endProgram(nullptr, "a task of a region was made outside of it");
  return *Current;
}

} // namespace blockmaestro::openmp
