// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the environment variables of a running program, read once.
// On the data's way: parsed by the front end at the first CUDA call; the page
// is docs/options.md.
// Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_OPTIONS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_OPTIONS_H

#include "FormChoice.h"
#include "blockmaestro/Status.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace blockmaestro {

enum class DeviceChoice : uint8_t { Auto, Emulated, Cuda };

enum class ExecutorKind : uint8_t {
  Auto,
  Serial,
  Shuffle,
  Simulated,
  Pdl,
  Chained,
  Prelaunch,
  Persistent,
  Share,
  Streams
};

/// Whether only a GPU has such an executor.
constexpr bool needsGpu(ExecutorKind Kind) {
  return Kind == ExecutorKind::Pdl || Kind == ExecutorKind::Chained ||
         Kind == ExecutorKind::Prelaunch || Kind == ExecutorKind::Persistent ||
         Kind == ExecutorKind::Share || Kind == ExecutorKind::Streams;
}

/// Whether it needs one of compute capability 9.0.
constexpr bool needsNewGpu(ExecutorKind Kind) {
  return needsGpu(Kind) && Kind != ExecutorKind::Streams;
}

/// Whether only the emulated device has it: it runs single blocks.
constexpr bool needsEmulator(ExecutorKind Kind) {
  return Kind == ExecutorKind::Shuffle || Kind == ExecutorKind::Simulated;
}

struct ExecutorChoice {
  ExecutorKind Kind = ExecutorKind::Auto;
  uint64_t Seed = 0;          ///< Shuffle only.
  std::string Scheduler = {}; ///< Simulated only; of runtime/sim.
  bool InOrder = false; ///< A launch completes only after all earlier ones.
  FormPolicy Forms = FormPolicy::Faster; ///< Of chains.
  /// Share only: workers on each multiprocessor of the first stream and of the
  /// second; both 0: found by timing.
  uint32_t Workers[2] = {0, 0};
  /// Streams only: the program's and those beside it; 0: as many as are
  /// sensible, and only where that is faster.
  uint32_t Streams = 0;
};

/// How workers of a GPU come by the tasks of a graph; see docs/tasks.md.
enum class QueueKind : uint8_t {
  Default,
  Tickets,
  LocalRoundRobin,
  GlobalRoundRobin,
  LocalFirst
};

struct Options {
  DeviceChoice Device = DeviceChoice::Auto;
  ExecutorChoice Executor;
  std::string ExecutorText = "auto"; ///< As given.
  std::string RecordPath;            ///< Empty: no recording.
  /// RecordPath for the process that asks, which may be a forked one.
  std::function<std::string()> RecordNameNow = {};
  bool RecordCosts = true; ///< What blocks cost is counted.
  /// Warps of every so many blocks of a launch are traced; 0: none.
  uint32_t WarpsOneIn = 0;
  std::string Machine; ///< Name or file; empty: the default one.
  bool Explain = false;
  unsigned Workers = 0; ///< 0: as many as the machine has cores.
  /// 0: kernels may wait for ever.
  std::optional<unsigned> TimeoutSeconds;
  QueueKind Queue = QueueKind::Default;
  std::string TaskReportPath; ///< Empty: no report.
  unsigned Checks = 0;        ///< CheckBits of check/Checks.h.
  unsigned Window = 8;        ///< As given, or the executor's.
  /// The window of the paper: consecutive launches and RAW alone. Programs may
  /// then compute something else; see docs/executors.md.
  bool Paper = false;
};

/// How many launches may be in flight behind a running one where the user does
/// not say.
unsigned defaultWindow(ExecutorKind Kind);

/// The value of an environment variable, or null.
using Lookup = const char *(*)(const char *Name);

/// Reads BLOCKMAESTRO_*; a wrong value gives one sentence that names the
/// variable, the value and what is allowed.
Result<Options> parseOptions(Lookup Environment);

/// For each variable of the environment that is none of ours, but begins as
/// they do and is spelled like one, a sentence that names this.
std::vector<std::string> unknownVariables(const char *const *Environment);

} // namespace blockmaestro

#endif
