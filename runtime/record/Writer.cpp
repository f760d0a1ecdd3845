// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "Chunk.h"
#include "RecordingFile.h"
#include "RelationBody.h"
#include "TraceBody.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace blockmaestro {

using namespace record;

namespace {

/// A chunk is written once its buffer has grown past this.
constexpr size_t ChunkTarget = size_t(64) << 10;

/// Strings are forgotten once so many bytes of them are remembered.
constexpr size_t InternedTarget = size_t(4) << 20;

/// What the next event's numbers are told apart from; a blocks chunk begins
/// with zeros, so that every chunk can be read by itself.
struct BlockContext {
  Event Last;
  BlockCost Cost;
};

void writeCost(ByteWriter &To, const BlockCost &Cost, const BlockCost &Last) {
  for (const CostField &F : CostFields)
    To.signedNumber(int64_t(Cost.*F.Value - Last.*F.Value));
}

bool sameCost(const BlockCost &A, const BlockCost &B) {
  return std::ranges::all_of(
      CostFields, [&](const CostField &F) { return A.*F.Value == B.*F.Value; });
}

void writeDim(ByteWriter &To, Dim3 Size) {
  for (unsigned J = 0; J < 3; ++J)
    To.number(Size[J]);
}

} // namespace

namespace {

/// How often this process, and those that it comes from, have been forked.
std::atomic<unsigned> Forks{0};

unsigned forksSoFar() {
  static const int Watched =
      ::pthread_atfork(nullptr, nullptr, [] { ++Forks; });
  (void)Watched;
  return Forks.load(std::memory_order_relaxed);
}

} // namespace

/// Adds Body, which is emptied, as a chunk; an empty one makes none.
static void packInto(std::vector<uint8_t> &Out, ChunkType Type,
                     ByteWriter &Body) {
  if (Body.Bytes.empty())
    return;
  const std::vector<uint8_t> Chunk = packChunk(Type, Body.Bytes);
  Out.insert(Out.end(), Chunk.begin(), Chunk.end());
  Body.Bytes.clear();
}

struct RecordingWriter::State {
  std::mutex Lock;
  std::unique_ptr<RecordingFile> File; ///< Null once it is closed.
  std::string Asked;                   ///< The name that was asked for.
  ChildName NameOfChild;
  std::filesystem::path Folder; ///< In which names begin.
  std::string OtherPath; ///< Of the file, if it is not what was asked for.
  unsigned Forked = 0;   ///< forksSoFar() of the process whose file it is.
  Status Failure;
  ByteWriter Control;
  ByteWriter Blocks;
  BlockContext Context;
  ByteWriter Warps;
  TraceWriter Traces;
  std::unordered_map<std::string, uint64_t> Interned;
  size_t InternedBytes = 0;
  /// What is known of a thread of the host that has an entry.
  struct HostThread {
    uint32_t Number = 0;
    uint64_t Ns = 0;    ///< That it had computed before its last entry.
    uint64_t Until = 0; ///< It has waited for so many launches and copies.
  };
  std::unordered_map<uint32_t, HostThread> Host;
  uint64_t Launches = 0;
  uint64_t Copies = 0;
  uint64_t Events = 0;
  enum class LastEntry { Node, Fence, Wait } Last = LastEntry::Node;
  bool Costs = true;
  uint32_t WarpsOneIn = 0;

  bool isInChild() const { return Forked != forksSoFar(); }
  void enterChild();
  void noteName();
  void write(const std::vector<uint8_t> &Bytes);
  void writeChunk(ChunkType Type, ByteWriter &Body);
  void flush();
  ByteWriter &begin(ControlEntry Kind);
  ByteWriter &begin(ControlEntry Kind, const HostTime &Asked);
  void waited(uint32_t Thread, uint64_t Until);
  void end();
  void intern(const std::string &Text);
  void relations(const std::vector<RecordedRelation> &Needs, Dim3 ConsumerGrid);
};

/// Writes all of Bytes or sets Failure.
void RecordingWriter::State::write(const std::vector<uint8_t> &Bytes) {
  if (Failure.ok() && File)
    Failure = File->write(Bytes);
}

/// In a child of the process whose file it is, before what the child adds: a
/// file of its own, which begins with all that there is.
void RecordingWriter::State::enterChild() {
  if (!isInChild())
    return;
  Forked = forksSoFar();
  if (!File || !Failure.ok())
    return;
  const std::string Parent = Asked;
  if (NameOfChild)
    Asked = NameOfChild();
  const std::string To =
      Asked != Parent ? Asked : Asked + "." + std::to_string(::getpid());
  Result<std::unique_ptr<RecordingFile>> Own = File->copyTo(Folder / To);
  if (!Own.ok()) {
    Failure = Own.status();
    return;
  }
  File = std::move(*Own);
  noteName();
}

/// Links do not make it another one.
void RecordingWriter::State::noteName() {
  const std::string Suffix = "." + std::to_string(::getpid());
  OtherPath = File->path().ends_with(Suffix) && !Asked.ends_with(Suffix)
                  ? File->path()
                  : std::string();
}

