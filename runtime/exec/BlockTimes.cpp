// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockTimes.h"

#include <algorithm>
#include <thread>

namespace blockmaestro {
namespace {

using Clock = std::chrono::steady_clock;

bool isWhole(const BlockTime &Note) {
  return Note.Start != 0 && Note.End != 0 && Note.Where != 0;
}

} // namespace

/// What blocks may still write to stays until the process ends, or the device
/// is reset: to wait for them could be to wait for ever.
BlockTimes::~BlockTimes() {
  for (const Piece &Each : Pieces)
    if (Each.Parts.empty())
      Port.releaseBeside(Each.Memory);
}

BlockTime *BlockTimes::place(const std::vector<Blocks> &Of) {
  uint64_t Count = 0;
  for (const Blocks &Each : Of)
    Count += Each.Count;
  Refusal = Count > Allowed.Most ? "there are too many of them" : "";
  Last = nullptr;
  Piece *Room = Refusal.empty() ? findRoom(Count) : nullptr;
  if (!Room && Refusal.empty()) {
    waitUntil([&] { return (Room = findRoom(Count)) || !Refusal.empty(); });
    if (!Room && Refusal.empty())
      Refusal = "too many before them have not ended for too long";
  }
  if (!Room)
    return nullptr;
  BlockTime *Out = Room->Memory + Room->Used;
  for (const Blocks &Each : Of) {
    Room->Parts.push_back({Each, Room->Used});
    Room->Used += Each.Count;
  }
  Pending += Count;
  Last = Room;
  LastParts = Of.size();
  return Out;
}

/// Nothing has been noted there.
void BlockTimes::withdraw() {
  if (!Last)
    return;
  for (; LastParts != 0; --LastParts) {
    const Part &Gone = Last->Parts.back();
    Last->Used = Gone.First;
    Pending -= Gone.Of.Count;
    Last->Parts.pop_back();
  }
  Last = nullptr;
}

void BlockTimes::waited() {
  if (Pending != 0)
    (void)report();
}

void BlockTimes::reportRest() {
  waitUntil([this] { return Pending == 0; });
}

/// In a piece that there is, or in a new one, for which empty ones give way.
/// Null: there is none as long as nothing is reported, or the GPU refuses.
BlockTimes::Piece *BlockTimes::findRoom(uint64_t Count) {
  for (Piece &Each : Pieces)
    if (Each.Capacity - Each.Used >= Count)
      return &Each;
  const uint64_t Wanted = std::max(Count, Allowed.Piece);
  if (Capacity + Wanted > Allowed.Most)
    releaseEmpty();
  return Capacity + Wanted <= Allowed.Most ? addPiece(Wanted) : nullptr;
}

BlockTimes::Piece *BlockTimes::addPiece(uint64_t Notes) {
  Result<void *> Made = Port.allocateBeside(Notes * sizeof(BlockTime));
  if (!Made.ok()) {
    Refusal = Made.status().message();
    return nullptr;
  }
  Capacity += Notes;
  return &Pieces.emplace_back(Piece{static_cast<BlockTime *>(*Made), Notes});
}

void BlockTimes::releaseEmpty() {
  Last = nullptr;
  for (auto At = Pieces.begin(); At != Pieces.end();) {
    if (At->Used != 0) {
      ++At;
      continue;
    }
    Port.releaseBeside(At->Memory);
    Capacity -= At->Capacity;
    At = Pieces.erase(At);
  }
}

/// Looks again and again, for half of the time at the most.
template <typename Condition> void BlockTimes::waitUntil(Condition Holds) {
  constexpr std::chrono::microseconds Shortest{20};
  const Clock::time_point Start = Clock::now();
  for (Clock::time_point Begin = Start; report().ok() && !Holds();
       Begin = Clock::now()) {
    if (Patience.count() != 0 && Clock::now() - Start > Patience)
      return;
    std::this_thread::sleep_for(
        std::max<Clock::duration>(Clock::now() - Begin, Shortest));
  }
}

Status BlockTimes::report() {
  for (Piece &Each : Pieces)
    if (Status Done = report(Each); !Done.ok())
      return Done;
  return {};
}

/// Reports what is whole; where that is all, the piece is empty.
Status BlockTimes::report(Piece &From) {
  if (From.Used == 0)
    return {};
  if (!From.Parts.empty()) {
    const uint64_t First = From.Parts.front().First;
    Seen.resize(From.Used - First);
    Status Read = Port.readBeside(Seen.data(), From.Memory + First,
                                  Seen.size() * sizeof(BlockTime));
    if (!Read.ok())
      return Read;
    std::erase_if(From.Parts, [&](const Part &Each) {
      return report(Each, Seen.data() + (Each.First - First));
    });
  }
  if (!From.Parts.empty())
    return {};
  Status Cleared = Port.clearBeside(From.Memory, From.Used * sizeof(BlockTime));
  if (Cleared.ok())
    From.Used = 0;
  return Cleared;
}

/// Whether the launch has ended, and is reported.
bool BlockTimes::report(const Part &Of, const BlockTime *Notes) {
  if (!std::all_of(Notes, Notes + Of.Of.Count, isWhole))
    return false;
  for (uint64_t Block = 0; Block < Of.Of.Count; ++Block) {
    const BlockTime &Note = Notes[Block];
    Events.blockRan({Of.Of.Launch, Block, Note.Start,
                     std::max(Note.Start, Note.End), Note.Where - 1},
                    nullptr);
  }
  Pending -= Of.Of.Count;
  return true;
}

} // namespace blockmaestro
