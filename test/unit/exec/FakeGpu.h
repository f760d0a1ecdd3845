// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a GPU for the executors' tests. It reads the very structures the
// device code reads and runs blocks in a random order that a GPU could take:
// admission by launch attributes and triggers, a limited number of resident
// blocks, workers of a persistent grid. It does not look at tasks; what it runs
// in a wrong order, the test sees. What blocks note of when they run reaches
// memory word by word in any order, at the latest when the host has waited.

#ifndef BLOCKMAESTRO_TEST_UNIT_EXEC_FAKEGPU_H
#define BLOCKMAESTRO_TEST_UNIT_EXEC_FAKEGPU_H

#include "Gate.h"
#include "GpuPort.h"
#include "HeldWork.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

class FakeGpu : public GpuPort {
public:
  /// A batch with its records found, once it has been copied to the GPU.
  struct OpenBatch : Batch {
    explicit OpenBatch(const Batch &B);
    std::vector<const BatchLaunch *> Launches;
  };

  explicit FakeGpu(uint64_t Seed) : Random(Seed) {}

  Result<void *> allocate(size_t Bytes, void *Stream) override;
  void retire(void *Memory, void *Stream) override;
  void release(void *Memory) override;
  Result<void *> allocateStaging(size_t Bytes) override;
  void releaseStaging(void *Memory) override { release(Memory); }
  Result<void *> allocateBeside(size_t Bytes) override;
  Status readBeside(void *To, const void *From, size_t Bytes) override;
  Status clearBeside(void *Memory, size_t Bytes) override;
  void releaseBeside(void *Memory) override;
  Status copyIn(void *To, const void *From, size_t Bytes, void *) override;
  Status launch(const GpuLaunch &What) override;
  Status copy(const GpuCopy &What) override;
  Status fill(const GpuFill &What) override;
  Result<ChainWork> chainOf(std::span<const GpuWork> Works,
                            const ChainOrder &Order) override;
  Status setWork(void *Chain, unsigned Place, const GpuWork &What) override;
  Status launchChain(void *Chain, void *Stream) override;
  void releaseChain(void *Chain) override;
  Result<void *> mark(void *Stream) override;
  std::optional<std::chrono::nanoseconds> between(void *First,
                                                  void *Last) override;
  void releaseMark(void *Mark) override;
  Status synchronize(void *) override;
  /// Streams of the executor's are in FakeStreams.h.
  Result<int> priorityOf(void *) override { return 0; }
  Result<void *> makeStream(int) override { return noStreams(); }
  void releaseStream(void *) override {}
  Result<void *> makeEvent() override;
  void releaseEvent(void *Event) override;
  Status record(void *Event, void *Stream) override;
  bool hasPassed(void *Event) override;
  Status comeBehind(void *, void *) override { return noStreams(); }
  uint64_t moduleOf(const KernelRecord &Kernel) override {
    return Kernel.Name == "other" ? 2 : 1;
  }
  uint32_t multiprocessors() override { return 4; }
  Result<uint32_t> residentBlocks(const KernelRecord &, KernelVariant, uint32_t,
                                  uint32_t) override {
    return Resident;
  }

