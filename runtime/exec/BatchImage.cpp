// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BatchImage.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace blockmaestro {
namespace {

constexpr size_t ArgumentAlignment = 16;

size_t alignedSize(size_t Bytes) {
  return (Bytes + ArgumentAlignment - 1) / ArgumentAlignment *
         ArgumentAlignment;
}

template <typename T> size_t sizeOf(const std::vector<T> &Of) {
  return alignedSize(Of.size() * sizeof(T));
}

/// Element Index of an array at address 0: an offset that looks like a pointer.
template <typename T> const T *offsetOf(uint64_t Index) {
  return reinterpret_cast<const T *>(Index * sizeof(T));
}

/// The pointer that offset Offset becomes in an array at Base.
template <typename T> const T *moved(const T *Offset, const T *Base) {
  return Base + reinterpret_cast<uint64_t>(Offset) / sizeof(T);
}

uint64_t indexOf(const GateCount &Count) {
  return reinterpret_cast<uint64_t>(Count.Counter) / sizeof(uint64_t);
}

/// Copies Of to To, moves To behind it; the same for the address At.
template <typename T>
const T *place(const std::vector<T> &Of, unsigned char *&To,
               unsigned char *&At) {
  if (!Of.empty())
    std::memcpy(To, Of.data(), Of.size() * sizeof(T));
  const T *Placed = reinterpret_cast<const T *>(At);
  To += sizeOf(Of);
  At += sizeOf(Of);
  return Placed;
}

BatchLaunch describe(const Launch &What, uint64_t FirstTicket,
                     size_t ArgumentOffset) {
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
  Out.ArgumentOffset = ArgumentOffset;
  return Out;
}

} // namespace

/// The last Window launches, with offsets for addresses.
std::vector<Published> BatchImage::inWindow(unsigned Window) const {
  std::vector<Published> Out;
  size_t First = Launches.size() > Window ? Launches.size() - Window : 0;
  for (size_t I = First; I < Launches.size(); ++I)
    Out.push_back({Launches[I].Launch,
                   offsetOf<uint32_t>(Launches[I].FirstTicket),
                   offsetOf<uint64_t>(I), 0, 0});
  return Out;
}

void BatchImage::add(const Task &Next, unsigned Window) {
  const Launch &What = *Next.What;
  Waits Needed = waitsFor(Next.Needs, inWindow(Window),
                          std::numeric_limits<size_t>::max());
  BatchLaunch Entry = describe(What, Tickets, Arguments.size());
  Entry.FirstPiece = Pieces.size();
  Entry.PieceCount = Needed.Pieces.size();
  Entry.FirstCount = Counts.size();
  Entry.CountCount = Needed.Counts.size();
  Pieces.insert(Pieces.end(), Needed.Pieces.begin(), Needed.Pieces.end());
  Counts.insert(Counts.end(), Needed.Counts.begin(), Needed.Counts.end());
  Arguments.insert(Arguments.end(), What.Arguments.begin(),
                   What.Arguments.end());
  Arguments.resize(alignedSize(Arguments.size()));
  Launches.push_back(Entry);
  Kernel = What.Kernel;
  Tickets += Entry.Blocks;
  MostBlocks = std::max(MostBlocks, Entry.Blocks);
  Threads = std::max(Threads, Entry.Threads);
  SharedBytes = std::max(SharedBytes, What.DynamicSharedBytes);
}

uint64_t BatchImage::mostInFlight(unsigned Window) const {
  uint64_t Sum = 0;
  uint64_t Most = 0;
  for (size_t I = 0; I < Launches.size(); ++I) {
    Sum += Launches[I].Blocks;
    if (I > Window)
      Sum -= Launches[I - Window - 1].Blocks;
    Most = std::max(Most, Sum);
  }
  return Most;
}

size_t BatchImage::bytes() const {
  return sizeOf(Launches) + sizeOf(Pieces) + sizeOf(Counts) + sizeOf(Arguments);
}

void BatchImage::write(unsigned char *To, const Place &Where,
                       std::vector<uint64_t> &Targets, Batch &Parameter) const {
  std::vector<BatchLaunch> Described = Launches;
  for (size_t I = 0; I < Described.size(); ++I)
    Described[I].Target = Targets[I] += Described[I].Blocks;
  std::vector<GatePiece> Waited = Pieces;
  for (GatePiece &Piece : Waited) {
    Piece.Done = moved<uint32_t>(Piece.Done, Where.Done);
    Piece.Epoch = Where.Epoch;
  }
  std::vector<GateCount> Counted = Counts;
  for (GateCount &Count : Counted) {
    Count.Target = Targets[indexOf(Count)];
    Count.Counter = moved<uint64_t>(Count.Counter, Where.Counters);
  }
  unsigned char *At = Where.Image;
  Parameter.Launches = place(Described, To, At);
  Parameter.Pieces = place(Waited, To, At);
  Parameter.Counts = place(Counted, To, At);
  Parameter.Arguments = place(Arguments, To, At);
  Parameter.Done = Where.Done;
  Parameter.Counters = Where.Counters;
  Parameter.Epoch = Where.Epoch;
  Parameter.LaunchCount = Launches.size();
  Parameter.Tickets = Tickets;
}

} // namespace blockmaestro
