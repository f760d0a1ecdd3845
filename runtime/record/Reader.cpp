// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reader.h"

#include "Format.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
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
  const char *relation(ByteReader &From);
  const char *blocks(ByteReader &From);
  const char *end(ByteReader &From);
  std::string interned(ByteReader &From);

  Recording &Out;
  std::vector<std::string> Interned;
  bool Begun = false;
  bool Ended = false;
};

int32_t readInt(ByteReader &From, bool &Fits) {
  int64_t Value = From.signedNumber();
  Fits &= Value >= std::numeric_limits<int32_t>::min() &&
          Value <= std::numeric_limits<int32_t>::max();
  return int32_t(Value);
}

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

void readCost(ByteReader &From, BlockCost &Cost) {
  for (auto Field : {&BlockCost::Arithmetic, &BlockCost::GlobalReads,
                     &BlockCost::GlobalWrites, &BlockCost::SharedAccesses,
                     &BlockCost::Barriers, &BlockCost::Other})
    Cost.*Field += uint64_t(From.signedNumber());
}

/// Whether the boxes lie inside the grids and all divisors are positive.
bool validPiece(const EncodedPiece &P, Dim3 ProducerGrid, Dim3 ConsumerGrid) {
  for (unsigned J = 0; J < 3; ++J)
    if (P.Rows[J].D < 1 || P.ProducerLow[J] < 0 || P.ConsumerLow[J] < 0 ||
        P.ProducerHigh[J] >= int64_t(ProducerGrid[J]) ||
        P.ConsumerHigh[J] >= int64_t(ConsumerGrid[J]))
      return false;
  return true;
}

} // namespace

std::string Parser::interned(ByteReader &From) {
  size_t Index = From.numberUpTo(Interned.size());
  if (Index == Interned.size())
    Interned.push_back(From.text());
  return Interned[Index];
}

const char *Parser::chunk(ChunkType Type, ByteReader &From) {
  if (!Begun && Type != ChunkType::Info)
    return "its first chunk is not the run's description";
  const char *Wrong = nullptr;
  switch (Type) {
  case ChunkType::Info:
    Wrong = info(From);
    break;
  case ChunkType::Control:
    Wrong = control(From);
    break;
  case ChunkType::Blocks:
    Wrong = blocks(From);
    break;
  case ChunkType::End:
    Wrong = end(From);
    break;
  default:
    return "a chunk has an unknown type";
  }
  if (!Wrong && (From.failed() || !From.atEnd()))
    Wrong = "a chunk's contents do not fit its size";
  return Wrong;
}

const char *Parser::info(ByteReader &From) {
  if (Begun)
    return "it describes its run twice";
  Begun = true;
  Out.Program = From.text();
  Out.Device = From.text();
  Out.Executor = From.text();
  Out.Window = uint32_t(From.numberUpTo(MaxWord));
  return nullptr;
}

const char *Parser::control(ByteReader &From) {
  while (!From.atEnd()) {
    const char *Wrong = nullptr;
    switch (ControlEntry(From.byte())) {
    case ControlEntry::Launch:
      Wrong = launch(From);
      break;
    case ControlEntry::Barrier:
      Out.Barriers.push_back({Out.Launches.size(), interned(From)});
      break;
    default:
      Wrong = "a control chunk has an unknown entry";
    }
    if (Wrong)
      return Wrong;
  }
  return nullptr;
}

const char *Parser::launch(ByteReader &From) {
  RecordedLaunch What;
  What.Id = Out.Launches.size();
  What.Kernel = interned(From);
  What.Grid = readDim(From);
  What.Block = readDim(From);
  What.SharedBytes = uint32_t(From.numberUpTo(MaxWord));
  for (size_t I = From.count(); I > 0; --I)
    What.Degraded.push_back(interned(From));
  if (From.failed())
    return "a launch is cut short";
  if (!validGrid(What.Grid) || !validGrid(What.Block))
    return "a launch has an impossible size";
  Out.Launches.push_back(std::move(What));
  for (size_t I = From.count(); I > 0; --I)
    if (const char *Wrong = relation(From))
      return Wrong;
  return nullptr;
}