/// Writes and empties Body; an empty one makes no chunk.
void RecordingWriter::State::writeChunk(ChunkType Type, ByteWriter &Body) {
  std::vector<uint8_t> Chunk;
  packInto(Chunk, Type, Body);
  write(Chunk);
}

/// Control first, so that a block's launch is always before it. A child that
/// has added nothing has no file of its own.
void RecordingWriter::State::flush() {
  if (isInChild() ||
      (Control.Bytes.empty() && Blocks.Bytes.empty() && Warps.Bytes.empty()))
    return;
  std::vector<uint8_t> Chunks;
  packInto(Chunks, ChunkType::Control, Control);
  packInto(Chunks, ChunkType::Blocks, Blocks);
  packInto(Chunks, ChunkType::Warps, Warps);
  write(Chunks);
  Context = BlockContext();
  Traces.beginChunk();
}

/// Where the next entry of the control chunk goes, its kind written.
ByteWriter &RecordingWriter::State::begin(ControlEntry Kind) {
  if (InternedBytes > InternedTarget) {
    Control.byte(uint8_t(ControlEntry::Forget));
    Interned.clear();
    InternedBytes = 0;
  }
  Control.byte(uint8_t(Kind));
  return Control;
}

/// The same for what the program has asked for.
ByteWriter &RecordingWriter::State::begin(ControlEntry Kind,
                                          const HostTime &Asked) {
  begin(Kind);
  const HostThread First = {uint32_t(Host.size())};
  HostThread &Last = Host.try_emplace(Asked.Thread, First).first->second;
  const uint64_t Before = std::exchange(Last.Ns, std::max(Last.Ns, Asked.Ns));
  Control.number(Last.Number);
  Control.number(Last.Ns - Before);
  return Control;
}

/// A thread that has an entry has waited for so many launches and copies.
void RecordingWriter::State::waited(uint32_t Thread, uint64_t Until) {
  const auto Known = Host.find(Thread);
  if (Known != Host.end())
    Known->second.Until = std::max(Known->second.Until, Until);
}

/// After an entry.
void RecordingWriter::State::end() {
  if (Control.Bytes.size() >= ChunkTarget)
    flush();
}

/// Writes Text the first time, its number from then on.
void RecordingWriter::State::intern(const std::string &Text) {
  auto [Where, New] = Interned.try_emplace(Text, Interned.size());
  Control.number(Where->second);
  if (!New)
    return;
  Control.text(Text);
  InternedBytes += Text.size();
}

/// The relations of the entry that has been begun, which has so many blocks.
void RecordingWriter::State::relations(
    const std::vector<RecordedRelation> &Needs, Dim3 ConsumerGrid) {
  Control.number(Needs.size());
  for (const RecordedRelation &Need : Needs) {
    uint64_t Before = (Need.ProducerIsCopy ? Copies : Launches) - Need.Producer;
    Control.number(Before << RelationShift |
                   (Need.ProducerIsCopy ? FromCopy : 0));
    intern(packRelation(Need, ConsumerGrid));
    if (!Need.Reason.empty())
      intern(Need.Reason);
  }
}

RecordingWriter::RecordingWriter(std::unique_ptr<State> Inside)
    : Inside(std::move(Inside)) {}

RecordingWriter::~RecordingWriter() = default;

Result<std::unique_ptr<RecordingWriter>>
RecordingWriter::open(const std::string &Path, const RecordingInfo &Info,
                      ChildName NameOfChild) {
  auto Inside = std::make_unique<State>();
  Inside->Costs = Info.Costs;
  Inside->WarpsOneIn = Info.WarpsOneIn;
  Result<std::unique_ptr<RecordingFile>> File = RecordingFile::create(Path);
  if (!File.ok())
    return File.status();
  Inside->File = std::move(*File);
  Inside->Asked = Path;
  Inside->NameOfChild = std::move(NameOfChild);
  std::error_code Unknown;
  Inside->Folder = std::filesystem::current_path(Unknown);
  Inside->Forked = forksSoFar();
  Inside->noteName();
  ByteWriter Preamble;
  Preamble.word(RecordingMagic);
  Preamble.word(RecordingVersion);
  Inside->write(Preamble.Bytes);
  ByteWriter Body;
  Body.text(Info.Program);
  Body.text(Info.Device);
  Body.text(Info.Executor);
  Body.number(Info.Window);
  Body.number(std::size(CostFields));
  for (const CostField &F : CostFields)
    Body.text(F.Name);
  Body.number(Info.WarpsOneIn);
  Inside->writeChunk(ChunkType::Info, Body);
  if (!Inside->Failure.ok())
    return Inside->Failure;
  return std::unique_ptr<RecordingWriter>(
      new RecordingWriter(std::move(Inside)));
}

