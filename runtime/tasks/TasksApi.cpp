// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of blockmaestro/tasks.h.

#include "blockmaestro/tasks.h"

#include "RunTasks.h"

#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

using namespace blockmaestro;

/// Arguments of kernels are at most so well aligned.
struct alignas(16) ArgumentChunk {
  std::byte Bytes[16];
};

struct blockmaestro_tasks {
  TaskCode Code;
  std::vector<ArgumentChunk> App;
  TaskGraph Graph;
  TaskRun Run; ///< Goes before the graph.
  bool Running = false;
  std::string Error;
};

static constexpr unsigned MostKinds = 1u << 24;
static constexpr size_t MostRecordBytes = size_t(1) << 31;

/// Runs the body; what goes wrong stays in Of's message.
template <typename Body>
static int guarded(blockmaestro_tasks *Of, Body Run) noexcept {
  if (!Of)
    return BLOCKMAESTRO_TASKS_INVALID;
  try {
    Of->Error.clear();
    return Run();
  } catch (const std::bad_alloc &) {
    return BLOCKMAESTRO_TASKS_NO_MEMORY;
  } catch (const std::exception &) {
    return BLOCKMAESTRO_TASKS_FAILED;
  }
}

static int failed(blockmaestro_tasks *Of, int Result, std::string Why) {
  Of->Error = std::move(Why);
  return Result;
}

static int resultOf(blockmaestro_tasks *Of, const Status &Done) {
  if (Done.ok())
    return BLOCKMAESTRO_TASKS_OK;
  return failed(Of,
                Done.code() == StatusCode::OutOfMemory
                    ? BLOCKMAESTRO_TASKS_NO_MEMORY
                    : BLOCKMAESTRO_TASKS_FAILED,
                Done.message());
}

/// Ends a run that is under way, and begins a new graph behind it.
static int settle(blockmaestro_tasks *Of) {
  if (!Of->Running)
    return BLOCKMAESTRO_TASKS_OK;
  Of->Running = false;
  const Status Done = Of->Run.wait();
  Of->Graph.clear();
  return resultOf(Of, Done);
}

static bool isRange(int How, const void *Address, size_t Bytes) {
  const auto First = reinterpret_cast<uint64_t>(Address);
  return How >= BLOCKMAESTRO_IN && How <= BLOCKMAESTRO_MUTEXINOUTSET &&
         (Bytes == 0 || Bytes - 1 <= UINT64_MAX - First);
}

static constexpr const char *NoRange =
    "the range goes beyond the end of the address space, or its use is none";
static_assert(int(DependKind::In) == BLOCKMAESTRO_IN &&
              int(DependKind::Out) == BLOCKMAESTRO_OUT &&
              int(DependKind::InOutSet) == BLOCKMAESTRO_INOUTSET &&
              int(DependKind::MutexInOutSet) == BLOCKMAESTRO_MUTEXINOUTSET);

