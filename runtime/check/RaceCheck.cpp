// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RaceCheck.h"

#include <algorithm>

namespace blockmaestro {

namespace {

constexpr size_t LaunchesKept = 8;
constexpr uint64_t WordBytes = 8;
constexpr uint32_t WarpSize = 32;

void join(std::map<uint64_t, uint32_t> &Into,
          const std::map<uint64_t, uint32_t> &From) {
  for (const auto &[Block, Clock] : From) {
    uint32_t &Mine = Into[Block];
    Mine = std::max(Mine, Clock);
  }
}

const char *verb(uint32_t Bits) {
  return Bits & AccessWrites ? "write" : "read";
}

std::string lineOf(const char *Where) {
  return *Where ? std::string(" at ") + Where : "";
}

} // namespace

std::shared_ptr<RaceCheck::LaunchState> RaceCheck::stateOf(uint64_t Launch) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::shared_ptr<LaunchState> &Slot = Launches[Launch];
  if (!Slot) {
    Slot = std::make_shared<LaunchState>();
    Slot->Id = Launch;
  }
  std::shared_ptr<LaunchState> Out = Slot;
  if (Launches.size() > LaunchesKept && Launches.begin()->first != Launch)
    Launches.erase(Launches.begin());
  return Out;
}

void RaceCheck::fences(const Launch &What, uint64_t Block) {
  std::shared_ptr<LaunchState> State = stateOf(What.Id);
  std::lock_guard<std::mutex> Guard(State->Lock);
  BlockState &B = State->Blocks[Block];
  B.AtFence = B.Known;
  B.AtFence[Block] = ++B.Clock;
}

/// Takes over what was published at \p Address.
void RaceCheck::hear(LaunchState &State, BlockState &B, uint64_t Address) {
  if (auto At = State.Published.find(Address); At != State.Published.end())
    join(B.Known, At->second);
}

/// What a synchronizing access publishes and takes over.
void RaceCheck::synchronize(LaunchState &State, const ObservedAccess &What) {
  std::lock_guard<std::mutex> Guard(State.Lock);
  BlockState &B = State.Blocks[What.Block];
  if (What.Bits & AccessReads) {
    B.Heard.insert(What.Address);
    hear(State, B, What.Address);
  }
  if (What.Bits & AccessWrites && !B.AtFence.empty())
    join(State.Published[What.Address], B.AtFence);
}

/// See Note [What orders two accesses].
bool RaceCheck::ordered(LaunchState &State, const Entry &Old,
                        const ObservedAccess &New, uint32_t Clock) {
  if (Old.Block == New.Block)
    return Old.Thread == New.Thread || Old.BlockRound != New.BlockRound ||
           Old.Clock != Clock ||
           (Old.Thread / WarpSize == New.Thread / WarpSize &&
            Old.WarpRound != New.WarpRound);
  std::lock_guard<std::mutex> Guard(State.Lock);
  return knows(State.Blocks[New.Block], Old);
}

/// Whether \p B knows of a fence of \p Old's block after \p Old.
bool RaceCheck::knows(const BlockState &B, const Entry &Old) {
  auto Of = B.Known.find(Old.Block);
  return Of != B.Known.end() && Of->second > Old.Clock;
}

/// Whether \p Block has read what \p Old wrote as a synchronizing access, or
/// where something that knows of \p Old was published since.
bool RaceCheck::hearsOf(LaunchState &State, const Entry &Old, uint64_t Block) {
  if (Old.Block == Block)
    return false;
  std::lock_guard<std::mutex> Guard(State.Lock);
  BlockState &B = State.Blocks[Block];
  if (Old.Bits & AccessSynchronizes && Old.Bits & AccessWrites &&
      B.Heard.contains(Old.Address))
    return true;
  for (uint64_t Address : B.Heard)
    hear(State, B, Address);
  return knows(B, Old);
}

void RaceCheck::report(const Entry &Old, const ObservedAccess &New) {
  const Launch &What = *New.What;
  bool SameBlock = Old.Block == New.Block;
  std::string Text =
      std::string("race: ") + verb(New.Bits) + " by " + placeOf(New) + " and " +
      verb(Old.Bits) + lineOf(Old.Where) + " by " +
      threadOf(What, Old.Block, Old.Thread) + " of the same " +
      (New.Space == AccessSpace::Shared ? "shared memory" : "memory") +
      ", address " + hexadecimal(New.Address) + ", " +
      (SameBlock ? "with no barrier between them"
                 : "and nothing orders the blocks");
  Found.add("race " + What.Kernel->Name + New.Where + "/" + Old.Where +
                (SameBlock ? "/block" : "/grid"),
            Text);
}

/// Compares the access with those remembered of one word, and remembers it.
void RaceCheck::touchWord(LaunchState &State, const ObservedAccess &What,
                          const Entry &New, uint64_t Number) {
  bool Shared = What.Space == AccessSpace::Shared;
  WordKey Key{Number, Shared ? What.Block + 1 : 0};
  Shard &In = Shards[Hash()(Key) % Shards.size()];
  std::lock_guard<std::mutex> Guard(In.Lock);
  Word &W = In.Words[Key];
  if (W.Launch != What.What->Id) {
    W.Launch = What.What->Id;
    W.Entries.clear();
  }
  std::erase_if(W.Entries, [&](const Entry &Old) {
    bool Before = ordered(State, Old, What, New.Clock);
    bool Both = Old.Bits & New.Bits & AccessSynchronizes;
    bool Writes = (Old.Bits | New.Bits) & AccessWrites;
    if (!Before && !Both && Writes && (Old.Bytes & New.Bytes)) {
      Before = hearsOf(State, Old, What.Block);
      if (!Before)
        report(Old, What);
    }
    bool Covered = (Old.Bytes & ~New.Bytes) == 0;
    bool Weaker = New.Bits & AccessWrites || !(Old.Bits & AccessWrites);
    return Before && Covered && Weaker;
  });
  if (W.Entries.size() == EntriesPerWord)
    W.Entries.erase(W.Entries.begin());
  W.Entries.push_back(New);
}

void RaceCheck::forget(uint64_t Address, uint64_t Bytes) {
  uint64_t End = (Address + Bytes + WordBytes - 1) / WordBytes;
  for (uint64_t Number = Address / WordBytes; Number < End; ++Number) {
    WordKey Key{Number, 0};
    Shard &In = Shards[Hash()(Key) % Shards.size()];
    std::lock_guard<std::mutex> Guard(In.Lock);
    In.Words.erase(Key);
  }
}

void RaceCheck::touches(const ObservedAccess &What) {
  if (What.Space == AccessSpace::OutsideShared)
    return;
  std::shared_ptr<LaunchState> State = stateOf(What.What->Id);
  if (What.Bits & AccessSynchronizes)
    synchronize(*State, What);
  Entry New{What.Block, What.Thread, What.BlockRound, What.WarpRound, 0,
            What.Bits,  0,           What.Address,    What.Where};
  {
    std::lock_guard<std::mutex> Guard(State->Lock);
    New.Clock = State->Blocks[What.Block].Clock;
  }
  uint64_t End = What.Address + What.Bytes;
  for (uint64_t At = What.Address; At < End;) {
    uint64_t Number = At / WordBytes;
    uint64_t Stop = std::min(End, (Number + 1) * WordBytes);
    uint64_t First = At % WordBytes, Count = Stop - At;
    New.Bytes = static_cast<uint8_t>(((1u << Count) - 1) << First);
    touchWord(*State, What, New, Number);
    At = Stop;
  }
}

} // namespace blockmaestro
