// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingStream.h"

#include "ByteSource.h"
#include "Chunk.h"
#include "ChunkParser.h"
#include "RecordingFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace blockmaestro {

using namespace record;

struct RecordingStream::State {
  template <typename... Ts>
  State(std::string Name, Ts... Bytes)
      : Name(std::move(Name)), From(Bytes...) {}

  Status corrupt(const std::string &Why) const {
    return {StatusCode::Corrupt, Name + ": corrupt recording: " + Why};
  }
  Status failed() const;
  Status preamble();
  Result<Unpacked> unpackNext();
  Status checkEnd();

  std::string Name;
  ByteSource From;
  ChunkParser Chunks;
  std::vector<uint8_t> Stored; ///< Of the last chunk.
};

/// Where a recording may be that is not under its name.
static std::string partialHint(const std::string &Path) {
  const std::string Partial = partialName(Path);
  return ::access(Partial.c_str(), R_OK) == 0
             ? "; " + Partial + " is of a program that still runs or was killed"
             : std::string();
}

static Status systemError(const std::string &Path) {
  const std::string Why = std::strerror(errno);
  return {StatusCode::Io, Path + ": " + Why + partialHint(Path)};
}

Status RecordingStream::State::failed() const { return systemError(Name); }

/// Reads what a recording begins with.
Status RecordingStream::State::preamble() {
  std::vector<uint8_t> First;
  if (From.read(First, PreambleBytes) < 0)
    return failed();
  ByteReader Preamble(First.data(), First.size());
  if (Preamble.word() != RecordingMagic || Preamble.failed())
    return {StatusCode::Corrupt, Name + ": not a recording"};
  const uint32_t Version = Preamble.word();
  if (Preamble.failed())
    return corrupt("it ends inside its first eight bytes");
  if (Version < OldestRecordingVersion || Version > RecordingVersion)
    return {StatusCode::VersionMismatch,
            Name + ": recording of version " + std::to_string(Version) +
                "; this reads versions " +
                std::to_string(OldestRecordingVersion) + " to " +
                std::to_string(RecordingVersion)};
  Chunks.setVersion(Version);
  return {};
}

/// The chunk where From is; of no bytes where it is cut off.
Result<Unpacked> RecordingStream::State::unpackNext() {
  const uint64_t At = From.position();
  Stored.clear();
  if (From.read(Stored, ChunkHeaderBytes) < 0)
    return failed();
  Unpacked Out = unpackChunk(Stored.data(), Stored.size());
  if (!Out.Problem && Out.Bytes == 0 && Stored.size() == ChunkHeaderBytes) {
    if (From.read(Stored, storedBytes(Stored.data())) < 0)
      return failed();
    Out = unpackChunk(Stored.data(), Stored.size());
  }
  if (Out.Problem)
    return corrupt(std::string(Out.Problem) + " at byte " + std::to_string(At));
  return Out;
}

Status RecordingStream::State::checkEnd() {
  Stored.clear();
  const ssize_t More = From.read(Stored, 1);
  return More == 0  ? Status()
         : More < 0 ? failed()
                    : corrupt("bytes follow its end");
}

RecordingStream::RecordingStream(std::unique_ptr<State> Of)
    : Of(std::move(Of)) {}
RecordingStream::RecordingStream(RecordingStream &&) = default;
RecordingStream &RecordingStream::operator=(RecordingStream &&) = default;
RecordingStream::~RecordingStream() = default;

Result<RecordingStream> RecordingStream::open(const std::string &Path) {
  const int File = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return systemError(Path);
  RecordingStream Out(std::make_unique<State>(Path, File));
  if (Status Wrong = Out.Of->preamble(); !Wrong.ok())
    return Wrong;
  return Out;
}

Result<RecordingStream> RecordingStream::over(const uint8_t *Data, size_t Bytes,
                                              const std::string &Name) {
  RecordingStream Out(std::make_unique<State>(Name, Data, Bytes));
  if (Status Wrong = Out.Of->preamble(); !Wrong.ok())
    return Wrong;
  return Out;
}

Result<bool> RecordingStream::next(Recording &To) {
  if (Of->Chunks.ended())
    return false;
  Result<Unpacked> Next = Of->unpackNext();
  if (!Next.ok())
    return Next.status();
  To.Truncated = Next->Bytes == 0;
  if (To.Truncated)
    return false;
  const ByteReader Body(Next->Body.data(), Next->Body.size());
  if (const char *Problem = Of->Chunks.chunk(Next->Type, Body, To))
    return Of->corrupt(Problem);
  if (Of->Chunks.ended())
    if (Status Wrong = Of->checkEnd(); !Wrong.ok())
      return Wrong;
  return true;
}

uint64_t RecordingStream::position() const { return Of->From.position(); }

Status RecordingStream::blocksAt(uint64_t At, Recording &To) {
  const uint64_t Now = Of->From.position();
  Of->From.seek(At);
  Result<Unpacked> Chunk = Of->unpackNext();
  Of->From.seek(Now);
  if (!Chunk.ok())
    return Chunk.status();
  const ByteReader Body(Chunk->Body.data(), Chunk->Body.size());
  const char *Problem = Chunk->Bytes == 0 || Chunk->Type != ChunkType::Blocks
                            ? "it has changed while it was read"
                            : Of->Chunks.blocksAgain(Body, To);
  return Problem ? Of->corrupt(Problem) : Status();
}

bool RecordingStream::isSeekable() const { return Of->From.isSeekable(); }

const std::vector<Dim3> &RecordingStream::grids() const {
  return Of->Chunks.grids();
}

} // namespace blockmaestro
