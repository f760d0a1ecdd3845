// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeGpu.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

namespace blockmaestro {

Result<void *> FakeGpu::allocate(size_t Bytes, void *) {
  auto Made = std::make_unique<uint64_t[]>(Bytes / 8 + 1);
  void *Address = Made.get();
  Memory[Address] = std::move(Made);
  return Address;
}

Result<void *> FakeGpu::allocateStaging(size_t Bytes) {
  return allocate(Bytes, nullptr);
}

FakeGpu::Operation FakeGpu::clearOf(const GpuFill &What) {
  EXPECT_EQ(What.Value, 0);
  Operation Out;
  Out.Kind = Operation::Clear;
  Out.To = What.To;
  Out.Bytes = What.Bytes;
  return Out;
}

Status FakeGpu::fill(const GpuFill &What) {
  Pending.push_back(clearOf(What));
  return {};
}

void FakeGpu::Line::arrive(size_t Count) {
  for (; Arrived < Count; ++Arrived) {
    const GpuCopy &Next = Uploads[Arrived];
    std::memcpy(Next.To, Next.From, Next.Bytes);
  }
}

void FakeGpu::passAll() {
  for (auto &[Stream, Its] : Lines)
    Its.arrive(Its.Uploads.size());
}

void FakeGpu::upload(const GpuWork &What, void *Stream) {
  const auto *Copy = std::get_if<GpuCopy>(&What);
  if (Copy && Copy->Source != CopySource::Device)
    Lines[Stream].Uploads.push_back(*Copy);
}

Result<void *> FakeGpu::makeEvent() {
  auto Made = std::make_unique<Event>();
  void *Name = Made.get();
  Events[Name] = std::move(Made);
  return Name;
}

void FakeGpu::releaseEvent(void *Name) { Events.erase(Name); }

Status FakeGpu::record(void *Name, void *Stream) {
  *Events.at(Name) = {Stream, Lines[Stream].Uploads.size(), Earlies.size()};
  ++Recorded;
  return {};
}

bool FakeGpu::hasPassed(void *Name) {
  const Event &What = *Events.at(Name);
  Line &Its = Lines[What.Stream];
  if (Passes)
    Its.arrive(What.Uploads);
  return Its.Arrived >= What.Uploads;
}

Status FakeGpu::copy(const GpuCopy &What) {
  upload(What, What.Stream);
  Earlies.push_back({int(What.Bytes), What.Stream, false});
  return {};
}

void FakeGpu::retire(void *Address, void *) {
  Operation Next;
  Next.Kind = Operation::Retire;
  Next.To = Address;
  Pending.push_back(Next);
}

void FakeGpu::release(void *Address) {
  const bool InUse =
      std::any_of(Pending.begin(), Pending.end(), [](const Operation &Each) {
        return Each.Kind != Operation::Retire;
      });
  EXPECT_TRUE(!InUse || !Address) << "released while in use";
  Memory.erase(Address);
}

Result<void *> FakeGpu::allocateBeside(size_t Bytes) {
  if (!BesideResult.ok())
    return BesideResult;
  Result<void *> Made = allocate(Bytes, nullptr);
  SizesBeside[*Made] = Bytes;
  BytesBeside += Bytes;
  MostBytesBeside = std::max(MostBytesBeside, BytesBeside);
  return Made;
}

/// Words of notes in any order, as many as have arrived by now.
void FakeGpu::write(size_t Words) {
  std::shuffle(Written.begin(), Written.end(), Random);
  for (; Words != 0; --Words) {
    const Word &Next = Written.back();
    std::memcpy(Next.To, &Next.Value, Next.Bytes);
    Written.pop_back();
  }
}

Status FakeGpu::readBeside(void *To, const void *From, size_t Bytes) {
  ++Looks;
  if (RunsBeside != 0 && Random() % RunsBeside == 0)
    run();
  write(Random() % (Written.size() + 1));
  std::memcpy(To, From, Bytes);
  return {};
}

/// Nothing that was launched writes to memory of that name any more.
void FakeGpu::expectUnused(const void *Address) {
  const auto *Begin = static_cast<const char *>(Address);
  const auto *End = Begin + SizesBeside.at(const_cast<void *>(Address));
  auto Within = [&](const void *Each) { return Begin <= Each && Each < End; };
  for (const Word &Each : Written)
    EXPECT_FALSE(Within(Each.To)) << "a note is on its way there";
  for (const Operation &Each : Pending) {
    EXPECT_FALSE(Within(Each.Entry.Times)) << "blocks will write there";
    EXPECT_FALSE(Within(Each.Work.Times)) << "blocks will write there";
  }
}

Status FakeGpu::clearBeside(void *Address, size_t Bytes) {
  expectUnused(Address);
  EXPECT_LE(Bytes, SizesBeside.at(Address));
  std::memset(Address, 0, Bytes);
  return {};
}

void FakeGpu::releaseBeside(void *Address) {
  expectUnused(Address);
  BytesBeside -= SizesBeside.at(Address);
  SizesBeside.erase(Address);
  Memory.erase(Address);
}

Status FakeGpu::copyIn(void *To, const void *From, size_t Bytes, void *) {
  Operation Next;
  Next.To = To;
  Next.From = From;
  Next.Bytes = Bytes;
  Pending.push_back(Next);
  return {};
}

/// Fills have none.
static int numberOf(const GpuWork &What) {
  if (std::holds_alternative<GpuFill>(What))
    return -1;
  if (const auto *Launch = std::get_if<GpuLaunch>(&What))
    return *static_cast<int *>(Launch->Arguments[0]);
  return int(std::get<GpuCopy>(What).Bytes);
}

FakeGpu::Operation FakeGpu::prelaunchOf(const GpuLaunch &What) {
  Operation Out;
  Out.Kind = Operation::Prelaunch;
  Out.Programmatic = What.Programmatic;
  Out.Blocks = What.Grid.count();
  Out.Grid = What.Grid;
  const size_t Last = What.Kernel->Parameters.size();
  Out.Entry = *static_cast<Gate *>(What.Arguments[Last]);
  return Out;
}

/// Behind the launch in front, as a gate would have it wait.
FakeGpu::Operation FakeGpu::timedOf(const GpuLaunch &What) {
  Operation Out;
  Out.Kind = Operation::Prelaunch;
  Out.Blocks = What.Grid.count();
  Out.Grid = What.Grid;
  Out.Entry.Launch = uint64_t(numberOf(GpuWork(What)));
  const size_t Last = What.Kernel->Parameters.size();
  Out.Entry.Times = *static_cast<BlockTime **>(What.Arguments[Last]);
  return Out;
}

FakeGpu::ChainNode FakeGpu::nodeOf(const GpuWork &What) {
  ChainNode Out{kindOf(What), numberOf(What), What, {}};
  if (const auto *Launch = std::get_if<GpuLaunch>(&What))
    if (Launch->Form == KernelVariant::Prelaunch)
      Out.ByBlock = prelaunchOf(*Launch);
  if (const auto *Fill = std::get_if<GpuFill>(&What))
    Out.ByBlock = clearOf(*Fill);
  return Out;
}

Result<GpuPort::ChainWork> FakeGpu::chainOf(std::span<const GpuWork> Works,
                                            const ChainOrder &Order) {
  return ChainWork([this, Of = std::vector(Works.begin(), Works.end()), Order] {
    ++ChainsMade;
    auto Made = std::make_unique<Chain>();
    Made->Order = Order;
    for (const GpuWork &Each : Of)
      Made->Nodes.push_back(nodeOf(Each));
    void *Name = Made.get();
    Chains[Name] = std::move(Made);
    return Result<void *>(Name);
  });
}

std::vector<int> FakeGpu::numbersOf(void *Of) const {
  std::vector<int> Out;
  for (const ChainNode &Each : Chains.at(Of)->Nodes)
    Out.push_back(Each.Number);
  return Out;
}

Status FakeGpu::setWork(void *Of, unsigned Place, const GpuWork &What) {
  if (RefusesCopies && std::holds_alternative<GpuCopy>(What))
    return {StatusCode::Device, "another kind of memory"};
  ChainNode &Node = Chains.at(Of)->Nodes.at(Place);
  EXPECT_EQ(Node.Kind, kindOf(What)) << "another kernel costs a launch";
  const bool WasByBlock = Node.ByBlock.has_value();
  Node = nodeOf(What);
  EXPECT_EQ(Node.ByBlock.has_value(), WasByBlock) << "another variant is too";
  ++NodesSet;
  return {};
}

/// A node starts early behind a launch; a copy is in order. The first node is
/// behind all that came before the chain.
void FakeGpu::launchByBlock(const Chain &Run) {
  EXPECT_EQ(Run.Order, ChainOrder::line(Run.Nodes.size()));
  for (size_t I = 0; I < Run.Nodes.size(); ++I) {
    const ChainNode &Each = Run.Nodes[I];
    const bool IsFirst =
        std::all_of(Run.Nodes.begin(), Run.Nodes.begin() + long(I),
                    [](const ChainNode &Other) { return Other.Number == -1; });
    upload(Each.Work, Run.Stream);
    if (Each.Number != -1)
      Earlies.push_back({Each.Number, Run.Stream, !IsFirst});
    Operation Next;
    if (Each.ByBlock)
      Next = *Each.ByBlock;
    if (Each.isLaunch())
      LastByBlock = Next.Entry;
    Next.Programmatic = I > 0 && Run.Nodes[I - 1].isLaunch() && Each.isLaunch();
    Pending.push_back(Next);
  }
}

/// Runs the nodes one by one, each time any of those that wait for nothing.
Status FakeGpu::launchChain(void *Of, void *Stream) {
  Chain &Run = *Chains.at(Of);
  EXPECT_TRUE(!Run.Launched || Run.Stream == Stream)
      << "it would wait for the other stream";
  Run.Launched = true;
  Run.Stream = Stream;
  Orders.push_back(Run.Order);
  const bool IsByBlock =
      std::any_of(Run.Nodes.begin(), Run.Nodes.end(),
                  [](const ChainNode &Each) { return Each.isLaunch(); });
  for (const ChainNode &Each : Run.Nodes)
    if (Each.Number != -1)
      Passed += IsByBlock ? ByBlockTime : InOrderTime;
  if (IsByBlock) {
    launchByBlock(Run);
    return {};
  }
  std::vector<bool> Done(Run.Nodes.size());
  for (size_t Count = 0; Count < Done.size(); ++Count) {
    std::vector<size_t> Ready;
    for (size_t I = 0; I < Done.size(); ++I) {
      const std::vector<uint32_t> &Behind = Run.Order.Behind.at(I);
      if (!Done[I] && std::all_of(Behind.begin(), Behind.end(),
                                  [&](uint32_t Each) { return Done[Each]; }))
        Ready.push_back(I);
    }
    const size_t Next = Ready.at(Random() % Ready.size());
    Done[Next] = true;
    upload(Run.Nodes[Next].Work, Stream);
    Earlies.push_back({Run.Nodes[Next].Number, Stream, Count > 0});
  }
  return {};
}

void FakeGpu::releaseChain(void *Of) { Chains.erase(Of); }

size_t FakeGpu::chainsOfMemory() const {
  return std::ranges::count_if(Chains, [](const auto &Each) {
    return !std::ranges::all_of(Each.second->Nodes, [](const ChainNode &Node) {
      return std::holds_alternative<GpuLaunch>(Node.Work);
    });
  });
}

Result<void *> FakeGpu::mark(void *) {
  auto Made = std::make_unique<std::chrono::nanoseconds>(Passed);
  void *Name = Made.get();
  Marks[Name] = std::move(Made);
  return Name;
}

std::optional<std::chrono::nanoseconds> FakeGpu::between(void *First,
                                                         void *Last) {
  if (!Arrives)
    return {};
  return *Marks.at(Last) - *Marks.at(First);
}

void FakeGpu::releaseMark(void *Mark) { Marks.erase(Mark); }

Status FakeGpu::launch(const GpuLaunch &What) {
  if (!LaunchResult.ok())
    return LaunchResult;
  if (What.Form == KernelVariant::Plain) {
    EXPECT_FALSE(What.Programmatic) << "it waits for nothing";
    Plains.push_back(What);
    return {};
  }
  if (What.Form == KernelVariant::Pdl) {
    EXPECT_TRUE(What.Programmatic);
    Earlies.push_back({numberOf(GpuWork(What)), What.Stream, false});
    return {};
  }
  Launched.push_back(What);
  Operation Next;
  if (What.Form == KernelVariant::Prelaunch) {
    Next = prelaunchOf(What);
    Gates.push_back(Next.Entry);
  } else if (What.Form == KernelVariant::Timed) {
    EXPECT_FALSE(What.Programmatic) << "it waits for nothing";
    Next = timedOf(What);
    Timed.push_back(Next.Entry.Times);
  } else {
    Next.Programmatic = What.Programmatic;
    Next.Blocks = What.Grid.count();
    Next.Grid = What.Grid;
    Next.Kind = Operation::Persistent;
    Next.Work = *static_cast<Batch *>(What.Arguments[0]);
    Batches.push_back(Next.Work);
  }
  Pending.push_back(Next);
  return {};
}

Status FakeGpu::synchronize(void *) {
  ++Waits;
  passAll();
  run();
  write(Written.size());
  return {};
}

/// Runs of prelaunch launches overlap; everything else runs alone.
void FakeGpu::run() {
  std::vector<Operation> All;
  All.swap(Pending);
  for (Operation &Each : All) {
    if (Each.Kind == Operation::Prelaunch) {
      Pending.push_back(Each);
      continue;
    }
    runChain();
    switch (Each.Kind) {
    case Operation::Copy:
      std::memcpy(Each.To, Each.From, Each.Bytes);
      break;
    case Operation::Clear:
      std::memset(Each.To, 0, Each.Bytes);
      break;
    case Operation::Retire:
      Memory.erase(Each.To);
      break;
    default:
      runBatch(Each);
    }
  }
  runChain();
}

bool FakeGpu::done(const GatePiece &Piece, const int32_t Block[3]) const {
  ProducerBox Box = producersOf<int32_t>(Piece.Piece, Block);
  for (int32_t Z = Box.Low[2]; Z <= Box.High[2]; ++Z)
    for (int32_t Y = Box.Low[1]; Y <= Box.High[1]; ++Y)
      for (int32_t X = Box.Low[0]; X <= Box.High[0]; ++X)
        if (Piece.Done[Z * Piece.GridXY + Y * Piece.GridX + X] < Piece.Epoch)
          return false;
  return true;
}

bool FakeGpu::complete(size_t Index) const {
  const Operation &What = Pending[Index];
  return What.Finished == What.Blocks && (Index == 0 || complete(Index - 1));
}

/// Whether a running block's waits are over.
bool FakeGpu::ready(size_t Index, uint32_t Block) const {
  const Operation &What = Pending[Index];
  const Gate &G = What.Entry;
  if (Block >= G.FirstLate)
    return Index == 0 || complete(Index - 1);
  for (unsigned I = 0; I < G.CountCount; ++I)
    if (*G.Counts[I].Counter < G.Counts[I].Target)
      return false;
  Dim3 At = blockOf(Block, What.Grid);
  int32_t Place[3] = {int32_t(At.X), int32_t(At.Y), int32_t(At.Z)};
  for (unsigned I = ForgetsPieces; I < G.PieceCount; ++I)
    if (!done(G.Pieces[I], Place))
      return false;
  return true;
}

/// Whether blocks of the launch may start: the launch in front has completed,
/// or, for a programmatic launch, all its blocks have triggered; where they do
/// not trigger, they have exited.
bool FakeGpu::admitted(size_t Index) const {
  if (Index == 0 || complete(Index - 1))
    return true;
  const Operation &Before = Pending[Index - 1];
  const GateCount &Window = Before.Entry.Window;
  const uint32_t Triggered =
      Before.Entry.Done ? Before.Started : Before.Finished;
  return Pending[Index].Programmatic && Triggered == Before.Blocks &&
         (!Window.Counter || *Window.Counter >= Window.Target);
}

uint32_t FakeGpu::residentNow() const {
  uint32_t Sum = 0;
  for (const Operation &Each : Pending)
    Sum += Each.Running.size();
  return Sum;
}

/// Memory hears of it where there are notes.
void FakeGpu::noteStart(uint64_t Launch, uint64_t Block, BlockTime *Notes,
                        uint64_t Place) {
  const uint64_t Start = now();
  RanAt[{Launch, Block}].Start = Start;
  if (Notes)
    Written.push_back({&Notes[Place].Start, Start, sizeof(uint64_t)});
}

void FakeGpu::noteEnd(uint64_t Launch, uint64_t Block, BlockTime *Notes,
                      uint64_t Place) {
  BlockTime &Real = RanAt[{Launch, Block}];
  Real.End = now();
  Real.Where = 1 + Random() % 132;
  if (!Notes)
    return;
  Written.push_back({&Notes[Place].End, Real.End, sizeof(uint64_t)});
  Written.push_back({&Notes[Place].Where, Real.Where, sizeof(uint32_t)});
}

void FakeGpu::finish(Operation &What, size_t Position) {
  uint32_t Block = What.Running[Position];
  noteStart(What.Entry.Launch, Block, What.Entry.Times, Block);
  Body(What.Entry.Launch, Block);
  noteEnd(What.Entry.Launch, Block, What.Entry.Times, Block);
  What.Running.erase(What.Running.begin() + Position);
  ++What.Finished;
  if (!What.Entry.Done)
    return;
  What.Entry.Done[Block] = What.Entry.Epoch;
  ++*What.Entry.Counter;
}

/// Starts or finishes one block of the first launch in Order that can.
bool FakeGpu::step(std::vector<size_t> Order) {
  for (size_t Index : Order) {
    Operation &What = Pending[Index];
    bool Starts = What.Started < What.Blocks && admitted(Index) &&
                  residentNow() < Resident;
    if (Starts && (What.Running.empty() || Random() % 2)) {
      What.Running.push_back(What.Started++);
      return true;
    }
    size_t First = What.Running.empty() ? 0 : Random() % What.Running.size();
    for (size_t I = 0; I < What.Running.size(); ++I) {
      size_t Position = (First + I) % What.Running.size();
      if (ready(Index, What.Running[Position])) {
        finish(What, Position);
        return true;
      }
    }
    if (Starts) {
      What.Running.push_back(What.Started++);
      return true;
    }
  }
  return false;
}

void FakeGpu::runChain() {
  std::vector<size_t> Order(Pending.size());
  for (size_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
  while (!Pending.empty() && !complete(Pending.size() - 1)) {
    std::shuffle(Order.begin(), Order.end(), Random);
    if (!step(Order)) {
      Deadlock = true;
      break;
    }
  }
  Pending.clear();
}

FakeGpu::OpenBatch::OpenBatch(const Batch &B) : Batch(B) {
  uint32_t Offset = 0;
  for (uint32_t Bytes = B.FirstBytes; Bytes != 0;) {
    auto *L = reinterpret_cast<const BatchLaunch *>(B.Records + Offset);
    EXPECT_EQ(L->Offset, Offset);
    EXPECT_EQ(L->Bytes, Bytes);
    Launches.push_back(L);
    Offset += Bytes;
    Bytes = L->NextBytes;
  }
  EXPECT_EQ(Launches.size(), B.LaunchCount);
}

/// Gives a worker its next block; false when there is none.
bool FakeGpu::take(const OpenBatch &B, Worker &By, uint32_t Number,
                   uint32_t Workers) {
  if (B.Mode == uint32_t(Placement::Tickets)) {
    uint64_t Ticket = (*B.Ticket)++ - B.FirstTicketValue;
    if (Ticket >= B.Tickets)
      return false;
    By.Launch = 0;
    while (Ticket - B.Launches[By.Launch]->FirstTicket >=
           B.Launches[By.Launch]->Blocks)
      ++By.Launch;
    By.Block = Ticket - B.Launches[By.Launch]->FirstTicket;
    return true;
  }
  while (By.Block >= B.Launches[By.Launch]->Blocks) {
    if (++By.Launch == B.LaunchCount)
      return false;
    By.Block = Number;
  }
  (void)Workers;
  return true;
}

bool FakeGpu::readyIn(const OpenBatch &B, const Worker &By) const {
  const BatchLaunch &L = *B.Launches[By.Launch];
  const unsigned char *Record = B.Records + L.Offset;
  auto *Counts = reinterpret_cast<const GateCount *>(Record + L.CountsAt);
  for (uint32_t I = 0; I < L.CountCount; ++I)
    if (*Counts[I].Counter < Counts[I].Target)
      return false;
  Dim3 At = blockOf(By.Block, {L.Grid[0], L.Grid[1], L.Grid[2]});
  int32_t Place[3] = {int32_t(At.X), int32_t(At.Y), int32_t(At.Z)};
  auto *Pieces = reinterpret_cast<const GatePiece *>(Record + L.PiecesAt);
  for (uint32_t I = ForgetsPieces; I < L.PieceCount; ++I)
    if (!done(Pieces[I], Place))
      return false;
  return true;
}

void FakeGpu::runBatch(const Operation &What) {
  const OpenBatch B(What.Work);
  if (B.Mode == uint32_t(Placement::Tickets)) {
    EXPECT_EQ(*B.Ticket, B.FirstTicketValue);
  }
  std::vector<Worker> Workers(What.Blocks);
  for (uint32_t I = 0; I < Workers.size(); ++I)
    Workers[I].Block = I;
  size_t Left = Workers.size();
  unsigned Idle = 0;
  while (Left != 0 && !Deadlock) {
    uint32_t Number = Random() % Workers.size();
    Worker &By = Workers[Number];
    if (!By.Busy && !By.Gone) {
      By.Busy = take(B, By, Number, What.Blocks);
      By.Gone = !By.Busy;
      Left -= By.Gone;
      Idle = 0;
    } else if (By.Busy && readyIn(B, By)) {
      const BatchLaunch &L = *B.Launches[By.Launch];
      noteStart(L.Launch, By.Block, B.Times, L.FirstTicket + By.Block);
      Body(L.Launch, By.Block);
      noteEnd(L.Launch, By.Block, B.Times, L.FirstTicket + By.Block);
      if (L.Done)
        L.Done[By.Block] = B.Epoch;
      if (L.Counter)
        ++*L.Counter;
      By.Busy = false;
      By.Block += What.Blocks;
      Idle = 0;
    }
    Deadlock = ++Idle > 1000000;
  }
}

} // namespace blockmaestro
