// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reader.h"

#include "Chunk.h"
#include "RecordingFile.h"
#include "RelationBody.h"
#include "TraceBody.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <limits>
#include <unistd.h>

namespace blockmaestro {

using namespace record;

namespace {

constexpr uint64_t MaxWord = std::numeric_limits<uint32_t>::max();

/// Fills a Recording chunk by chunk. Each chunk function returns null or what
/// is wrong.
class Parser {
public:
  explicit Parser(Recording &Out) : Out(Out) {}

  const char *chunk(ChunkType Type, ByteReader &From);
  bool ended() const { return Ended; }

private:
  const char *info(ByteReader &From);
  const char *control(ByteReader &From);
  const char *launch(ByteReader &From);
  const char *copy(ByteReader &From);
  const char *observation(ByteReader &From);
  const char *relations(ByteReader &From, RecordedRelation What,
                        Dim3 ConsumerGrid);
  const char *relation(ByteReader &From, RecordedRelation &What,
                       Dim3 ConsumerGrid);
  const char *producer(ByteReader &From, RecordedRelation &What) const;
  Dim3 producerGrid(const RecordedRelation &What) const;
  const char *blocks(ByteReader &From);
  const char *end(ByteReader &From);
  template <typename Call> Call hostCall(ByteReader &From);
  const char *barrier(ByteReader &From);
  const char *wait(ByteReader &From);
  std::string interned(ByteReader &From);
  HostTime asked(ByteReader &From);
  void readCost(ByteReader &From, BlockCost &Cost) const;