void RecordingWriter::launch(const RecordedLaunch &What,
                             const std::vector<RecordedRelation> &Needs) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  Inside->enterChild();
  ByteWriter &To = Inside->begin(ControlEntry::Launch, What.Asked);
  Inside->intern(What.Kernel);
  writeDim(To, What.Grid);
  writeDim(To, What.Block);
  To.number(What.SharedBytes);
  To.number(What.Registers);
  To.number(What.RegistersAsRun);
  To.number(What.Degraded.size());
  for (const std::string &Reason : What.Degraded)
    Inside->intern(Reason);
  Inside->relations(Needs, What.Grid);
  ++Inside->Launches;
  Inside->Last = State::LastEntry::Node;
  Inside->end();
}

void RecordingWriter::copy(const RecordedCopy &What,
                           const std::vector<RecordedRelation> &Needs) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  Inside->enterChild();
  ByteWriter &To = Inside->begin(ControlEntry::Copy, What.Asked);
  Inside->intern(What.Call);
  To.number(What.Bytes);
  To.byte(What.HostWaits);
  To.byte(uint8_t(What.From));
  To.byte(uint8_t(What.To));
  To.number(What.Ranges.size());
  for (const RecordedRange &R : What.Ranges) {
    To.number(R.Address);
    To.number(R.Bytes);
    To.byte(R.Writes);
  }
  Inside->relations(Needs, {1, 1, 1});
  ++Inside->Copies;
  if (What.HostWaits)
    Inside->waited(What.Asked.Thread, Inside->Launches + Inside->Copies);
  Inside->Last = State::LastEntry::Node;
  Inside->end();
}

void RecordingWriter::observe(const RecordedObservation &What) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  if (Inside->isInChild())
    return;
  ByteWriter &To = Inside->begin(ControlEntry::Observation);
  To.number(Inside->Launches - What.Consumer);
  To.number(What.Consumer - What.Producer);
  To.number(What.TrueEdges);
  To.number(What.Missing);
  Inside->end();
}

void RecordingWriter::barrier(const std::string &What, bool HostWaits,
                              const HostTime &Asked) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  if (Inside->isInChild())
    return;
  const auto Kind =
      HostWaits ? State::LastEntry::Wait : State::LastEntry::Fence;
  if (Inside->Last < Kind) {
    ByteWriter &To = Inside->begin(ControlEntry::Barrier, Asked);
    Inside->intern(What);
    To.byte(HostWaits);
    Inside->Last = Kind;
  }
  if (HostWaits)
    Inside->waited(Asked.Thread, Inside->Launches + Inside->Copies);
  Inside->flush();
}

void RecordingWriter::wait(const std::string &What, uint64_t Until,
                           const HostTime &Asked) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  if (Inside->isInChild())
    return;
  const auto Known = Inside->Host.find(Asked.Thread);
  if (Known != Inside->Host.end() && Until <= Known->second.Until)
    return;
  ByteWriter &To = Inside->begin(ControlEntry::Wait, Asked);
  Inside->intern(What);
  To.number(Inside->Launches + Inside->Copies - Until);
  Inside->waited(Asked.Thread, Until);
  Inside->end();
}

bool RecordingWriter::wantsCosts() const { return Inside->Costs; }

void RecordingWriter::blockRan(const Event &What, const BlockCost *Cost) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  Inside->enterChild();
  ByteWriter &To = Inside->Blocks;
  BlockContext &Context = Inside->Context;
  To.signedNumber(int64_t(What.Launch - Context.Last.Launch));
  To.signedNumber(int64_t(What.Block - Context.Last.Block));
  To.signedNumber(int64_t(What.Start - Context.Last.Start));
  To.number(What.End - What.Start);
  To.signedNumber(int64_t(What.Where) - int64_t(Context.Last.Where));
  Context.Last = What;
  CostForm Form = !Cost                           ? CostForm::None
                  : sameCost(*Cost, Context.Cost) ? CostForm::SameAsLast
                                                  : CostForm::Given;
  To.byte(uint8_t(Form));
  if (Form == CostForm::Given) {
    writeCost(To, *Cost, Context.Cost);
    Context.Cost = *Cost;
  }
  ++Inside->Events;
  if (To.Bytes.size() >= ChunkTarget)
    Inside->flush();
}

uint32_t RecordingWriter::warpsOneIn() const { return Inside->WarpsOneIn; }

void RecordingWriter::warpsRan(const BlockTrace &What) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  Inside->enterChild();
  Inside->Traces.block(What, Inside->Warps);
  if (Inside->Warps.Bytes.size() >= ChunkTarget)
    Inside->flush();
}

Status RecordingWriter::flush() {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  Inside->flush();
  return Inside->Failure;
}

std::string RecordingWriter::otherPath() const {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  return Inside->OtherPath;
}

Status RecordingWriter::close() {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  if (!Inside->File || Inside->isInChild())
    return Inside->Failure;
  Inside->flush();
  ByteWriter End;
  End.number(Inside->Launches);
  End.number(Inside->Copies);
  End.number(Inside->Events);
  End.number(Inside->Traces.blocks());
  Inside->writeChunk(ChunkType::End, End);
  if (Inside->Failure.ok())
    Inside->Failure = Inside->File->finish();
  Inside->File.reset();
  return Inside->Failure;
}

} // namespace blockmaestro
