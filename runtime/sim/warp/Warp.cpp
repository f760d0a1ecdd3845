// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Warp.h"

#include <algorithm>

namespace blockmaestro::sim {

void Warp::start(const Program &Of, const Route &Through,
                 const std::vector<uint64_t> &Of32Bytes, uint64_t Now) {
  Code = &Of;
  Way = &Through;
  Sectors = Of32Bytes.data();
  Next = End = nullptr;
  NextVisit = Access = Sector = 0;
  Done = false;
  NotBefore = Now;
  Last = {};
  Registers.assign(Of.registers(), {});
  enterVisits();
}

/// All at once: what one of them writes no other one reads.
void Warp::move(const Visit &At) {
  const Move *Moves = Way->Moves.data();
  Moving.clear();
  for (uint32_t I = At.FirstMove; I < At.EndMove; ++I)
    Moving.push_back(
        Moves[I].Operand == NoRegister ? Due() : Registers[Moves[I].Operand]);
  for (uint32_t I = At.FirstMove; I < At.EndMove; ++I)
    Registers[Moves[I].Result] = {};
  for (uint32_t I = At.FirstMove; I < At.EndMove; ++I) {
    Due &Result = Registers[Moves[I].Result];
    Result = std::max(Result, Moving[I - At.FirstMove]);
  }
}

/// Up to one that has an instruction.
void Warp::enterVisits() {
  while (Next == End) {
    if (NextVisit == Way->Visits.size()) {
      Done = true;
      return;
    }
    const Visit &At = Way->Visits[NextVisit++];
    Next = Code->instructions() + At.FirstInstruction;
    End = Code->instructions() + At.EndInstruction;
    LaneCount = uint32_t(std::popcount(At.Lanes));
    if (At.FirstMove != At.EndMove)
      move(At);
  }
}

Due Warp::due() const {
  Due Out(NotBefore, false);
  if (Done)
    return std::max(Out, Last);
  const uint32_t *Operands = Code->operands();
  for (uint32_t I = Next->FirstOperand; I < Next->EndOperand; ++I)
    Out = std::max(Out, Registers[Operands[I]]);
  if (Next->Result != NoRegister)
    Out = std::max(Out, Registers[Next->Result]);
  return Out;
}

void Warp::issued(Due Ready) {
  if (Next->Result != NoRegister) {
    Registers[Next->Result] = Ready;
    Last = std::max(Last, Ready);
  }
  if (isAccess(Next->Class)) {
    const WarpAccess &Made = access();
    Sector += Made.Shared ? 0 : Made.Count;
    ++Access;
  }
  ++Next;
  enterVisits();
}

} // namespace blockmaestro::sim
