// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the memory of a GPU would have done for a block: accesses of
// whole warps, sectors of global memory, wavefronts of shared memory.
// On the data's way: told of every access of every thread by counted code
// (AccessMarks), asked for the sums when the block has ended.
//
// The lanes of a warp that execute the same access in the same iterations of
// all loops around it do so together, as they do where control comes together
// again as early as it can. Of such an access of a warp
//  - a sector is 32 bytes of global memory, aligned, that any lane touches;
//    Of those that are read it is told which the block had not touched yet
//    (Sectors.h)
//  - a wavefront is what the 32 banks of shared memory, 4 bytes wide, do at
//    once: a word for each bank, for every lane that wants that word. So there
//    are as many as the bank has words that is asked for most; atomics of
//    several lanes to one word count one by one.
// A lane that executes an access twice in the same iterations (in a function
// that is called and not inlined) does so in two accesses of the warp.
//
// Threads of kernels that are loops over threads tell in passes, in the order
// of their numbers, so that only one warp is held; those of fibers are held
// until the block's barrier.
// Ownership: the context is borrowed. Threads: one block, one thread.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_TRANSACTIONS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_TRANSACTIONS_H

#include "BlockContext.h"
#include "Sectors.h"

#include "blockmaestro/Event.h"
#include "blockmaestro/Footprint.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

/// What counted code says of an access in one word: its number among the
/// kernel's accesses, and its kind.
constexpr uint32_t packSite(uint32_t Number, AccessKind Kind) {
  return Number << 2 | uint32_t(Kind);
}

/// The accesses of one warp that have been told of and not yet summed up.
class WarpAccesses {
public:
  /// Lane \p Lane of thread number \p Thread executes an access of
  /// \p Bytes bytes, not 0.
  void touch(uint32_t Thread, uint32_t Site, uint64_t Key, bool Shared,
             uint64_t Offset, uint64_t Bytes);
  /// Adds them to \p Sum, and what they touch to \p Touched, and forgets them.
  void addTo(BlockCost &Sum, BlockSectors &Touched);

private:
  static constexpr uint32_t None = ~0u;

  /// 64 units (sectors or words) from a multiple of 64 on, those touched set.
  struct Window {
    uint64_t Base = 0;
    uint64_t Units = 0;
    uint32_t Next = None; ///< In More.
  };
  /// One access of the warp.
  struct Access {
    uint64_t Key;
    uint32_t Site; ///< packSite(), doubled, and 1 for shared memory.
    uint32_t Lanes = 0;
    uint32_t Again = None; ///< The next of the same site and key.
    Window First;
  };
  struct Slot {
    uint32_t Epoch = 0;
    uint32_t Index = 0;
  };

  uint32_t find(uint32_t Site, uint64_t Key, uint32_t Lane);
  uint32_t append(uint32_t Site, uint64_t Key);
  Slot &slotOf(uint32_t Site, uint64_t Key);
  void grow();
  void add(Access &To, uint64_t Unit);
  void addFar(Access &To, uint64_t Base, uint64_t Bit, bool Apart);
  uint32_t wavefronts(const Access &Of) const;
  uint32_t sectors(const Access &Of) const;
  uint32_t firstSectors(const Access &Of, BlockSectors &Touched) const;

  std::vector<Access> Accesses;
  std::vector<Window> More;
  std::vector<Slot> Slots; ///< By hash; as many as a power of two.
  uint32_t Epoch = 1;
  uint32_t LastThread = 0;
  uint32_t Cursor = 0; ///< What LastThread is expected to do next.
};

/// All warps of a block.
class BlockAccesses {
public:
  /// What the block touches is held against \p Before, and part of it then.
  void begin(const BlockContext &Of, SectorHistory &Before);
  void touch(uint32_t Thread, uint32_t Site, uint64_t Key, uint64_t Address,
             uint64_t Bytes);
  /// Adds everything since begin() to \p Sum.
  void end(BlockCost &Sum);

private:
  void change(uint32_t Thread);

  const BlockContext *Context = nullptr;
  SectorHistory *Before = nullptr;
  BlockSectors Touched;
  std::vector<WarpAccesses> Warps; ///< One where threads come in passes.
  std::vector<uint32_t> Rounds;    ///< Of the block's barrier, by warp.
  WarpAccesses *Current = nullptr; ///< Of LastThread; null at first.
  uint32_t LastThread = 0;
  uint32_t Round = 0; ///< When Current became that.
  BlockCost Sum;
};

} // namespace blockmaestro

extern "C" {
/// \p Site is packSite(), \p Key tells iterations of loops apart.
void bm_touch(blockmaestro::BlockContext *Context, uint32_t Thread,
              uint32_t Site, uint64_t Key, const void *Address, uint64_t Bytes);
}

#endif
