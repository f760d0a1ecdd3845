// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: BLOCKMAESTRO_CHECK=race: two accesses to one byte in one launch,
// at least one a write, that nothing orders.
//
// Note [What orders two accesses]
// Of one block: a block barrier between them; in one warp also a warp
// operation; and a fence of the block in between (the program orders them by
// flags of its own then). Of two blocks: a chain of a fence, an atomic or
// volatile write, and an atomic or volatile read of the same address by the
// other block. That is kept as vector clocks: a block's clock counts its
// fences; a synchronizing write after a fence publishes what the block knew at
// that fence, a synchronizing read takes over what was published there. An
// access is told of before it happens, so a read may see what is published only
// later: what a block has read once it hears for good. A barrier of a part of
// the block counts as one of all of it. Two atomic or volatile accesses never
// race.
//
// Invariants: nothing is said about accesses of different launches. Of an
// eight-byte word at most EntriesPerWord accesses are remembered, so races may
// be missed, not invented. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_RACECHECK_H
#define BLOCKMAESTRO_RUNTIME_CHECK_RACECHECK_H

#include "Findings.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

namespace blockmaestro {

class RaceCheck {
public:
  static constexpr size_t EntriesPerWord = 6;

  explicit RaceCheck(Findings &Found) : Found(Found) {}

  void touches(const ObservedAccess &What);
  void fences(const Launch &What, uint64_t Block);
  /// A kernel has allocated this memory: who had it before has no part in it.
  void forget(uint64_t Address, uint64_t Bytes);

private:
  /// How many fences of each block are known to have happened.
  using Clocks = std::map<uint64_t, uint32_t>;

  struct BlockState {
    uint32_t Clock = 0; ///< Fences of the block itself.
    Clocks Known;
    Clocks AtFence;           ///< What its next synchronizing write publishes.
    std::set<uint64_t> Heard; ///< Addresses of its synchronizing reads.
  };

  /// One launch's order between blocks. Lock guards all of it.
  struct LaunchState {
    uint64_t Id = 0;
    std::mutex Lock;
    std::unordered_map<uint64_t, BlockState> Blocks;
    std::unordered_map<uint64_t, Clocks> Published; ///< By address.
  };

  struct Entry {
    uint64_t Block = 0;
    uint32_t Thread = 0;
    uint32_t BlockRound = 0;
    uint32_t WarpRound = 0;
    uint32_t Clock = 0;
    uint32_t Bits = 0;
    uint8_t Bytes = 0;    ///< One bit each.
    uint64_t Address = 0; ///< Where the access begins.
    const char *Where = "";
  };
  struct Word {
    uint64_t Launch = 0;
    std::vector<Entry> Entries;
  };
  /// Words by number; those of shared memory by block too.
  struct WordKey {
    uint64_t Number = 0;
    uint64_t Space = 0; ///< 0, or one more than the block.
    bool operator==(const WordKey &) const = default;
  };
  struct Hash {
    size_t operator()(const WordKey &K) const {
      return (K.Number + K.Space * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u >>
             7;
    }
  };
  struct Shard {
    std::mutex Lock;
    std::unordered_map<WordKey, Word, Hash> Words;
  };

  std::shared_ptr<LaunchState> stateOf(uint64_t Launch);
  static void hear(LaunchState &State, BlockState &B, uint64_t Address);
  static bool knows(const BlockState &B, const Entry &Old);
  static bool hearsOf(LaunchState &State, const Entry &Old, uint64_t Block);
  void synchronize(LaunchState &State, const ObservedAccess &What);
  bool ordered(LaunchState &State, const Entry &Old, const ObservedAccess &New,
               uint32_t Clock);
  void touchWord(LaunchState &State, const ObservedAccess &What,
                 const Entry &New, uint64_t Number);
  void report(const Entry &Old, const ObservedAccess &New);

  Findings &Found;
  std::mutex Lock;
  std::map<uint64_t, std::shared_ptr<LaunchState>> Launches;
  std::array<Shard, 64> Shards;
};

} // namespace blockmaestro

#endif
