// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emulator.h"

#include "ClusterBlock.h"
#include "Faults.h"
#include "FiberBlock.h"
#include "KernelCache.h"
#include "KernelHeap.h"
#include "WholeBlocks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace blockmaestro {

namespace {

void *allocateFrame(BlockContext *Context, uint64_t Bytes) {
  return static_cast<FrameArena *>(Context->Arena)->allocate(Bytes);
}

/// Everything about \p What that can be wrong before a block runs.
Status checkLaunch(const Launch &What, const CompiledKernel &K) {
  const char *Error = nullptr;
  if (What.Arguments.size() < K.ArgumentBytes)
    Error = "' has too few argument bytes";
  else if (What.Block.count() == 0)
    Error = "' has an empty block";
  else if (K.Form == KernelForm::Fibers &&
           What.Block.count() > ThreadScheduler::MaxThreads)
    Error = "' has more threads in a block than the device has";
  if (!Error)
    return Status();
  return Status(StatusCode::InvalidArgument,
                "the launch of kernel '" + What.Kernel->Name + Error);
}

Status outOfMemory() {
  return Status(StatusCode::OutOfMemory, "out of memory");
}

/// What \p Do returns, or that there was no memory for it.
template <typename Function> auto ifMemoryLasts(Function Do) -> decltype(Do()) {
  try {
    return Do();
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  }
}

class OrcEmulator final : public Emulator {
public:
  explicit OrcEmulator(std::unique_ptr<Compiler> Host)
      : Kernels(std::move(Host), DiskCache::folderFromEnvironment()) {}
  ~OrcEmulator() override {
    for (std::atomic<WorkerState *> &W : Workers)
      delete W.load();
  }

  Status addModules(const std::vector<const ModuleRecord *> &Linked) override {
    Kernels.addModules(Linked);
    return Status();
  }
  Result<Allocation> findGlobal(const std::string &Symbol,
                                const ModuleRecord *Of) override {
    return Kernels.findGlobal(Symbol, Of);
  }
  void reset() override;
  bool setLimit(DeviceLimit Which, uint64_t Value) override;
  void observe(AccessObserver *Who) override {
    Observer = Who;
    Workspaces.observe(Who);
    Kernels.observe(Who);
  }
  void countCosts(bool Counted) override { Counts = Counted; }
  void traceWarps(EventSink *To) override { Traces = To; }
  Status prepare(const Launch &What) override {
    Status Ready = Kernels.get(What, Counting::Nothing).Refused;
    if (Ready.ok() && Counts && tracesOneIn() != 1)
      Ready = Kernels.get(What, Counting::Costs).Refused;
    if (Ready.ok() && Counts && Traces)
      Ready = Kernels.get(What, Counting::Warps).Refused;
    return Ready;
  }
  bool mayWait(const Launch &What) override {
    const CompiledKernel &K = Kernels.get(What, Counting::Nothing);
    return K.Form == KernelForm::Fibers &&
           (K.MayWait || What.Cooperative || What.Cluster.count() > 1);
  }
  Status run(const Launch &What, uint64_t Block, unsigned Worker,
             BlockCost *Cost) override;
  Status runRange(const Launch &What, uint64_t First, uint64_t Count,
                  unsigned Worker) override;
  Result<std::unique_ptr<RunningBlock>> begin(const Launch &What,
                                              uint64_t Block, unsigned Worker,
                                              BlockCost *Cost) override;

private:
  struct Prepared {
    WorkerState &Worker;
    const CompiledKernel &Kernel;
  };
  uint32_t tracesOneIn() const {
    const EventSink *To = Traces;
    return To ? To->warpsOneIn() : 0;
  }
  Counting countingOf(const Launch &What, uint64_t Block,
                      const BlockCost *Cost) const;
  Result<Prepared> prepareRun(const Launch &What, unsigned Worker,
                              Counting Counts);
  WorkerState &worker(unsigned Number);
  void fillContext(BlockContext &C, BlockMemory &Memory, const Launch &What,
                   uint64_t Block, const CompiledKernel &K);
  GridWorkspaces::Hold joinGrid(BlockContext &C);
  Status runOne(const Launch &What, uint64_t Block, unsigned Worker,
                BlockCost *Cost);
  Result<std::unique_ptr<RunningBlock>> beginOne(const Launch &What,
                                                 uint64_t Block,
                                                 unsigned Worker,
                                                 BlockCost *Cost);
  std::unique_ptr<FiberState> fiberState(Prepared &P, const Launch &What,
                                         uint64_t Block, unsigned Worker);
  std::unique_ptr<RunningBlock>
  fiberBlock(Prepared &P, std::unique_ptr<FiberState> State, BlockCost *Cost);
  std::unique_ptr<RunningBlock> beginInCluster(Prepared &P, const Launch &What,
                                               uint64_t Block, unsigned Worker,
                                               BlockCost *Cost);
  Status runToEnd(RunningBlock &Block);

