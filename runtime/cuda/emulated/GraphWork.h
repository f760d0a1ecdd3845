// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a node of a graph does, as a value: what an asynchronous
// call asks for when its stream is captured.
// On the data's way: made by the calls (arguments checked and copied, symbols
// resolved to addresses) for capturesInstead() (Capture.h) and by the calls
// that add nodes; an executable graph makes work for the engine of it
// (GraphExec.h). Invariants: nothing in it points to memory of the caller of
// the API, except what the work itself reads and writes when it runs. Threads:
// values.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHWORK_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHWORK_H

#include "blockmaestro/Launch.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>

namespace blockmaestro::emulated {

struct EmptyWork {};

struct KernelWork {
  const void *Stub = nullptr; ///< What the program called the kernel by.
  std::shared_ptr<const Launch> What;
};

/// A copy of any shape between plain memories: no arrays.
struct CopyWork {
  cudaMemcpy3DParms What = {};
};

/// Slices of rows of elements; a pitch is in bytes.
struct FillWork {
  void *To = nullptr;
  unsigned Value = 0;
  unsigned ElementBytes = 1;
  size_t Width = 0; ///< In elements.
  size_t Height = 1;
  size_t Depth = 1;
  size_t Pitch = 0;      ///< From row to row.
  size_t SlicePitch = 0; ///< From slice to slice.
};

struct HostWork {
  cudaHostFn_t Function = nullptr;
  void *UserData = nullptr;
};

/// Captured only with cudaEventRecordExternal; without, the record becomes an
/// edge.
struct RecordWork {
  cudaEvent_t Event = nullptr;
  unsigned Flags = cudaEventRecordDefault;
};

struct WaitWork {
  cudaEvent_t Event = nullptr;
  unsigned Flags = cudaEventWaitDefault;
};

/// Memory whose address is known before the work runs.
struct AllocateWork {
  cudaMemPool_t Pool = nullptr; ///< Null for a graph's own memory.
  cudaMemAllocNodeParams What = {};
};

struct FreeWork {
  void *Address = nullptr;
};

using GraphWork =
    std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork,
                 RecordWork, WaitWork, AllocateWork, FreeWork>;

/// Whether all blocks of the kernel are under way together; not a parameter, so
/// that it stays when the parameters change.
inline void setCooperative(KernelWork &Which, bool Cooperative) {
  if (Which.What->Cooperative == Cooperative)
    return;
  auto Again = std::make_shared<Launch>(*Which.What);
  Again->Cooperative = Cooperative;
  Which.What = std::move(Again);
}

/// Replaces work by other work of its kind, all but what is not a parameter.
inline void setParameters(GraphWork &Which, GraphWork To) {
  if (auto *Old = std::get_if<KernelWork>(&Which))
    setCooperative(std::get<KernelWork>(To), Old->What->Cooperative);
  Which = std::move(To);
}

} // namespace blockmaestro::emulated

#endif