/// A relation of the launch that was read last.
const char *Parser::relation(ByteReader &From) {
  RecordedRelation What;
  What.Consumer = Out.Launches.size() - 1;
  uint64_t Distance = From.number();
  if (From.failed() || Distance < 1 || Distance > What.Consumer)
    return "a relation names a launch that is not earlier";
  What.Producer = What.Consumer - Distance;
  std::string Body = interned(From);
  ByteReader In(reinterpret_cast<const uint8_t *>(Body.data()), Body.size());
  What.Hazards = In.byte();
  uint8_t Flags = In.byte();
  if (Flags > 3)
    return "a relation has unknown flags";
  What.Exact = Flags & 1;
  What.Implied = Flags & 2;
  What.Header.Kind = uint32_t(In.numberUpTo(uint32_t(RelationKind::Closed)));
  for (uint32_t &Size : What.Header.ProducerGrid)
    Size = uint32_t(In.numberUpTo(MaxWord));
  What.Reason = In.text();
  Dim3 Grid = {What.Header.ProducerGrid[0], What.Header.ProducerGrid[1],
               What.Header.ProducerGrid[2]};
  if (Grid != Out.Launches[What.Producer].Grid)
    return "a relation disagrees with its producer's grid";
  bool Fits = true;
  for (size_t I = In.count(); I > 0; --I) {
    EncodedPiece P{};
    forEachField(P, [&](int32_t &F) { F = readInt(In, Fits); });
    Fits &= !In.failed() && validPiece(P, Grid, Out.Launches.back().Grid);
    if (!Fits)
      return "a relation has an impossible piece";
    What.Pieces.push_back(P);
    What.PieceHazards.push_back(In.byte());
  }
  What.Header.PieceCount = uint32_t(What.Pieces.size());
  if (In.failed() || !In.atEnd())
    return "a relation's contents do not fit its size";
  Out.Relations.push_back(std::move(What));
  return nullptr;
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
    Out.Events.push_back(Last);
    if (Form != CostForm::None)
      Out.Costs.push_back({Last.Launch, Last.Block, Cost});
  }
  return nullptr;
}

const char *Parser::end(ByteReader &From) {
  Ended = true;
  bool Launches = From.number() == Out.Launches.size();
  bool Events = From.number() == Out.Events.size();
  return Launches && Events ? nullptr : "its end does not count what it has";
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
  for (; Bytes - At >= ChunkHeaderBytes && !Chunks.ended();) {
    ByteReader Header(Data + At, ChunkHeaderBytes);
    auto Type = ChunkType(Header.word());
    size_t Size = Header.word();
    uint32_t BodySum = Header.word();
    if (Header.word() != checksum(Data + At, ChunkHeaderBytes - 4))
      return Corrupt("a chunk header's checksum is wrong at byte " +
                     std::to_string(At));
    if (Bytes - At - ChunkHeaderBytes < Size)
      break;
    const uint8_t *Body = Data + At + ChunkHeaderBytes;
    if (checksum(Body, Size) != BodySum)
      return Corrupt("a chunk's checksum is wrong at byte " +
                     std::to_string(At));
    ByteReader From(Body, Size);
    if (const char *Wrong = Chunks.chunk(Type, From))
      return Corrupt(Wrong);
    At += ChunkHeaderBytes + Size;
  }
  Out.Truncated = !Chunks.ended();
  if (Chunks.ended() && At != Bytes)
    return Corrupt("bytes follow its end");
  return Out;
}

/// All bytes of a file.
static Result<std::vector<uint8_t>> readBytes(const std::string &Path) {
  auto Failed = [&] {
    return Status(StatusCode::Io, Path + ": " + std::strerror(errno));
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
