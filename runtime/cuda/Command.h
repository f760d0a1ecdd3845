// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a program asks of its device, as a value: by a call, or by a
// node of a graph that it captured or made.
// On the data's way: made of a call's arguments (CommandOf.h) or by the calls
// that add nodes, before any device has done anything; given to a device to be
// prepared (PreparedWork.h) or performed.
// Invariants: nothing in it points to memory of the caller of the API, except
// what the command itself reads and writes when it runs. Symbols are resolved
// to addresses. Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_COMMAND_H
#define BLOCKMAESTRO_RUNTIME_CUDA_COMMAND_H

#include "TouchedBox.h"
#include "blockmaestro/Launch.h"
#include "blockmaestro/Status.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace blockmaestro {

struct EmptyCommand {};

struct LaunchCommand {
  const void *Stub = nullptr; ///< What the program called the kernel by.
  std::shared_ptr<const Launch> What;
};

/// What positions in arrays, and the extent of a copy with arrays, count.
enum class CopyUnit : uint8_t {
  Elements,       ///< As cudaMemcpy3D has it; of plain memory, bytes.
  Bytes,          ///< Along rows.
  BytesAcrossRows ///< One row of bytes, which goes on in the array's next row.
};

/// A copy of any shape between plain memories and arrays.
struct CopyCommand {
  cudaMemcpy3DParms What = {};
  CopyUnit Unit = CopyUnit::Elements;
};

/// Slices of rows of elements; a pitch is in bytes.
struct FillCommand {
  void *To = nullptr;
  unsigned Value = 0;
  unsigned ElementBytes = 1;
  size_t Width = 0; ///< In elements.
  size_t Height = 1;
  size_t Depth = 1;
  size_t Pitch = 0;      ///< From row to row.
  size_t SlicePitch = 0; ///< From slice to slice.
};

struct HostCommand {
  cudaHostFn_t Function = nullptr;
  void *UserData = nullptr;
};

/// A node of a graph only with cudaEventRecordExternal; without, a captured
/// record becomes an edge.
struct RecordCommand {
  cudaEvent_t Event = nullptr;
  unsigned Flags = cudaEventRecordDefault;
};

struct WaitCommand {
  cudaEvent_t Event = nullptr;
  unsigned Flags = cudaEventWaitDefault;
};

/// Memory whose address is known before the command runs.
struct AllocateCommand {
  cudaMemPool_t Pool = nullptr; ///< Null for a graph's own memory.
  cudaMemAllocNodeParams What = {};
};

struct FreeCommand {
  void *Address = nullptr;
};

/// Whether so many bytes there are memory that the device may touch.
using MayTouch = std::function<bool(uint64_t Address, size_t Bytes)>;

/// What a call of cuBLAS, cuFFT or cuRAND does to the device's memory.
struct LibraryCommand {
  const char *Call = ""; ///< Its name, which lives as long as the process.
  std::vector<TouchedBox> Touches; ///< All of it, but for Answer.
  TouchedBox Answer; ///< Memory of the host, which the call waits for.
  /// It also touches what is known only when it runs: where pointers in memory
  /// of the device point.
  bool Anywhere = false;
  /// May run several times, as a node of a graph; asks before it follows a
  /// pointer that it has found in memory of the device.
  std::shared_ptr<const std::function<Status(const MayTouch &)>> Run;

  bool hostWaits() const { return Answer.Width != 0; }
};

using Command =
    std::variant<EmptyCommand, LaunchCommand, CopyCommand, FillCommand,
                 HostCommand, RecordCommand, WaitCommand, AllocateCommand,
                 FreeCommand, LibraryCommand>;

/// By what a command is asked for, which decides what the host waits for.
enum class Asker : uint8_t {
  Call,      ///< One without a stream: mostly done when it returns.
  AsyncCall, ///< One with a stream: returns at once where it can.
  Graph      ///< The host is not there when the node's turn comes.
};

struct Request {
  Command What;
  cudaStream_t Stream = nullptr;
  Asker By = Asker::AsyncCall;
};

} // namespace blockmaestro

#endif
