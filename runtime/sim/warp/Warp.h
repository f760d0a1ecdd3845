// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a warp on its way through its route, with the times at which its
// registers are there: the scoreboard.
// On the data's way: inside an SM: says what the warp executes next and from
// when on that is possible as far as the warp itself goes.
// Invariants: a time is kept with what it is waited for: memory or anything
// else; of equal times memory counts. All times are known when an instruction
// is issued, since whatever serves it is reserved then. Ownership and threads:
// the program, the route and the sectors outlive it.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_WARP_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_WARP_H

#include "Program.h"

#include <bit>
#include <span>

namespace blockmaestro::sim {

/// A time and whether memory is waited for until then.
class Due {
public:
  Due() = default;
  Due(uint64_t Time, bool ByMemory) : Packed(Time << 1 | uint64_t(ByMemory)) {}
  uint64_t time() const { return Packed >> 1; }
  bool byMemory() const { return Packed & 1; }
  friend bool operator<(Due A, Due B) { return A.Packed < B.Packed; }

private:
  uint64_t Packed = 0;
};

class Warp {
public:
  /// Stands before its first instruction.
  void start(const Program &Of, const Route &Through,
             const std::vector<uint64_t> &Of32Bytes, uint64_t Now);

  bool isDone() const { return Done; }
  const Instruction &next() const { return *Next; }
  bool nextIsGlobal() const {
    return isAccess(Next->Class) && !Way->Of->Accesses[Access].Shared;
  }

  /// When the next instruction has its operands; once done, when the warp has
  /// ended.
  Due due() const;

  /// The access that the next instruction makes.
  const WarpAccess &access() const { return Way->Of->Accesses[Access]; }
  std::span<const uint64_t> sectors() const {
    return {Sectors + Sector, access().Count};
  }

  /// The next instruction has been issued; its result is there at Ready.
  void issued(Due Ready);

  /// Nothing is issued before.
  void holdUntil(uint64_t Time) { NotBefore = std::max(NotBefore, Time); }

  uint32_t lanes() const { return LaneCount; }

  uint32_t Block = 0;  ///< Its block's place in the SM.
  uint32_t Number = 0; ///< Within the block.
  uint32_t Application = 0;

private:
  void enterVisits();
  void move(const Visit &At);

  const Program *Code = nullptr;
  const Route *Way = nullptr;
  const Instruction *Next = nullptr;
  const Instruction *End = nullptr;
  const uint64_t *Sectors = nullptr;
  size_t NextVisit = 0;
  size_t Access = 0;
  size_t Sector = 0;
  uint32_t LaneCount = 0;
  bool Done = false;
  uint64_t NotBefore = 0;
  Due Last; ///< Of all results.
  std::vector<Due> Registers;
  std::vector<Due> Moving;
};

} // namespace blockmaestro::sim

#endif
