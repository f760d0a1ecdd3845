// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChunkParser.h"

#include "RelationBody.h"

#include <iterator>
#include <utility>

namespace blockmaestro::record {

namespace {

/// The first that says how many registers the form of a launch has.
constexpr uint32_t RegistersAsRunVersion = 11;

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

std::string ChunkParser::interned(ByteReader &From) {
  size_t Index = From.numberUpTo(Interned.size());
  if (Index == Interned.size())
    Interned.push_back(From.text());
  return Interned[Index];
}

HostTime ChunkParser::asked(ByteReader &From) {
  HostTime Out;
  Out.Thread = uint32_t(From.numberUpTo(Host.size()));
  if (Out.Thread == Host.size())
    Host.push_back(0);
  uint64_t &Ns = Host[Out.Thread];
  Ns += From.numberUpTo(~uint64_t(0) - Ns);
  Out.Ns = Ns;
  return Out;
}

const char *ChunkParser::chunk(ChunkType Type, ByteReader From, Recording &To) {
  Out = &To;
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
    Problem = warps(From);
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

const char *ChunkParser::info(ByteReader &From) {
  if (Begun)
    return "it describes its run twice";
  Begun = true;
  Out->Program = From.text();
  Out->Device = From.text();
  Out->Executor = From.text();
  Out->Window = uint32_t(From.numberUpTo(MaxWord));
  for (size_t I = From.count(); I > 0; --I)
    Fields.push_back(fieldNamed(From.text()));
  Out->WarpsOneIn = uint32_t(From.numberUpTo(MaxWord));
  return nullptr;
}

const char *ChunkParser::control(ByteReader &From) {
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
template <typename Call> Call ChunkParser::hostCall(ByteReader &From) {
  Call What;
  What.BeforeLaunch = Grids.size();
  What.BeforeCopy = Copies;
  What.Asked = asked(From);
  What.What = interned(From);
  return What;
}

const char *ChunkParser::barrier(ByteReader &From) {
  auto What = hostCall<RecordedBarrier>(From);
  What.HostWaits = From.flag();
  Out->Barriers.push_back(std::move(What));
  return nullptr;
}

const char *ChunkParser::wait(ByteReader &From) {
  auto What = hostCall<RecordedWait>(From);
  const uint64_t Nodes = What.BeforeLaunch + What.BeforeCopy;
  What.Until = Nodes - From.numberUpTo(Nodes);
  Out->Waits.push_back(std::move(What));
  return nullptr;
}

const char *ChunkParser::launch(ByteReader &From) {
  RecordedLaunch What;
  What.Id = Grids.size();
  What.Asked = asked(From);
  What.Kernel = interned(From);
  What.Grid = readDim(From);
  What.Block = readDim(From);
  What.SharedBytes = uint32_t(From.numberUpTo(MaxWord));
  What.Registers = uint32_t(From.numberUpTo(MaxWord));
  if (Version >= RegistersAsRunVersion)
    What.RegistersAsRun = uint32_t(From.numberUpTo(MaxWord));
  for (size_t I = From.count(); I > 0; --I)
    What.Degraded.push_back(interned(From));
  if (From.failed())
    return "a launch is cut short";
  if (!validGrid(What.Grid) || !validGrid(What.Block))
    return "a launch has an impossible size";
  RecordedRelation Need;
  Need.Consumer = What.Id;
  const char *Problem = relations(From, Need, What.Grid);
  Grids.push_back(What.Grid);
  Threads.push_back(What.Block.count());
  Out->Launches.push_back(std::move(What));
  return Problem;
}

const char *ChunkParser::copy(ByteReader &From) {
  RecordedCopy What;
  What.Id = Copies;
  What.Before = Grids.size();
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
  ++Copies;
  Out->Copies.push_back(std::move(What));
  return Problem;
}

const char *ChunkParser::observation(ByteReader &From) {
  RecordedObservation What;
  uint64_t Launches = Grids.size();
  uint64_t Back = From.number();
  uint64_t Distance = From.number();
  What.TrueEdges = From.number();
  What.Missing = From.numberUpTo(What.TrueEdges);
  if (From.failed() || Back < 1 || Back > Launches || Distance < 1 ||
      Distance > Launches - Back)
    return "an observation is not of two launches";
  What.Consumer = Launches - Back;
  What.Producer = What.Consumer - Distance;
  Out->Observations.push_back(What);
  return nullptr;
}

Dim3 ChunkParser::producerGrid(const RecordedRelation &What) const {
  return What.ProducerIsCopy ? Dim3{1, 1, 1} : Grids[What.Producer];
}

const char *ChunkParser::producer(ByteReader &From,
                                  RecordedRelation &What) const {
  uint64_t Number = From.number();
  uint64_t Before = Number >> RelationShift;
  What.ProducerIsCopy = Number & FromCopy;
  uint64_t Known = What.ProducerIsCopy ? Copies : Grids.size();
  if (From.failed() || Before < 1 || Before > Known)
    return "a relation names a producer that is not earlier";
  What.Producer = Known - Before;
  return nullptr;
}

/// One relation, whose consumer is known, and what it takes.
const char *ChunkParser::relation(ByteReader &From, RecordedRelation &What,
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
const char *ChunkParser::relations(ByteReader &From, RecordedRelation What,
                                   Dim3 ConsumerGrid) {
  for (size_t I = From.count(); I > 0; --I) {
    RecordedRelation One = What;
    if (const char *Problem = relation(From, One, ConsumerGrid))
      return Problem;
    bool OfCopy = One.ProducerIsCopy || One.ConsumerIsCopy;
    (OfCopy ? Out->CopyRelations : Out->Relations).push_back(std::move(One));
  }
  return nullptr;
}

void ChunkParser::readCost(ByteReader &From, BlockCost &Cost) const {
  for (const CostField *F : Fields) {
    uint64_t Change = uint64_t(From.signedNumber());
    if (F)
      Cost.*F->Value += Change;
  }
}

const char *ChunkParser::blocksAgain(ByteReader From, Recording &To) {
  Out = &To;
  const uint64_t Counted = Events;
  const char *Problem = blocks(From);
  Events = Counted;
  return Problem;
}

const char *ChunkParser::blocks(ByteReader &From) {
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
    if (Last.Launch >= Grids.size() || Last.Block >= Grids[Last.Launch].count())
      return "a block's record names a block that was not launched";
    ++Events;
    Out->Events.add(Last);
    if (Form != CostForm::None)
      Out->Costs.add({Last.Launch, Last.Block, Cost});
  }
  return nullptr;
}

const char *ChunkParser::warps(ByteReader &From) {
  const size_t Before = Out->Traces.size();
  const char *Problem = Warps.chunk(From, Grids, Threads, Out->Traces);
  Traces += Out->Traces.size() - Before;
  return Problem;
}

const char *ChunkParser::end(ByteReader &From) {
  Ended = true;
  const bool AllLaunches = From.number() == Grids.size();
  const bool AllCopies = From.number() == Copies;
  const bool AllEvents = From.number() == Events;
  const bool AllTraces = From.number() == Traces;
  return AllLaunches && AllCopies && AllEvents && AllTraces
             ? nullptr
             : "its end does not count what it has";
}

} // namespace blockmaestro::record