extern "C" {

int blockmaestro_tasks_create(blockmaestro_tasks **Tasks,
                              const blockmaestro_task_code *Code) {
  if (!Tasks || !Code || !Code->blocks || !Code->workers ||
      Code->threads == 0 || (Code->app_bytes != 0 && !Code->app))
    return BLOCKMAESTRO_TASKS_INVALID;
  *Tasks = nullptr;
  try {
    auto Made = std::make_unique<blockmaestro_tasks>();
    Made->App.resize(Code->app_bytes / sizeof(ArgumentChunk) + 1);
    if (Code->app_bytes != 0)
      std::memcpy(Made->App.data(), Code->app, Code->app_bytes);
    Made->Code = {
        Code->blocks, Code->workers, {}, Code->threads, Code->shared_bytes};
    if (Code->app_bytes != 0)
      Made->Code.Leading.push_back(Made->App.data());
    *Tasks = Made.release();
    return BLOCKMAESTRO_TASKS_OK;
  } catch (const std::bad_alloc &) {
    return BLOCKMAESTRO_TASKS_NO_MEMORY;
  }
}

int blockmaestro_tasks_destroy(blockmaestro_tasks *Tasks) {
  if (!Tasks)
    return BLOCKMAESTRO_TASKS_OK;
  const int Out = guarded(Tasks, [&] { return settle(Tasks); });
  delete Tasks;
  return Out;
}

int blockmaestro_tasks_name(blockmaestro_tasks *Tasks, unsigned Kind,
                            const char *Name) {
  return guarded(Tasks, [&] {
    if (Kind >= MostKinds || !Name)
      return failed(Tasks, BLOCKMAESTRO_TASKS_INVALID,
                    "a kind is below 2^24, and a name no null pointer");
    Tasks->Graph.nameKind(Kind, Name);
    return BLOCKMAESTRO_TASKS_OK;
  });
}

int blockmaestro_tasks_add(blockmaestro_tasks *Tasks, unsigned Kind,
                           const void *Data, size_t Bytes, unsigned *Task) {
  return guarded(Tasks, [&] {
    if (Kind >= MostKinds || Bytes > MostRecordBytes)
      return failed(Tasks, BLOCKMAESTRO_TASKS_INVALID,
                    "a kind is below 2^24, and data at most 2^31 bytes");
    if (const int Before = settle(Tasks); Before != BLOCKMAESTRO_TASKS_OK)
      return Before;
    const uint32_t Mine = Tasks->Graph.add(Kind, Data, Bytes);
    if (Task)
      *Task = Mine;
    return BLOCKMAESTRO_TASKS_OK;
  });
}

int blockmaestro_tasks_uses(blockmaestro_tasks *Tasks, unsigned Task, int How,
                            const void *Address, size_t Bytes) {
  return guarded(Tasks, [&] {
    TaskGraph &Graph = Tasks->Graph;
    if (!isRange(How, Address, Bytes))
      return failed(Tasks, BLOCKMAESTRO_TASKS_INVALID, NoRange);
    if (Task >= Graph.tasks())
      return failed(Tasks, BLOCKMAESTRO_TASKS_INVALID, "there is no such task");
    if (Tasks->Running || !Graph.takesRanges(Task))
      return failed(Tasks, BLOCKMAESTRO_TASKS_TOO_LATE,
                    "ranges are declared right behind their task");
    Graph.depend(Task, reinterpret_cast<uint64_t>(Address), Bytes,
                 DependKind(How));
    return BLOCKMAESTRO_TASKS_OK;
  });
}

int blockmaestro_tasks_barrier(blockmaestro_tasks *Tasks) {
  return guarded(Tasks, [&] {
    const int Before = settle(Tasks);
    Tasks->Graph.waitAll();
    return Before;
  });
}

int blockmaestro_tasks_barrier_for(blockmaestro_tasks *Tasks, int How,
                                   const void *Address, size_t Bytes) {
  return guarded(Tasks, [&] {
    if (!isRange(How, Address, Bytes))
      return failed(Tasks, BLOCKMAESTRO_TASKS_INVALID, NoRange);
    const int Before = settle(Tasks);
    Tasks->Graph.waitFor(
        {{reinterpret_cast<uint64_t>(Address), Bytes, DependKind(How)}});
    return Before;
  });
}

int blockmaestro_tasks_begin_group(blockmaestro_tasks *Tasks) {
  return guarded(Tasks, [&] {
    const int Before = settle(Tasks);
    Tasks->Graph.beginGroup();
    return Before;
  });
}

int blockmaestro_tasks_end_group(blockmaestro_tasks *Tasks) {
  return guarded(Tasks, [&] {
    if (Tasks->Graph.openGroups() == 0)
      return failed(Tasks, BLOCKMAESTRO_TASKS_INVALID, "no group has begun");
    Tasks->Graph.endGroup();
    return BLOCKMAESTRO_TASKS_OK;
  });
}

int blockmaestro_tasks_run(blockmaestro_tasks *Tasks, void *Stream) {
  return guarded(Tasks, [&] {
    if (const int Before = settle(Tasks); Before != BLOCKMAESTRO_TASKS_OK)
      return Before;
    while (Tasks->Graph.openGroups() > 0)
      Tasks->Graph.endGroup();
    Tasks->Graph.finish();
    Tasks->Running = true;
    return resultOf(Tasks, Tasks->Run.start(Tasks->Graph, Tasks->Code,
                                            static_cast<cudaStream_t>(Stream)));
  });
}

int blockmaestro_tasks_wait(blockmaestro_tasks *Tasks) {
  return guarded(Tasks, [&] { return settle(Tasks); });
}

const char *blockmaestro_tasks_text(int Result) {
  switch (Result) {
  case BLOCKMAESTRO_TASKS_OK:
    return "no error";
  case BLOCKMAESTRO_TASKS_INVALID:
    return "an argument is none that the call takes";
  case BLOCKMAESTRO_TASKS_NO_MEMORY:
    return "no memory";
  case BLOCKMAESTRO_TASKS_TOO_LATE:
    return "the task takes no more ranges";
  case BLOCKMAESTRO_TASKS_FAILED:
    return "the device could not run the tasks";
  }
  return "no result of these calls";
}

const char *blockmaestro_tasks_error(const blockmaestro_tasks *Tasks) {
  return Tasks ? Tasks->Error.c_str() : "";
}

} // extern "C"
