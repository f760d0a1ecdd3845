// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BatchImage.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace blockmaestro {
namespace {

constexpr size_t RecordAlignment = alignof(BatchLaunch);

size_t alignedSize(size_t Bytes) {
  return (Bytes + RecordAlignment - 1) / RecordAlignment * RecordAlignment;
}

/// Element Index of an array at address 0: an offset that looks like a pointer.
template <typename T> const T *offsetOf(uint64_t Index) {
  return reinterpret_cast<const T *>(Index * sizeof(T));
}

template <typename T> uint64_t indexOf(const T *Offset) {
  return reinterpret_cast<uint64_t>(Offset) / sizeof(T);
}

template <typename T> size_t sizeOf(const std::vector<T> &Of) {
  return Of.size() * sizeof(T);
}

template <typename T>
void copyTo(unsigned char *To, const std::vector<T> &From) {
  if (!From.empty())
    std::memcpy(To, From.data(), sizeOf(From));
}

BatchLaunch describe(const Launch &What, uint64_t FirstTicket) {
  BatchLaunch Out{};
  Out.Launch = What.Id;
  Out.FirstTicket = FirstTicket;
  Out.Blocks = What.Grid.count();
  Out.Threads = What.Block.count();
  Out.Case = What.Kernel->PersistentCase;
  for (unsigned J = 0; J < 3; ++J) {
    Out.Grid[J] = What.Grid[J];
    Out.Block[J] = What.Block[J];
  }
  for (unsigned J = 0; J < 2; ++J)
    Out.Reciprocal[J] = reciprocalOf(What.Block[J]);
  return Out;
}

/// Lays out a record with these parts: head, arguments, counts, pieces.
void layOut(BatchLaunch &Head, size_t ArgumentBytes, const Waits &Needed) {
  Head.CountCount = Needed.Counts.size();
  Head.PieceCount = Needed.Pieces.size();
  Head.CountsAt = sizeof(BatchLaunch) + alignedSize(ArgumentBytes);
  Head.PiecesAt = Head.CountsAt + sizeOf(Needed.Counts);
  Head.Bytes = alignedSize(Head.PiecesAt + sizeOf(Needed.Pieces));
}

bool isOwnRow(const EncodedRow &Row, unsigned J) {
  for (unsigned K = 0; K < 3; ++K)
    if (Row.A[K] != (K == J))
      return false;
  return Row.D == 1 && Row.Low == 0 && Row.High == 0;
}

} // namespace

bool isOwnBlock(const GatePiece &Piece, const uint32_t Grid[3]) {
  if (Piece.GridX != Grid[0] || Piece.GridXY != Grid[0] * Grid[1])
    return false;
  for (unsigned J = 0; J < 3; ++J) {
    bool OnlyFirst = Grid[J] == 1 && Piece.Piece.ProducerLow[J] == 0 &&
                     Piece.Piece.ProducerHigh[J] == 0;
    if (!OnlyFirst && !isOwnRow(Piece.Piece.Rows[J], J))
      return false;
  }
  return true;
}

void BatchImage::add(const Task &Next) {
  const Launch &What = *Next.What;
  Entry New;
  New.Head = describe(What, Tickets);
  New.Needed =
      waitsFor(Next.Needs, Running, std::numeric_limits<size_t>::max());
  New.Arguments = What.Arguments;
  layOut(New.Head, New.Arguments.size(), New.Needed);
  Running.push_back({What.Id, offsetOf<uint32_t>(Entries.size()),
                     offsetOf<uint64_t>(Entries.size()), 0, 0});
  Bytes += New.Head.Bytes;
  Kernel = What.Kernel;
  Tickets += New.Head.Blocks;
  MostBlocks = std::max(MostBlocks, New.Head.Blocks);
  Threads = std::max(Threads, New.Head.Threads);
  SharedBytes = std::max(SharedBytes, What.DynamicSharedBytes);
  Entries.push_back(std::move(New));
}

std::vector<BlockTimes::Blocks> BatchImage::contents() const {
  std::vector<BlockTimes::Blocks> Out;
  for (const Entry &Each : Entries)
    Out.push_back({Each.Head.Launch, Each.Head.Blocks});
  return Out;
}

/// What a worker really has to wait for: owners run the blocks of one number
/// one after the other.
Waits BatchImage::waitsOf(const Entry &Of, Placement Mode) const {
  Waits Out = Of.Needed;
  if (Mode == Placement::Owners)
    std::erase_if(Out.Pieces, [&](const GatePiece &Piece) {
      return isOwnBlock(Piece, Of.Head.Grid);
    });
  return Out;
}

/// From offsets to addresses. Launches that are waited for, and only they, get
/// theirs; the blocks of those that count are added to Targets.
static void setAddresses(std::vector<BatchLaunch> &Heads,
                         std::vector<Waits> &Needs,
                         const BatchImage::Place &Where,
                         std::vector<uint64_t> &Targets) {
  for (size_t I = 0; I < Heads.size(); ++I) {
    for (GatePiece &Piece : Needs[I].Pieces) {
      BatchLaunch &Producer = Heads[indexOf(Piece.Done)];
      Producer.Done = Where.Done + Producer.FirstTicket;
      Piece.Done = Producer.Done;
      Piece.Epoch = Where.Epoch;
    }
    for (GateCount &Count : Needs[I].Counts) {
      size_t Index = indexOf(Count.Counter);
      BatchLaunch &Producer = Heads[Index];
      if (!Producer.Counter)
        Targets[Index] += Producer.Blocks;
      Producer.Counter = Where.Counters + Index;
      Count.Counter = Producer.Counter;
      Count.Target = Targets[Index];
    }
  }
}

size_t BatchImage::write(unsigned char *To, const Place &Where,
                         std::vector<uint64_t> &Targets,
                         Batch &Parameter) const {
  std::vector<BatchLaunch> Heads;
  std::vector<Waits> Needs;
  for (const Entry &Each : Entries) {
    Heads.push_back(Each.Head);
    Needs.push_back(waitsOf(Each, Where.Mode));
    layOut(Heads.back(), Each.Arguments.size(), Needs.back());
  }
  setAddresses(Heads, Needs, Where, Targets);
  size_t Offset = 0;
  for (size_t I = 0; I < Heads.size(); ++I) {
    BatchLaunch &Head = Heads[I];
    Head.Offset = Offset;
    Head.NextBytes = I + 1 < Heads.size() ? Heads[I + 1].Bytes : 0;
    unsigned char *Record = To + Offset;
    std::memcpy(Record, &Head, sizeof(Head));
    copyTo(Record + sizeof(Head), Entries[I].Arguments);
    copyTo(Record + Head.CountsAt, Needs[I].Counts);
    copyTo(Record + Head.PiecesAt, Needs[I].Pieces);
    Offset += Head.Bytes;
  }
  Parameter.Records = Where.Image;
  Parameter.FirstBytes = Heads.front().Bytes;
  Parameter.Epoch = Where.Epoch;
  Parameter.LaunchCount = Heads.size();
  Parameter.Tickets = Tickets;
  Parameter.Mode = uint32_t(Where.Mode);
  return Offset;
}

} // namespace blockmaestro