  Recording &Out;
  /// What the numbers of a cost are in this file; null where unknown.
  std::vector<const CostField *> Fields;
  std::vector<std::string> Interned;
  /// How long each thread of the host has computed.
  std::vector<uint64_t> Host;
  TraceReader Traces;
  bool Begun = false;
  bool Ended = false;
};

Dim3 readDim(ByteReader &From) {
  Dim3 Size;
  Size.X = uint32_t(From.numberUpTo(MaxWord));
  Size.Y = uint32_t(From.numberUpTo(MaxWord));
  Size.Z = uint32_t(From.numberUpTo(MaxWord));
  return Size;
}

/// Grids CUDA can launch: at most 2^31-1 by 65535 by 65535, never empty.
bool validGrid(Dim3 Grid) {
  return Grid.X >= 1 && Grid.Y >= 1 && Grid.Z >= 1 && Grid.X <= 0x7fffffffu &&
         Grid.Y <= 0xffffu && Grid.Z <= 0xffffu;
}

MemoryPlace readPlace(ByteReader &From) {
  return MemoryPlace(From.numberUpTo(std::size(MemoryPlaceNames) - 1));
}

/// The number of a cost that is called Name, or null.
const CostField *fieldNamed(const std::string &Name) {
  for (const CostField &F : CostFields)
    if (Name == F.Name)
      return &F;
  return nullptr;
}

} // namespace

std::string Parser::interned(ByteReader &From) {
  size_t Index = From.numberUpTo(Interned.size());
  if (Index == Interned.size())
    Interned.push_back(From.text());
  return Interned[Index];
}

HostTime Parser::asked(ByteReader &From) {
  HostTime Out;
  Out.Thread = uint32_t(From.numberUpTo(Host.size()));
  if (Out.Thread == Host.size())
    Host.push_back(0);
  uint64_t &Ns = Host[Out.Thread];
  Ns += From.numberUpTo(~uint64_t(0) - Ns);
  Out.Ns = Ns;
  return Out;
}

const char *Parser::chunk(ChunkType Type, ByteReader &From) {
  if (!Begun && Type != ChunkType::Info)
    return "its first chunk is not the run's description";
  const char *Problem = nullptr;
  switch (Type) {
  case ChunkType::Info:
    Problem = info(From);
    break;
  case ChunkType::Control:
    Problem = control(From);
    break;
  case ChunkType::Blocks:
    Problem = blocks(From);
    break;
  case ChunkType::Warps:
    Problem = Traces.chunk(From, Out.Launches, Out.Traces);
    break;
  case ChunkType::End:
    Problem = end(From);
    break;
  default:
    return "a chunk has an unknown type";
  }
  if (!Problem && (From.failed() || !From.atEnd()))
    Problem = "a chunk's contents do not fit its size";
  return Problem;
}

const char *Parser::info(ByteReader &From) {
  if (Begun)
    return "it describes its run twice";
  Begun = true;
  Out.Program = From.text();
  Out.Device = From.text();
  Out.Executor = From.text();
  Out.Window = uint32_t(From.numberUpTo(MaxWord));
  for (size_t I = From.count(); I > 0; --I)
    Fields.push_back(fieldNamed(From.text()));
  Out.WarpsOneIn = uint32_t(From.numberUpTo(MaxWord));
  return nullptr;
}

const char *Parser::control(ByteReader &From) {
  while (!From.atEnd()) {
    const char *Problem = nullptr;
    switch (ControlEntry(From.byte())) {
    case ControlEntry::Launch:
      Problem = launch(From);
      break;
    case ControlEntry::Barrier:
      Problem = barrier(From);
      break;
    case ControlEntry::Wait:
      Problem = wait(From);
      break;
    case ControlEntry::Copy:
      Problem = copy(From);
      break;
    case ControlEntry::Observation:
      Problem = observation(From);
      break;
    case ControlEntry::Forget:
      Interned.clear();
      break;
    default:
      Problem = "a control chunk has an unknown entry";
    }
    if (Problem)
      return Problem;
  }
  return nullptr;
}

/// What barriers and waits begin with.
template <typename Call> Call Parser::hostCall(ByteReader &From) {
  Call What;
  What.BeforeLaunch = Out.Launches.size();
  What.BeforeCopy = Out.Copies.size();
  What.Asked = asked(From);
  What.What = interned(From);
  return What;
}

const char *Parser::barrier(ByteReader &From) {
  auto What = hostCall<RecordedBarrier>(From);
  What.HostWaits = From.flag();
  Out.Barriers.push_back(std::move(What));
  return nullptr;
}

const char *Parser::wait(ByteReader &From) {
  auto What = hostCall<RecordedWait>(From);
  const uint64_t Nodes = What.BeforeLaunch + What.BeforeCopy;
  What.Until = Nodes - From.numberUpTo(Nodes);
  Out.Waits.push_back(std::move(What));
  return nullptr;
}

const char *Parser::launch(ByteReader &From) {
  RecordedLaunch What;
  What.Id = Out.Launches.size();
  What.Asked = asked(From);
  What.Kernel = interned(From);
  What.Grid = readDim(From);
  What.Block = readDim(From);
  What.SharedBytes = uint32_t(From.numberUpTo(MaxWord));
  What.Registers = uint32_t(From.numberUpTo(MaxWord));
  for (size_t I = From.count(); I > 0; --I)
    What.Degraded.push_back(interned(From));
  if (From.failed())
    return "a launch is cut short";
  if (!validGrid(What.Grid) || !validGrid(What.Block))
    return "a launch has an impossible size";
  RecordedRelation Need;
  Need.Consumer = What.Id;
  const char *Problem = relations(From, Need, What.Grid);
  Out.Launches.push_back(std::move(What));
  return Problem;
}

const char *Parser::copy(ByteReader &From) {
  RecordedCopy What;
  What.Id = Out.Copies.size();
  What.Before = Out.Launches.size();
  What.Asked = asked(From);
  What.Call = interned(From);
  What.Bytes = From.number();
  What.HostWaits = From.flag();
  What.From = readPlace(From);
  What.To = readPlace(From);
  for (size_t I = From.count(); I > 0; --I) {
    RecordedRange &R = What.Ranges.emplace_back();
    R.Address = From.number();
    R.Bytes = From.number();
    R.Writes = From.flag();
  }
  if (From.failed())
    return "a copy is cut short";
  RecordedRelation Need;
  Need.Consumer = What.Id;
  Need.ConsumerIsCopy = true;
  const char *Problem = relations(From, Need, {1, 1, 1});
  Out.Copies.push_back(std::move(What));
  return Problem;
}

const char *Parser::observation(ByteReader &From) {
  RecordedObservation What;
  uint64_t Launches = Out.Launches.size();
  uint64_t Back = From.number();
  uint64_t Distance = From.number();
  What.TrueEdges = From.number();
  What.Missing = From.numberUpTo(What.TrueEdges);
  if (From.failed() || Back < 1 || Back > Launches || Distance < 1 ||
      Distance > Launches - Back)
    return "an observation is not of two launches";
  What.Consumer = Launches - Back;
  What.Producer = What.Consumer - Distance;
  Out.Observations.push_back(What);
  return nullptr;
}

Dim3 Parser::producerGrid(const RecordedRelation &What) const {
  return What.ProducerIsCopy ? Dim3{1, 1, 1} : Out.Launches[What.Producer].Grid;
}

const char *Parser::producer(ByteReader &From, RecordedRelation &What) const {
  uint64_t Number = From.number();
  uint64_t Before = Number >> RelationShift;
  What.ProducerIsCopy = Number & FromCopy;
  uint64_t Known =
      What.ProducerIsCopy ? Out.Copies.size() : Out.Launches.size();
  if (From.failed() || Before < 1 || Before > Known)
    return "a relation names a producer that is not earlier";
  What.Producer = Known - Before;
  return nullptr;
}

/// One relation, whose consumer is known, and what it takes.
const char *Parser::relation(ByteReader &From, RecordedRelation &What,
                             Dim3 ConsumerGrid) {
  const size_t Before = From.left();
  if (const char *Problem = producer(From, What))
    return Problem;
  const size_t Known = Interned.size();
  const std::string Body = interned(From);
  What.Stored.Form = uint32_t(Body.size());
  What.Stored.IsShared = Interned.size() == Known;
  bool HasReason = false;
  if (const char *Problem = unpackRelation(Body, producerGrid(What),
                                           ConsumerGrid, What, HasReason))
    return Problem;
  if (HasReason)
    What.Reason = interned(From);
  What.Stored.Bytes = uint32_t(Before - From.left());
  return From.failed() ? "a relation is cut short" : nullptr;
}

/// The relations of a launch or copy that is not in Out yet; What has it as
/// consumer.
const char *Parser::relations(ByteReader &From, RecordedRelation What,
                              Dim3 ConsumerGrid) {
  for (size_t I = From.count(); I > 0; --I) {
    RecordedRelation One = What;
    if (const char *Problem = relation(From, One, ConsumerGrid))
      return Problem;
    bool OfCopy = One.ProducerIsCopy || One.ConsumerIsCopy;
    (OfCopy ? Out.CopyRelations : Out.Relations).push_back(std::move(One));
  }
  return nullptr;
}

void Parser::readCost(ByteReader &From, BlockCost &Cost) const {
  for (const CostField *F : Fields) {
    uint64_t Change = uint64_t(From.signedNumber());
    if (F)
      Cost.*F->Value += Change;
  }
}

const char *Parser::blocks(ByteReader &From) {
  Event Last;
  BlockCost Cost;
  while (!From.atEnd()) {
    Last.Launch += uint64_t(From.signedNumber());
    Last.Block += uint64_t(From.signedNumber());
    Last.Start += uint64_t(From.signedNumber());
    uint64_t Duration = From.number();
    Last.End = Last.Start + Duration;
    Last.Where = uint32_t(int64_t(Last.Where) + From.signedNumber());
    CostForm Form = CostForm(From.byte());
    if (Form > CostForm::Given)
      return "a block has an unknown form of cost";
    if (Form == CostForm::Given)
      readCost(From, Cost);
    if (From.failed() || Last.End < Last.Start)
      return "a block's record is cut short";
    if (Last.Launch >= Out.Launches.size() ||
        Last.Block >= Out.Launches[Last.Launch].Grid.count())
      return "a block's record names a block that was not launched";
    Out.Events.add(Last);
    if (Form != CostForm::None)
      Out.Costs.add({Last.Launch, Last.Block, Cost});
  }
  return nullptr;
}

const char *Parser::end(ByteReader &From) {
  Ended = true;
  bool Launches = From.number() == Out.Launches.size();
  bool Copies = From.number() == Out.Copies.size();
  bool Events = From.number() == Out.Events.size();
  bool Traces = From.number() == Out.Traces.size();
  return Launches && Copies && Events && Traces
             ? nullptr
             : "its end does not count what it has";
}

Result<Recording> parseRecording(const uint8_t *Data, size_t Bytes,
                                 const std::string &Name) {
  auto Corrupt = [&](const std::string &Why) {
    return Status(StatusCode::Corrupt, Name + ": corrupt recording: " + Why);
  };
  ByteReader Preamble(Data, Bytes < PreambleBytes ? Bytes : PreambleBytes);
  if (Preamble.word() != RecordingMagic || Preamble.failed())
    return Status(StatusCode::Corrupt, Name + ": not a recording");
  uint32_t Version = Preamble.word();
  if (Preamble.failed())
    return Corrupt("it ends inside its first eight bytes");
  if (Version != RecordingVersion)
    return Status(StatusCode::VersionMismatch,
                  Name + ": recording of version " + std::to_string(Version) +
                      "; this reads version " +
                      std::to_string(RecordingVersion));
  Recording Out;
  Parser Chunks(Out);
  size_t At = PreambleBytes;
  while (!Chunks.ended()) {
    Unpacked Next = unpackChunk(Data + At, Bytes - At);
    if (Next.Problem)
      return Corrupt(std::string(Next.Problem) + " at byte " +
                     std::to_string(At));
    if (Next.Bytes == 0)
      break;
    ByteReader From(Next.Body.data(), Next.Body.size());
    if (const char *Problem = Chunks.chunk(Next.Type, From))
      return Corrupt(Problem);
    At += Next.Bytes;
  }
  Out.Truncated = !Chunks.ended();
  if (Chunks.ended() && At != Bytes)
    return Corrupt("bytes follow its end");
  return Out;
}

/// Where a recording may be that is not under its name.
static std::string partialHint(const std::string &Path) {
  const std::string Partial = partialName(Path);
  return ::access(Partial.c_str(), R_OK) == 0
             ? "; " + Partial + " is of a program that still runs or was killed"
             : std::string();
}

/// All bytes of a file.
static Result<std::vector<uint8_t>> readBytes(const std::string &Path) {
  auto Failed = [&] {
    return Status(StatusCode::Io,
                  Path + ": " + std::strerror(errno) + partialHint(Path));
  };
  int File = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return Failed();
  std::vector<uint8_t> Data;
  constexpr size_t Step = size_t(1) << 20;
  for (;;) {
    size_t Old = Data.size();
    Data.resize(Old + Step);
    ssize_t Count = ::read(File, Data.data() + Old, Step);
    if (Count < 0) {
      Status Why = Failed();
      ::close(File);
      return Why;
    }
    Data.resize(Old + size_t(Count));
    if (Count == 0)
      break;
  }
  ::close(File);
  return Data;
}

Result<Recording> readRecording(const std::string &Path) {
  Result<std::vector<uint8_t>> Data = readBytes(Path);
  if (!Data.ok())
    return Data.status();
  return parseRecording(Data->data(), Data->size(), Path);
}

} // namespace blockmaestro
