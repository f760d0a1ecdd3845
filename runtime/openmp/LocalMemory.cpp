// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LocalMemory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace blockmaestro::openmp {

static uint64_t roundUp(uint64_t Bytes, uint64_t To) {
  return (Bytes + To - 1) / To * To;
}

LocalMemory::~LocalMemory() {
  for (const Chunk &Each : Chunks)
    (void)Memory.release(Each.Device);
}

Status LocalMemory::addChunk(uint64_t Bytes) {
  Chunk New;
  New.Bytes = std::max(Bytes, FirstChunkBytes << Chunks.size());
  if (!Chunks.empty())
    New.Place = Chunks.back().Place + Chunks.back().Bytes;
  const Result<DeviceAddress> Made = Memory.allocate(New.Bytes);
  if (!Made.ok())
    return {Made.status().code(),
            "no memory for variables of a region: " + Made.status().message()};
  New.Device = *Made;
  New.Mirror = std::make_unique_for_overwrite<std::byte[]>(New.Bytes);
  const DeviceAddress End =
      std::max(New.Device + New.Bytes, Chunks.empty() ? 0 : Low + Span);
  Low = Chunks.empty() ? New.Device : std::min(Low, New.Device);
  Span = End - Low;
  Chunks.push_back(std::move(New));
  return {};
}

Result<DeviceAddress> LocalMemory::take(uint64_t Bytes) {
  Variable New;
  New.Bytes = roundUp(Bytes + 1, Alignment);
  if (!Variables.empty()) {
    New.Chunk = Variables.back().Chunk;
    New.Place = Variables.back().Place + Variables.back().Bytes;
  }
  while (New.Chunk == Chunks.size() || New.Bytes > Chunks[New.Chunk].Place +
                                                       Chunks[New.Chunk].Bytes -
                                                       New.Place) {
    if (Chunks.empty() || ++New.Chunk == Chunks.size())
      if (Status Added = addChunk(New.Bytes); !Added.ok())
        return Added;
    New.Place = Chunks[New.Chunk].Place;
  }
  Variables.push_back(New);
  return addressOf(New);
}

DeviceAddress LocalMemory::addressOf(const Variable &Of) const {
  const Chunk &In = Chunks[Of.Chunk];
  return In.Device + (Of.Place - In.Place);
}

const LocalMemory::Chunk *LocalMemory::chunkOf(DeviceAddress Where) const {
  for (const Chunk &Each : Chunks)
    if (Where - Each.Device < Each.Bytes)
      return &Each;
  return nullptr;
}

std::byte *LocalMemory::mirrorWithin(DeviceAddress Where, uint64_t Bytes) {
  const Chunk *In = chunkOf(Where);
  if (!In || Bytes > In->Bytes - (Where - In->Device))
    return nullptr;
  return In->Mirror.get() + (Where - In->Device);
}

/// The index of the variable that has the byte; None where there is none.
DeviceRange LocalMemory::rangeAround(DeviceAddress Where) const {
  const size_t Found = variableAt(Where);
  if (Found == None)
    return {};
  return {addressOf(Variables[Found]), Variables[Found].Bytes};
}

size_t LocalMemory::variableAt(DeviceAddress Where) const {
  const Chunk *In = chunkOf(Where);
  if (!In)
    return None;
  const uint64_t Place = In->Place + (Where - In->Device);
  auto Behind = std::upper_bound(
      Variables.begin(), Variables.end(), Place,
      [](uint64_t P, const Variable &Each) { return P < Each.Place; });
  if (Behind == Variables.begin())
    return None;
  const Variable &Found = *--Behind;
  return Place - Found.Place < Found.Bytes ? size_t(Behind - Variables.begin())
                                           : None;
}

/// Takes away the last variables as far as nobody looks at them.
void LocalMemory::dropGone() {
  while (!Variables.empty() && Variables.back().Gone &&
         Variables.back().By == Reach::None)
    Variables.pop_back();
}

void LocalMemory::give(DeviceAddress First) {
  const size_t From = variableAt(First);
  if (From == None)
    return;
  for (size_t I = From; I < Variables.size(); ++I)
    Variables[I].Gone = true;
  dropGone();
}

void LocalMemory::clear() {
  Variables.clear();
  AnyReached = false;
}

