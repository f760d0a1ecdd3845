// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: any bytes as a recording. The reader refuses them with one
// message, or keeps every promise of Recording.h, so that what bm-dump and
// bm-sim do with a recording is safe.

#include "Chunk.h"
#include "Edges.h"
#include "Reader.h"
#include "RecordingStream.h"
#include "RelationText.h"
#include "Require.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

using namespace blockmaestro;

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

namespace {

/// Pairs are only spelled out up to here; tools take as long as there are.
constexpr uint64_t MostPairs = 10000;

void store(uint8_t *To, uint32_t Value) {
  for (int I = 0; I < 4; ++I)
    To[I] = uint8_t(Value >> (8 * I));
}

uint32_t load(const uint8_t *From) {
  return record::ByteReader(From, 4).word();
}

/// Puts the right checksums, and sizes that fit, into every chunk; none is
/// compressed afterwards.
void fixChunks(uint8_t *Data, size_t Size) {
  using record::ChunkHeaderBytes;
  if (Size < record::PreambleBytes)
    return;
  store(Data, RecordingMagic);
  store(Data + 4, RecordingVersion);
  size_t At = record::PreambleBytes;
  while (Size - At >= ChunkHeaderBytes) {
    size_t Room = Size - At - ChunkHeaderBytes;
    size_t Body = std::min<size_t>(load(Data + At + 4), Room);
    store(Data + At + 4, uint32_t(Body));
    store(Data + At + 8, uint32_t(Body));
    store(Data + At + 12, record::checksum(Data + At + ChunkHeaderBytes, Body));
    store(Data + At + 16, record::checksum(Data + At, ChunkHeaderBytes - 4));
    At += ChunkHeaderBytes + Body;
  }
}

/// The same file with no chunk compressed, up to the first that is damaged.
std::vector<uint8_t> unpacked(const uint8_t *Data, size_t Size) {
  size_t At = std::min(Size, record::PreambleBytes);
  std::vector<uint8_t> Out(Data, Data + At);
  while (At < Size) {
    record::Unpacked Chunk = record::unpackChunk(Data + At, Size - At);
    if (Chunk.Bytes == 0 || Chunk.Problem)
      break;
    record::ByteWriter Header;
    Header.word(uint32_t(Chunk.Type));
    Header.word(uint32_t(Chunk.Body.size()));
    Header.Bytes.resize(record::ChunkHeaderBytes);
    Out.insert(Out.end(), Header.Bytes.begin(), Header.Bytes.end());
    Out.insert(Out.end(), Chunk.Body.begin(), Chunk.Body.end());
    At += Chunk.Bytes;
  }
  fixChunks(Out.data(), Out.size());
  return Out;
}

/// Of entries of one kind, which are in the order asked for.
template <typename T> void requireHostTimes(const std::vector<T> &Entries) {
  std::map<uint32_t, uint64_t> Last;
  for (const T &Each : Entries) {
    require(Each.Asked.Ns >= Last[Each.Asked.Thread], "no thread's time falls");
    Last[Each.Asked.Thread] = Each.Asked.Ns;
  }
}

void requirePromises(const Recording &What) {
  requireHostTimes(What.Launches);
  requireHostTimes(What.Copies);
  requireHostTimes(What.Barriers);
  requireHostTimes(What.Waits);
  for (const RecordedWait &W : What.Waits)
    require(W.Until <= W.BeforeLaunch + W.BeforeCopy &&
                W.BeforeLaunch <= What.Launches.size() &&
                W.BeforeCopy <= What.Copies.size(),
            "the host waits for what is earlier");
  for (size_t I = 0; I < What.Launches.size(); ++I)
    require(What.Launches[I].Id == I, "launches are numbered in order");
  for (const RecordedBarrier &B : What.Barriers)
    require(B.BeforeLaunch <= What.Launches.size(), "barriers lie between");
  for (const Event &E : What.Events)
    require(E.Launch < What.Launches.size() &&
                E.Block < What.Launches[E.Launch].Grid.count() &&
                E.Start <= E.End,
            "events have a block that was launched");
  for (const RecordedCost &C : What.Costs)
    require(C.Launch < What.Launches.size(), "costs have a launch");
  for (size_t I = 0; I < What.Copies.size(); ++I) {
    const RecordedCopy &C = What.Copies[I];
    require(C.Id == I && C.Before <= What.Launches.size(),
            "copies are numbered in order and lie between");
    require(size_t(C.From) < std::size(MemoryPlaceNames) &&
                size_t(C.To) < std::size(MemoryPlaceNames),
            "the places of copies have names");
  }
  for (const RecordedObservation &O : What.Observations)
    require(O.Producer < O.Consumer && O.Consumer < What.Launches.size() &&
                O.Missing <= O.TrueEdges,
            "observations are of two launches");
}

void requireFits(const WarpStep &Step, const WarpCode &Code) {
  for (const WarpMove &M : Step.Moves)
    require(M.From < Code.Steps.size() && M.Result < Code.Registers &&
                (M.Operand == NoRegister || M.Operand < Code.Registers),
            "moves are between registers");
  for (const WarpInstruction &I : Step.Instructions) {
    require(size_t(I.Class) < std::size(WarpClassNames), "classes have names");
    require(I.Result == NoRegister || I.Result < Code.Registers,
            "results are in registers");
    for (uint32_t Operand : I.Operands)
      require(Operand < Code.Registers, "operands are in registers");
  }
}

void requireFits(const WarpPath &Path, const WarpCode &Code, uint32_t Lanes) {
  size_t Accesses = 0, Sectors = 0;
  for (const WarpVisit &V : Path.Route->Visits) {
    require(V.Step < Code.Steps.size() && V.Lanes && !(V.Lanes & ~Lanes),
            "visits are of steps and lanes that there are");
    for (const WarpInstruction &I : Code.Steps[V.Step].Instructions)
      Accesses += isAccess(I.Class);
  }
  require(Accesses == Path.Route->Accesses.size(),
          "a route says something of each access");
  for (const WarpAccess &A : Path.Route->Accesses) {
    const size_t Last = Sectors + (A.Shared ? 0 : A.Count);
    require(Last <= Path.Sectors.size(), "accesses have sectors");
    for (; Sectors + 1 < Last; ++Sectors)
      require(Path.Sectors[Sectors] < Path.Sectors[Sectors + 1],
              "sectors rise");
    Sectors = Last;
  }
  require(Sectors == Path.Sectors.size(), "sectors have an access");
}

void requireTraces(const Recording &What) {
  for (const BlockTrace &T : What.Traces) {
    require(T.Launch < What.Launches.size() &&
                T.Block < What.Launches[T.Launch].Grid.count(),
            "traces have a block that was launched");
    const uint64_t Threads = What.Launches[T.Launch].Block.count();
    require(T.Warps.size() == (Threads + 31) / 32, "a block has its warps");
    for (const WarpStep &Step : T.Code->Steps)
      requireFits(Step, *T.Code);
    for (size_t W = 0; W < T.Warps.size(); ++W)
      requireFits(*T.Warps[W], *T.Code,
                  Threads - 32 * W >= 32 ? ~0u : (1u << Threads % 32) - 1);
  }
}

/// The blocks of a launch or copy.
Dim3 gridOf(uint64_t Number, bool IsCopy, const Recording &In) {
  require(Number < (IsCopy ? In.Copies.size() : In.Launches.size()),
          "a relation names what there is");
  return IsCopy ? Dim3{1, 1, 1} : In.Launches[Number].Grid;
}

/// How many launches there are before a launch or copy.
uint64_t placeOf(uint64_t Number, bool IsCopy, const Recording &In) {
  return IsCopy ? In.Copies[Number].Before : Number;
}

void showRelation(const RecordedRelation &R, const Recording &In) {
  Dim3 Producers = gridOf(R.Producer, R.ProducerIsCopy, In);
  Dim3 Consumers = gridOf(R.Consumer, R.ConsumerIsCopy, In);
  uint64_t First = placeOf(R.Producer, R.ProducerIsCopy, In);
  uint64_t Second = placeOf(R.Consumer, R.ConsumerIsCopy, In);
  require(R.ProducerIsCopy ? First <= Second : First < Second,
          "a relation names earlier producers");
  require(R.ProducerIsCopy != R.ConsumerIsCopy || R.Producer < R.Consumer,
          "nothing waits for itself");
  require(R.Pieces.size() == R.PieceHazards.size(), "pieces have hazards");
  require((R.Header.Kind == uint32_t(RelationKind::Listed)) == !!R.List,
          "listed relations have a list");
  for (const EncodedPiece &P : R.Pieces)
    require(!toText(P, Producers, Consumers).empty(), "pieces have a text");
  if (Producers.count() > MostPairs ||
      Consumers.count() > MostPairs / Producers.count())
    return;
  uint64_t Last = 0;
  forEachEdge(viewOf(R, Consumers), [&](uint64_t C, uint64_t P) {
    require(C >= Last && P < Producers.count(), "pairs are of blocks");
    Last = C;
  });
  require(*patternName(viewOf(R, Consumers)), "patterns have names");
}

/// Chunk by chunk it has the same entries, and blocks are read again as they
/// were.
void requireSameStream(const Recording &Whole, const uint8_t *Data,
                       size_t Size) {
  Result<RecordingStream> Stream = RecordingStream::over(Data, Size, "input");
  require(Stream.ok(), "what is read at once is read by chunks");
  size_t Launches = 0, Relations = 0, Events = 0, Traces = 0;
  for (;;) {
    const uint64_t At = Stream->position();
    Recording Part, Again;
    Result<bool> More = Stream->next(Part);
    require(More.ok(), "what is read at once is read by chunks");
    if (!*More)
      break;
    Launches += Part.Launches.size();
    Relations += Part.Relations.size();
    Events += Part.Events.size();
    Traces += Part.Traces.size();
    if (Part.Events.empty())
      continue;
    require(Stream->blocksAt(At, Again).ok() &&
                Again.Events.size() == Part.Events.size() &&
                Again.Costs.size() == Part.Costs.size(),
            "blocks are read again");
  }
  require(Launches == Whole.Launches.size() &&
              Relations == Whole.Relations.size() &&
              Events == Whole.Events.size() && Traces == Whole.Traces.size() &&
              Stream->grids().size() == Launches,
          "chunks add up");
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  if (std::vector<uint8_t> Plain = unpacked(Data, Size);
      Plain.size() <= MaxSize) {
    std::copy(Plain.begin(), Plain.end(), Data);
    Size = Plain.size();
  }
  Size = LLVMFuzzerMutate(Data, Size, MaxSize);
  if (Seed % 16 != 0)
    fixChunks(Data, Size);
  return Size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Result<Recording> Read = parseRecording(Data, Size, "input");
  if (!Read.ok()) {
    require(!Read.status().message().empty(), "an error has a message");
    return 0;
  }
  requirePromises(*Read);
  requireTraces(*Read);
  requireSameStream(*Read, Data, Size);
  for (const auto *Relations : {&Read->Relations, &Read->CopyRelations})
    for (const RecordedRelation &R : *Relations)
      showRelation(R, *Read);
  return 0;
}