  KernelCache Kernels;
  KernelHeap Heap;
  GridWorkspaces Workspaces;
  RunningClusters Clusters;
  SectorHistory Sectors; ///< Of blocks whose costs were counted.
  AccessObserver *Observer = nullptr;
  std::atomic<bool> Counts = false;
  std::atomic<EventSink *> Traces = nullptr; ///< To whom; may be null.
  std::atomic<uint64_t> DeepStackBytes{256 << 10};
  std::atomic<uint64_t> StuckMilliseconds{5000};
  std::mutex Growing;
  std::atomic<WorkerState *> Workers[MaxWorkers] = {};
};

void OrcEmulator::reset() {
  Kernels.resetVariables();
  Heap.clear(Observer);
}

bool OrcEmulator::setLimit(DeviceLimit Which, uint64_t Value) {
  // Frames of this machine are larger than a GPU's, and its functions have
  // more of them.
  constexpr uint64_t HostPerDeviceByte = 16;
  switch (Which) {
  case DeviceLimit::StackBytes:
    DeepStackBytes = std::max<uint64_t>(256 << 10, Value * HostPerDeviceByte);
    return true;
  case DeviceLimit::HeapBytes:
    return Heap.setBytes(Value);
  case DeviceLimit::StuckMilliseconds:
    StuckMilliseconds = Value;
    return true;
  }
  return false;
}

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
                                const Launch &What, Counting Counts) {
  if (W.Record != What.Kernel || W.Counts != Counts ||
      !W.Kernel->fits(What.Block)) {
    W.Kernel = &Kernels.get(What, Counts);
    W.Record = What.Kernel;
    W.Counts = Counts;
  }
  return *W.Kernel;
}

/// What is counted of a block. Of a launch of clusters whole ones are traced.
Counting OrcEmulator::countingOf(const Launch &What, uint64_t Block,
                                 const BlockCost *Cost) const {
  if (!Cost)
    return Counting::Nothing;
  const uint32_t OneIn = tracesOneIn();
  const uint64_t Number =
      What.Cluster.count() > 1 ? clusterPlace(What, Block).Cluster : Block;
  return OneIn && Number % OneIn == 0 ? Counting::Warps : Counting::Costs;
}

Result<OrcEmulator::Prepared>
OrcEmulator::prepareRun(const Launch &What, unsigned Worker, Counting Counts) {
  if (Worker >= MaxWorkers)
    return Status(StatusCode::InvalidArgument,
                  "the emulated device has no worker " +
                      std::to_string(Worker));
  WorkerState &W = worker(Worker);
  const CompiledKernel &K = kernelFor(W, Kernels, What, Counts);
  if (!K.Refused.ok())
    return K.Refused;
  if (Status S = checkLaunch(What, K); !S.ok())
    return S;
  if (W.FaultsClaimed != What.Id && !claimFaults())
    return outOfMemory();
  W.FaultsClaimed = What.Id;
  return Prepared{W, K};
}