/// Marks what the words are addresses of. Variables whose mark has changed come
/// to Fresh; whether there are some.
bool LocalMemory::mark(const uint64_t *Words, size_t Count, Reach By) {
  for (size_t I = 0; I < Count; ++I) {
    if (!mayBeAddress(Words[I]))
      continue;
    const size_t Found = variableAt(Words[I]);
    if (Found == None || Variables[Found].By >= By)
      continue;
    Variables[Found].By = By;
    AnyReached = true;
    Fresh.push_back(Found);
  }
  return !Fresh.empty();
}

/// What is reached through the variables of Fresh is marked as well.
void LocalMemory::markContent(Reach By) {
  while (!Fresh.empty()) {
    const Variable &Of = Variables[Fresh.back()];
    Fresh.pop_back();
    const Chunk &In = Chunks[Of.Chunk];
    mark(reinterpret_cast<const uint64_t *>(In.Mirror.get() +
                                            (Of.Place - In.Place)),
         Of.Bytes / sizeof(uint64_t), By);
  }
}

bool LocalMemory::reach(const uint64_t *Words, size_t Count) {
  if (Variables.empty() || !mark(Words, Count, Reach::Pending))
    return false;
  markContent(Reach::Pending);
  return true;
}

void LocalMemory::escape(const uint64_t *Words, size_t Count) {
  if (!Variables.empty() && mark(Words, Count, Reach::Any))
    markContent(Reach::Any);
}

void LocalMemory::changed(DeviceAddress Where, uint64_t Bytes) {
  if (!AnyReached || Bytes == 0)
    return;
  const size_t Found = variableAt(Where);
  if (Found == None || Variables[Found].By == Reach::None)
    return;
  const Reach By = Variables[Found].By;
  const DeviceAddress First = Where / sizeof(uint64_t) * sizeof(uint64_t);
  const DeviceAddress End = roundUp(Where + Bytes, sizeof(uint64_t));
  if (const std::byte *Content = mirror(First, End - First))
    mark(reinterpret_cast<const uint64_t *>(Content),
         (End - First) / sizeof(uint64_t), By);
  markContent(By);
}

bool LocalMemory::isReached(DeviceAddress Where, uint64_t Bytes) const {
  if (!AnyReached)
    return false;
  const size_t First = variableAt(Where);
  const size_t Last = Bytes > 1 ? variableAt(Where + Bytes - 1) : First;
  if (First == None || Last != First)
    return true; // No variable as it should be used.
  return Variables[First].By != Reach::None;
}

/// The smallest part of each chunk that has all of it that is reached.
std::vector<LocalMemory::Part> LocalMemory::reachedParts() const {
  std::vector<Part> Out;
  if (!AnyReached)
    return Out;
  for (const Variable &Each : Variables) {
    if (Each.By == Reach::None)
      continue;
    const uint64_t Begin = Each.Place - Chunks[Each.Chunk].Place;
    if (Out.empty() || Out.back().Chunk != Each.Chunk)
      Out.push_back({Each.Chunk, Begin, 0});
    Out.back().Bytes = Begin + Each.Bytes - Out.back().Begin;
  }
  return Out;
}

Status LocalMemory::bring(const std::vector<Part> &Parts) {
  for (const Part &Each : Parts) {
    const Chunk &In = Chunks[Each.Chunk];
    if (Status Done = Memory.toDevice(In.Device + Each.Begin,
                                      In.Mirror.get() + Each.Begin, Each.Bytes);
        !Done.ok())
      return Done;
  }
  return {};
}

Status LocalMemory::toDevice() {
  Brought = reachedParts();
  return bring(Brought);
}

Status LocalMemory::toDeviceAgain() { return bring(Brought); }

Status LocalMemory::fromDevice() {
  for (const Part &Each : reachedParts()) {
    const Chunk &In = Chunks[Each.Chunk];
    if (Status Done = Memory.fromDevice(In.Mirror.get() + Each.Begin,
                                        In.Device + Each.Begin, Each.Bytes);
        !Done.ok())
      return Done;
  }
  return {};
}

void LocalMemory::settle() {
  AnyReached = false;
  for (Variable &Each : Variables) {
    if (Each.Gone)
      Each.By = Reach::None;
    else if (Each.By == Reach::Pending)
      Each.By = Reach::Any;
    AnyReached |= Each.By != Reach::None;
  }
  dropGone();
}

} // namespace blockmaestro::openmp
