// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "Format.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <unistd.h>

namespace blockmaestro {

using namespace record;

namespace {

/// A chunk is written once its buffer has grown past this.
constexpr size_t ChunkTarget = size_t(64) << 10;

/// What the next event's numbers are told apart from; a blocks chunk begins
/// with zeros, so that every chunk can be read by itself.
struct BlockContext {
  Event Last;
  BlockCost Cost;
};

void writeCost(ByteWriter &To, const BlockCost &Cost, const BlockCost &Last) {
  for (auto Field : {&BlockCost::Arithmetic, &BlockCost::GlobalReads,
                     &BlockCost::GlobalWrites, &BlockCost::SharedAccesses,
                     &BlockCost::Barriers, &BlockCost::Other})
    To.signedNumber(int64_t(Cost.*Field - Last.*Field));
}

bool sameCost(const BlockCost &A, const BlockCost &B) {
  return A.Arithmetic == B.Arithmetic && A.GlobalReads == B.GlobalReads &&
         A.GlobalWrites == B.GlobalWrites &&
         A.SharedAccesses == B.SharedAccesses && A.Barriers == B.Barriers &&
         A.Other == B.Other;
}

void writeDim(ByteWriter &To, Dim3 Size) {
  for (unsigned J = 0; J < 3; ++J)
    To.number(Size[J]);
}

/// A relation without its launches: what repeats from launch to launch.
std::string relationBody(const RecordedRelation &What) {
  ByteWriter To;
  To.byte(What.Hazards);
  To.byte(uint8_t(What.Exact) | uint8_t(uint8_t(What.Implied) << 1));
  To.number(What.Header.Kind);
  for (uint32_t Size : What.Header.ProducerGrid)
    To.number(Size);
  To.text(What.Reason);
  To.number(What.Pieces.size());
  for (size_t I = 0; I < What.Pieces.size(); ++I) {
    forEachField(What.Pieces[I], [&](int32_t F) { To.signedNumber(F); });
    To.byte(What.PieceHazards[I]);
  }
  return {To.Bytes.begin(), To.Bytes.end()};
}

} // namespace

struct RecordingWriter::State {
  std::mutex Lock;
  int File = -1;
  Status Failure;
  ByteWriter Control;
  ByteWriter Blocks;
  BlockContext Context;
  std::map<std::string, uint64_t> Interned;
  uint64_t Launches = 0;
  uint64_t Events = 0;
  bool BarrierPending = false;

  ~State() {
    if (File >= 0)
      ::close(File);
  }

  void write(const std::vector<uint8_t> &Bytes);
  void writeChunk(ChunkType Type, ByteWriter &Body);
  void flush();
  void intern(const std::string &Text);
};

/// Writes all of Bytes or sets Failure.
void RecordingWriter::State::write(const std::vector<uint8_t> &Bytes) {
  for (size_t Done = 0; Failure.ok() && Done < Bytes.size();) {
    ssize_t Count = ::write(File, Bytes.data() + Done, Bytes.size() - Done);
    if (Count >= 0)
      Done += size_t(Count);
    else if (errno != EINTR)
      Failure = Status(StatusCode::Io, std::string("cannot write recording: ") +
                                           std::strerror(errno));
  }
}

/// Writes and empties Body; an empty one makes no chunk.
void RecordingWriter::State::writeChunk(ChunkType Type, ByteWriter &Body) {
  if (Body.Bytes.empty())
    return;
  ByteWriter Chunk;
  Chunk.word(uint32_t(Type));
  Chunk.word(uint32_t(Body.Bytes.size()));
  Chunk.word(checksum(Body.Bytes.data(), Body.Bytes.size()));
  Chunk.word(checksum(Chunk.Bytes.data(), Chunk.Bytes.size()));
  Chunk.Bytes.insert(Chunk.Bytes.end(), Body.Bytes.begin(), Body.Bytes.end());
  write(Chunk.Bytes);
  Body.Bytes.clear();
}

/// Control first, so that a block's launch is always before it.
void RecordingWriter::State::flush() {
  writeChunk(ChunkType::Control, Control);
  writeChunk(ChunkType::Blocks, Blocks);
  Context = BlockContext();
}

/// Writes Text the first time, its number from then on.
void RecordingWriter::State::intern(const std::string &Text) {
  auto [Where, New] = Interned.try_emplace(Text, Interned.size());
  Control.number(Where->second);
  if (New)
    Control.text(Text);
}

RecordingWriter::RecordingWriter(std::unique_ptr<State> Inside)
    : Inside(std::move(Inside)) {}

RecordingWriter::~RecordingWriter() = default;

Result<std::unique_ptr<RecordingWriter>>
RecordingWriter::open(const std::string &Path, const RecordingInfo &Info) {
  auto Inside = std::make_unique<State>();
  Inside->File =
      ::open(Path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (Inside->File < 0)
    return Status(StatusCode::Io, "cannot create recording " + Path + ": " +
                                      std::strerror(errno));
  ByteWriter Preamble;
  Preamble.word(RecordingMagic);
  Preamble.word(RecordingVersion);
  Inside->write(Preamble.Bytes);
  ByteWriter Body;
  Body.text(Info.Program);
  Body.text(Info.Device);
  Body.text(Info.Executor);
  Body.number(Info.Window);
  Inside->writeChunk(ChunkType::Info, Body);
  if (!Inside->Failure.ok())
    return Inside->Failure;
  return std::unique_ptr<RecordingWriter>(
      new RecordingWriter(std::move(Inside)));
}

void RecordingWriter::launch(const RecordedLaunch &What,
                             const std::vector<RecordedRelation> &Needs) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  ByteWriter &To = Inside->Control;
  To.byte(uint8_t(ControlEntry::Launch));
  Inside->intern(What.Kernel);
  writeDim(To, What.Grid);
  writeDim(To, What.Block);
  To.number(What.SharedBytes);
  To.number(What.Degraded.size());
  for (const std::string &Reason : What.Degraded)
    Inside->intern(Reason);
  To.number(Needs.size());
  for (const RecordedRelation &Need : Needs) {
    To.number(What.Id - Need.Producer);
    Inside->intern(relationBody(Need));
  }
  ++Inside->Launches;
  Inside->BarrierPending = false;
  if (To.Bytes.size() >= ChunkTarget)
    Inside->flush();
}

void RecordingWriter::barrier(const std::string &What) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  if (!Inside->BarrierPending) {
    Inside->Control.byte(uint8_t(ControlEntry::Barrier));
    Inside->intern(What);
    Inside->BarrierPending = true;
  }
  Inside->flush();
}

void RecordingWriter::blockRan(const Event &What, const BlockCost *Cost) {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
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

Status RecordingWriter::flush() {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  Inside->flush();
  return Inside->Failure;
}

Status RecordingWriter::close() {
  std::lock_guard<std::mutex> Guard(Inside->Lock);
  if (Inside->File < 0)
    return Inside->Failure;
  Inside->flush();
  ByteWriter End;
  End.number(Inside->Launches);
  End.number(Inside->Events);
  Inside->writeChunk(ChunkType::End, End);
  if (::close(Inside->File) != 0 && Inside->Failure.ok())
    Inside->Failure =
        Status(StatusCode::Io,
               std::string("cannot close recording: ") + std::strerror(errno));
  Inside->File = -1;
  return Inside->Failure;
}

} // namespace blockmaestro