void OrcEmulator::fillContext(BlockContext &C, BlockMemory &Memory,
                              const Launch &What, uint64_t Block,
                              const CompiledKernel &K) {
  Dim3 At = blockOf(Block, What.Grid);
  C = BlockContext{};
  C.Arguments = What.Arguments.data();
  C.SharedBytes = K.StaticShared + What.DynamicSharedBytes;
  C.Shared = Memory.shared(C.SharedBytes);
  C.Allocate = allocateFrame;
  for (unsigned D = 0; D < 3; ++D) {
    C.Grid[D] = What.Grid[D];
    C.Block[D] = What.Block[D];
    C.Index[D] = At[D];
    C.ClusterBlocks[D] = What.Cluster[D];
  }
  C.ClusterShared = C.Shared;
  C.ClusterSharedBytes = C.SharedBytes;
  C.ClusterStride = ~0u;
  C.StaticSharedBytes = K.StaticShared;
  C.DynamicSharedBytes = What.DynamicSharedBytes;
  C.LaunchId = What.Id;
  C.What = &What;
  C.LinearBlock = Block;
  C.Sites = &K.Sites;
  C.Heap = &Heap;
  C.Observer = Observer;
  if (K.Variant.Counts == Counting::Nothing)
    return;
  C.Visited = &Memory.Visits;
  C.Visits = C.Visited->begin(What.Block.count(), K.Weights.size());
  C.Accesses = &Memory.Accesses;
  C.Accesses->begin(C, Sectors);
  EventSink *To = Traces;
  if (!K.Traced || !To)
    return;
  C.Tracer = &Memory.Tracer;
  C.Tracer->begin(C, K.Traced, *To);
}

/// Lets a block of a cooperative launch take part in its grid.
GridWorkspaces::Hold OrcEmulator::joinGrid(BlockContext &C) {
  GridWorkspaces::Hold Part;
  if (C.What->Cooperative)
    C.GridWorkspace = Workspaces.get(*C.What, Part);
  return Part;
}

Status OrcEmulator::runRange(const Launch &What, uint64_t First, uint64_t Count,
                             unsigned Worker) {
  return ifMemoryLasts([&]() -> Status {
    Result<Prepared> P = prepareRun(What, Worker, Counting::Nothing);
    if (!P.ok())
      return P.status();
    if (P->Kernel.Form == KernelForm::Fibers || What.Cooperative)
      return BlockRunner::runRange(What, First, Count, Worker);
    BlockContext C;
    fillContext(C, P->Worker.Memory, What, First, P->Kernel);
    C.Worker = Worker;
    return runWhole(P->Worker, C, P->Kernel, Count);
  });
}

Status OrcEmulator::run(const Launch &What, uint64_t Block, unsigned Worker,
                        BlockCost *Cost) {
  return ifMemoryLasts([&] { return runOne(What, Block, Worker, Cost); });
}

Status OrcEmulator::runOne(const Launch &What, uint64_t Block, unsigned Worker,
                           BlockCost *Cost) {
  Result<Prepared> P = prepareRun(What, Worker, countingOf(What, Block, Cost));
  if (!P.ok())
    return P.status();
  if (P->Kernel.Form == KernelForm::Fibers) {
    Result<std::unique_ptr<RunningBlock>> Begun =
        beginOne(What, Block, Worker, Cost);
    return Begun.ok() ? runToEnd(**Begun) : Begun.status();
  }
  BlockContext C;
  fillContext(C, P->Worker.Memory, What, Block, P->Kernel);
  C.Worker = Worker;
  GridWorkspaces::Hold Grid = joinGrid(C);
  Status Ran = runWhole(P->Worker, C, P->Kernel, 1);
  if (Cost && Ran.ok())
    *Cost = costOf(P->Kernel, C);
  return Ran;
}

Result<std::unique_ptr<RunningBlock>> OrcEmulator::begin(const Launch &What,
                                                         uint64_t Block,
                                                         unsigned Worker,
                                                         BlockCost *Cost) {
  return ifMemoryLasts([&] { return beginOne(What, Block, Worker, Cost); });
}

Result<std::unique_ptr<RunningBlock>> OrcEmulator::beginOne(const Launch &What,
                                                            uint64_t Block,
                                                            unsigned Worker,
                                                            BlockCost *Cost) {
  Result<Prepared> P = prepareRun(What, Worker, countingOf(What, Block, Cost));
  if (!P.ok())
    return P.status();
  if (P->Kernel.Form != KernelForm::Fibers)
    return Status(StatusCode::InvalidArgument,
                  "blocks of kernel '" + What.Kernel->Name +
                      "' do not wait, so they are run and not begun");
  if (What.Cluster.count() > 1)
    return beginInCluster(*P, What, Block, Worker, Cost);
  return fiberBlock(*P, fiberState(*P, What, Block, Worker), Cost);
}