  /// Called when a block's waits are over.
  std::function<void(uint64_t Launch, uint64_t Block)> Body;
  uint32_t Resident = 16;
  /// The first piece of every launch is not waited for: a broken device.
  bool ForgetsPieces = false;
  /// What was launched, arguments not included.
  std::vector<GpuLaunch> Launched;
  /// Launches of pdl variants, and copies in chains, in an order that a GPU may
  /// take: a number, by which the work is known, and whether the work in front
  /// is that of its chain. Of a launch it is the first argument, of a copy the
  /// number of its bytes.
  struct Early {
    int Number;
    void *Stream;
    bool Chained;
    bool operator==(const Early &) const = default;
  };
  std::vector<Early> Earlies;
  unsigned ChainsMade = 0;
  std::vector<ChainOrder> Orders; ///< Of the chains that were launched.
  unsigned NodesSet = 0;          ///< After their chain was made.
  /// How long a node takes, of chains in order and by block; and whether the
  /// device has come to the marks by the time it is asked.
  std::chrono::nanoseconds InOrderTime{0}, ByBlockTime{0};
  bool Arrives = true;
  /// Of the last launch by block.
  std::optional<Gate> LastByBlock;
  /// Time passes on the device.
  void pass(std::chrono::nanoseconds Time) { Passed += Time; }
  size_t marksAlive() const { return Marks.size(); }
  size_t chainsAlive() const { return Chains.size(); }
  /// Those that have a copy or a fill.
  size_t chainsOfMemory() const;
  /// Copies from the host read it when the host looks whether an event of their
  /// stream has been passed, or waits; not before.
  void passAll();
  size_t eventsAlive() const { return Events.size(); }
  unsigned Recorded = 0; ///< Events.
  /// How many of Earlies the event stands for.
  size_t worksIn(void *Event) const { return Events.at(Event)->Works; }
  bool Passes = true; ///< Events that are asked for.
  /// Copies cannot be set in nodes.
  bool RefusesCopies = false;
  /// Of launches of the kernels themselves, arguments not included.
  std::vector<GpuLaunch> Plains;
  std::vector<Gate> Gates;
  std::vector<BlockTime *> Timed; ///< Where the blocks of timed variants note.
  std::vector<Batch> Batches;
  /// How often the host has waited for a stream.
  unsigned Waits = 0;
  /// One time in so many that the host looks beside the streams, what was
  /// launched has run by then; 0: never.
  unsigned RunsBeside = 0;
  unsigned Looks = 0; ///< Beside the streams.
  /// Of memory beside them, now and at any time.
  size_t BytesBeside = 0, MostBytesBeside = 0;
  Status BesideResult; ///< Of asking for such memory.
  Status LaunchResult; ///< Of launches.
  /// When and where a block, of a launch, has really run.
  std::map<std::pair<uint64_t, uint64_t>, BlockTime> RanAt;
  /// No block could go on.
  bool Deadlock = false;

protected:
  const ChainOrder &orderOf(void *Of) const { return Chains.at(Of)->Order; }
  /// Of its nodes as they are set.
  std::vector<int> numbersOf(void *Of) const;

private:
  static Status noStreams() {
    return {StatusCode::Unsupported, "the fake has no streams of ours"};
  }
  struct Operation {
    enum { Copy, Clear, Retire, Prelaunch, Persistent } Kind = Copy;
    bool Programmatic = false;
    uint32_t Blocks = 0; ///< Or workers.
    Dim3 Grid;
    Gate Entry{};
    Batch Work{};
    void *To = nullptr;
    const void *From = nullptr;
    size_t Bytes = 0;
    uint32_t Started = 0;
    std::vector<uint32_t> Running;
    uint32_t Finished = 0;
  };
  struct Worker {
    uint32_t Launch = 0;
    uint64_t Block = 0;
    bool Busy = false;
    bool Gone = false;
  };

  bool done(const GatePiece &Piece, const int32_t Block[3]) const;
  bool ready(size_t Index, uint32_t Block) const;
  bool admitted(size_t Index) const;
  bool complete(size_t Index) const;
  void runChain();
  bool step(std::vector<size_t> Order);
  void run();
  uint64_t now() { return Clock += Random() % 3; }
  void noteStart(uint64_t Launch, uint64_t Block, BlockTime *Notes,
                 uint64_t Place);
  void noteEnd(uint64_t Launch, uint64_t Block, BlockTime *Notes,
               uint64_t Place);
  void write(size_t Words);
  void expectUnused(const void *Memory);
  void finish(Operation &What, size_t Position);
  void runBatch(const Operation &What);
  bool take(const OpenBatch &B, Worker &By, uint32_t Number, uint32_t Workers);
  bool readyIn(const OpenBatch &B, const Worker &By) const;
  uint32_t residentNow() const;

  std::mt19937_64 Random;
  uint64_t Clock = 1'000'000'000'000;
  /// Words of notes on their way to memory.
  struct Word {
    void *To;
    uint64_t Value;
    size_t Bytes;
  };
  std::vector<Word> Written;
  /// A node keeps its kernel, and a chain its stream.
  struct ChainNode {
    NodeKind Kind;
    int Number = 0;
    GpuWork Work;                     ///< Its arguments may be gone.
    std::optional<Operation> ByBlock; ///< A prelaunch variant, or a fill.
    bool isLaunch() const {
      return ByBlock && ByBlock->Kind == Operation::Prelaunch;
    }
  };
  static Operation prelaunchOf(const GpuLaunch &What);
  static Operation timedOf(const GpuLaunch &What);
  static Operation clearOf(const GpuFill &What);
  static ChainNode nodeOf(const GpuWork &What);
  struct Chain {
    std::vector<ChainNode> Nodes;
    ChainOrder Order;
    void *Stream = nullptr;
    bool Launched = false;
  };
  void launchByBlock(const Chain &Run);
  /// Copies from the host that a stream has been given.
  struct Line {
    std::vector<GpuCopy> Uploads;
    size_t Arrived = 0;
    void arrive(size_t Count);
  };
  void upload(const GpuWork &What, void *Stream);
  std::map<void *, Line> Lines;
  /// The copies of a stream that are in front of it.
  struct Event {
    void *Stream = nullptr;
    size_t Uploads = 0;
    size_t Works = 0; ///< All that came before it.
  };
  std::map<void *, std::unique_ptr<Event>> Events;
  std::map<void *, std::unique_ptr<Chain>> Chains;
  std::chrono::nanoseconds Passed{0}; ///< By chains.
  std::map<void *, std::unique_ptr<std::chrono::nanoseconds>> Marks;
  std::map<void *, std::unique_ptr<uint64_t[]>> Memory;
  std::map<void *, size_t> SizesBeside;
  std::vector<Operation> Pending;
};

} // namespace blockmaestro

#endif
