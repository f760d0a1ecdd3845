// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the code of a kernel and the routes through it, laid out so that
// an SM goes through them without looking anything up.
// On the data's way: made of the codes and routes of the traces, once each;
// read by Sm for every instruction of every warp.
// Invariants: what is given was checked (Traces.h). An Instruction's operands
// and a visit's moves are ranges of arrays that never change.
// Ownership and threads: a Program keeps what it was made of; plain values
// otherwise.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_PROGRAM_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_PROGRAM_H

#include "Machine.h"
#include "blockmaestro/WarpTrace.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace blockmaestro::sim {

/// What an instruction waits for besides its operands.
enum class Unit : uint8_t {
  Integer,
  Single,
  Double,
  Product,
  Special,
  Conversion,
  Matrix,
  Memory,
  None, ///< Branches and barriers need the scheduler alone.
};

inline constexpr unsigned UnitCount = 9;

/// How instructions of a class are executed on a machine.
struct ClassTiming {
  Unit On = Unit::None;
  uint32_t Latency = 1; ///< Until what needs the result.
};

ClassTiming timingOf(WarpClass Class, const Machine &On);

/// Null for Unit::None.
const Pipeline *pipelineOf(Unit Which, const WarpNumbers &Of);

struct Instruction {
  WarpClass Class = WarpClass::Other;
  Unit On = Unit::None;
  uint32_t Latency = 1;
  uint32_t Result = NoRegister;
  uint32_t FirstOperand = 0; ///< Of the program's operands.
  uint32_t EndOperand = 0;
};

/// At the beginning of a visit: registers that become others.
struct Move {
  uint32_t Result = 0;
  uint32_t Operand = NoRegister;
};

struct Visit {
  uint32_t FirstInstruction = 0;
  uint32_t EndInstruction = 0;
  uint32_t FirstMove = 0; ///< Of the route's moves.
  uint32_t EndMove = 0;
  uint32_t Lanes = 0;
};

/// One way through a code, ready to be gone.
struct Route {
  std::shared_ptr<const WarpRoute> Of;
  std::vector<Visit> Visits;
  std::vector<Move> Moves;
};

class Program {
public:
  Program(std::shared_ptr<const WarpCode> Code, const Machine &On);

  /// Laid out when it is first asked for; stays as long as the program.
  const Route &route(const std::shared_ptr<const WarpRoute> &Of);

  const Instruction *instructions() const { return Instructions.data(); }
  const uint32_t *operands() const { return Operands.data(); }
  uint32_t registers() const { return Code->Registers; }

private:
  std::shared_ptr<const WarpCode> Code;
  std::vector<Instruction> Instructions;
  std::vector<uint32_t> Operands;
  std::vector<uint32_t> StepBegin; ///< Its first instruction; one more at last.
  std::unordered_map<const WarpRoute *, std::unique_ptr<Route>> Routes;
};

} // namespace blockmaestro::sim

#endif