std::unique_ptr<FiberState> OrcEmulator::fiberState(Prepared &P,
                                                    const Launch &What,
                                                    uint64_t Block,
                                                    unsigned Worker) {
  std::unique_ptr<FiberState> State = P.Worker.takeState();
  fillContext(State->Context, State->Memory, What, Block, P.Kernel);
  State->Context.Worker = Worker;
  State->Context.Alone = &State->Meeting;
  return State;
}

std::unique_ptr<RunningBlock>
OrcEmulator::fiberBlock(Prepared &P, std::unique_ptr<FiberState> State,
                        BlockCost *Cost) {
  clearReserved(State->Context, P.Kernel);
  GridWorkspaces::Hold Grid = joinGrid(State->Context);
  StackPool &Stacks = P.Worker.stacksFor(P.Kernel, DeepStackBytes);
  return std::make_unique<FiberBlock>(P.Worker, std::move(State), Stacks,
                                      P.Kernel, Cost, std::move(Grid));
}

/// Begins a block of a cluster: all of them with the first.
std::unique_ptr<RunningBlock>
OrcEmulator::beginInCluster(Prepared &P, const Launch &What, uint64_t Block,
                            unsigned Worker, BlockCost *Cost) {
  constexpr uint64_t Grain = 256;
  const ClusterPlace Place = clusterPlace(What, Block);
  const uint32_t Count = What.Cluster.count();
  bool First = false;
  std::shared_ptr<ClusterProgress> Progress =
      Clusters.join(What, Place.Cluster, First);
  if (!First)
    return std::make_unique<FollowerBlock>(Progress, Place.Rank, Cost);
  std::vector<std::unique_ptr<FiberState>> States;
  for (uint32_t Rank = 0; Rank < Count; ++Rank)
    States.push_back(
        fiberState(P, What, blockAt(What, {Place.Cluster, Rank}), Worker));
  FiberState &Leader = *States.front();
  const uint64_t Each = Leader.Context.SharedBytes;
  const uint64_t Stride = (Each + Grain - 1) / Grain * Grain;
  uint8_t *Shared = Leader.Memory.shared(Stride * Count);
  Leader.Meeting.begin(Count, What.Block.count());
  if (Observer)
    Observer->memory("", Leader.Meeting.word(), Cluster::WordBytes);
  const uint64_t Word = Leader.Meeting.word();
  std::vector<std::unique_ptr<RunningBlock>> Blocks;
  for (uint32_t Rank = 0; Rank < Count; ++Rank) {
    BlockContext &C = States[Rank]->Context;
    C.Shared = Shared + Rank * Stride;
    C.ClusterShared = Shared;
    C.ClusterSharedBytes = Stride * (Count - 1) + Each;
    C.ClusterStride = Stride;
    C.ClusterRank = Rank;
    C.InCluster = &Leader.Meeting;
    Blocks.push_back(fiberBlock(P, std::move(States[Rank]),
                                Cost ? &Progress->Costs[Rank] : nullptr));
  }
  return std::make_unique<ClusterBlock>(std::move(Blocks), Progress, Place.Rank,
                                        Cost, [Who = Observer, Word] {
                                          if (Who)
                                            Who->memory("", Word, 0);
                                        });
}

/// Goes on with \p Block until it ends, or has not moved for too long.
Status OrcEmulator::runToEnd(RunningBlock &Block) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::milliseconds Patience(StuckMilliseconds.load());
  Clock::time_point LastMoved = Clock::now();
  bool Waited = false;
  for (;;) {
    Result<RunningBlock::Progress> Came = Block.advance();
    if (!Came.ok())
      return Came.status();
    if (*Came == RunningBlock::Progress::Ended)
      return Status();
    if (*Came == RunningBlock::Progress::Moved) {
      Waited = false;
      continue;
    }
    Clock::time_point Now = Clock::now();
    if (!std::exchange(Waited, true))
      LastMoved = Now;
    else if (Patience.count() != 0 && Now - LastMoved > Patience)
      return Status(StatusCode::Stuck, Block.waitsFor());
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

} // namespace

} // namespace blockmaestro

blockmaestro::Emulator *blockmaestroMakeEmulator() {
  auto Host = blockmaestro::Compiler::create();
  if (!Host.ok())
    return nullptr;
  return new blockmaestro::OrcEmulator(std::move(*Host));
}
