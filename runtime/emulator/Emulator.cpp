// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emulator.h"

#include "Costs.h"
#include "FrameArena.h"
#include "KernelCache.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace blockmaestro {

namespace {

constexpr size_t SharedAlignment = 256;

/// What one worker thread keeps from block to block.
struct WorkerState {
  FrameArena Frames;
  std::vector<uint64_t> Shared; ///< 8-byte words; see sharedMemory().
  std::vector<uint32_t> Visits;
  /// The kernel of the last block, so that the next one needs no lock.
  const KernelRecord *Record = nullptr;
  bool Counted = false;
  const CompiledKernel *Kernel = nullptr;
};

void *allocateFrame(BlockContext *Context, uint64_t Bytes) {
  return static_cast<FrameArena *>(Context->Arena)->allocate(Bytes);
}

/// \p Bytes of shared memory, aligned to SharedAlignment.
uint8_t *sharedMemory(WorkerState &W, uint64_t Bytes) {
  size_t Words = (Bytes + 2 * SharedAlignment) / sizeof(uint64_t);
  if (W.Shared.size() < Words)
    W.Shared.resize(Words);
  auto Address = reinterpret_cast<uintptr_t>(W.Shared.data());
  uintptr_t Skip = -Address % SharedAlignment;
  return reinterpret_cast<uint8_t *>(W.Shared.data()) + Skip;
}

/// Everything about \p What that can be wrong before a block runs.
Status checkLaunch(const Launch &What, const CompiledKernel &K) {
  if (What.Arguments.size() < K.ArgumentBytes)
    return Status(StatusCode::InvalidArgument,
                  "the launch of kernel '" + What.Kernel->Name +
                      "' has too few argument bytes");
  if (What.Block.count() == 0)
    return Status(StatusCode::InvalidArgument, "the launch of kernel '" +
                                                   What.Kernel->Name +
                                                   "' has an empty block");
  return Status();
}

class OrcEmulator final : public Emulator {
public:
  explicit OrcEmulator(std::unique_ptr<Compiler> Host)
      : Kernels(std::move(Host)) {}
  ~OrcEmulator() override {
    for (std::atomic<WorkerState *> &W : Workers)
      delete W.load();
  }

  Status addModule(const ModuleRecord *M) override {
    Kernels.addModule(M);
    return Status();
  }
  Result<uint64_t> globalAddress(const std::string &Symbol,
                                 const ModuleRecord *Of) override {
    return Kernels.globalAddress(Symbol, Of);
  }
  Status prepare(const Launch &What) override {
    return Kernels.get(*What.Kernel, /*Counted=*/false).Refused;
  }
  Status run(const Launch &What, uint64_t Block, unsigned Worker,
             BlockCost *Cost) override;

private:
  WorkerState &worker(unsigned Number);

  KernelCache Kernels;
  std::mutex Growing;
  std::atomic<WorkerState *> Workers[MaxWorkers] = {};
};

/// The state of worker \p Number, made at its first block.
WorkerState &OrcEmulator::worker(unsigned Number) {
  WorkerState *W = Workers[Number].load(std::memory_order_acquire);
  if (W)
    return *W;
  std::lock_guard<std::mutex> Guard(Growing);
  W = Workers[Number].load(std::memory_order_relaxed);
  if (!W) {
    W = new WorkerState;
    Workers[Number].store(W, std::memory_order_release);
  }
  return *W;
}

/// The compiled kernel of \p What, from the worker's last block if it is that.
const CompiledKernel &kernelFor(WorkerState &W, KernelCache &Kernels,
                                const Launch &What, bool Counted) {
  if (W.Record != What.Kernel || W.Counted != Counted) {
    W.Kernel = &Kernels.get(*What.Kernel, Counted);
    W.Record = What.Kernel;
    W.Counted = Counted;
  }
  return *W.Kernel;
}

BlockContext contextOf(WorkerState &W, const Launch &What, uint64_t Block,
                       const CompiledKernel &K) {
  Dim3 At = blockOf(Block, What.Grid);
  BlockContext C{};
  C.Arguments = What.Arguments.data();
  C.Shared = sharedMemory(W, K.StaticShared + What.DynamicSharedBytes);
  C.Allocate = allocateFrame;
  C.Arena = &W.Frames;
  for (unsigned D = 0; D < 3; ++D) {
    C.Grid[D] = What.Grid[D];
    C.Block[D] = What.Block[D];
    C.Index[D] = At[D];
  }
  return C;
}

Status OrcEmulator::run(const Launch &What, uint64_t Block, unsigned Worker,
                        BlockCost *Cost) {
  if (Worker >= MaxWorkers)
    return Status(StatusCode::InvalidArgument,
                  "the emulated device has no worker " +
                      std::to_string(Worker));
  WorkerState &W = worker(Worker);
  const CompiledKernel &K = kernelFor(W, Kernels, What, Cost != nullptr);
  if (!K.Refused.ok())
    return K.Refused;
  if (Status S = checkLaunch(What, K); !S.ok())
    return S;
  BlockContext C = contextOf(W, What, Block, K);
  if (Cost) {
    W.Visits.assign(What.Block.count() * K.Weights.size(), 0);
    C.Visits = W.Visits.data();
  }
  W.Frames.reset();
  K.Run(&C);
  if (Cost)
    *Cost = costOfVisits(K.Weights, W.Visits.data(), What.Block.count());
  if (C.Trapped)
    return Status(StatusCode::Device, "kernel '" + What.Kernel->Name +
                                          "' trapped in block " +
                                          std::to_string(Block));
  return Status();
}

} // namespace

} // namespace blockmaestro

blockmaestro::Emulator *blockmaestroMakeEmulator() {
  auto Host = blockmaestro::Compiler::create();
  if (!Host.ok())
    return nullptr;
  return new blockmaestro::OrcEmulator(std::move(*Host));
}
