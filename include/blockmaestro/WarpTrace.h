// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the warps of a block executed, instruction by instruction,
// as the warp tier of the simulator replays it.
// On the data's way: made by the emulated device of the blocks that are traced,
// streamed by runtime/record, read by bm-sim and bm-dump.
//
// A kernel's code is kept once: steps (its basic blocks, cut behind what waits)
// of instructions that name the registers they read and write. What a warp did
// is a path: the steps it visited, each with the lanes that did, and for every
// access of memory how much of it there was, in the order in which they were
// executed. The part of a path without addresses, its route, is shared by all
// warps that went that way.
//
// Invariants:
//  - Step, register and lane numbers are those of the code: a visit's step is
//    one of Steps, a register is below Registers; a visit has a lane.
//  - The accesses of a route are as many as the instructions with isAccess() in
//    the steps it visits, in their order, and Sectors has Count of each that is
//    not Shared.
//  - A step's moves happen at once, before its instructions: only those whose
//    From is the step that these lanes visited before.
// Ownership: codes, routes and paths are shared and never change.
// Threads: plain values.

#ifndef BLOCKMAESTRO_WARPTRACE_H
#define BLOCKMAESTRO_WARPTRACE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

/// What executes an instruction.
enum class WarpClass : uint8_t {
  Integer,
  Single,
  Double,
  Special,    ///< A function that is not told in instructions.
  Conversion, ///< To and from floats.
  Branch,     ///< The end of a basic block.
  Exchange,   ///< Shuffles, votes, what a warp does together.
  Matrix,     ///< Products of small matrices.
  Barrier,    ///< Of the block.
  Read,       ///< Of global or shared memory, which the route says.
  Write,
  Atomic,
  Private, ///< An access to a thread's own memory, parameters or constants.
  Other,
  Approximation, ///< Of a reciprocal, root, exponential, logarithm or sine.
  Product,       ///< Of integers, and what is added to it.
  Comparison,    ///< Makes a predicate; not of doubles.
};

/// What a class is called in dumps, in the order of the enumeration.
inline constexpr const char *WarpClassNames[] = {
    "integer",  "single", "double",        "special", "conversion", "branch",
    "exchange", "matrix", "barrier",       "read",    "write",      "atomic",
    "private",  "other",  "approximation", "product", "comparison"};

/// Whether a route says something of each execution.
inline bool isAccess(WarpClass Class) {
  return Class == WarpClass::Read || Class == WarpClass::Write ||
         Class == WarpClass::Atomic;
}

inline constexpr uint32_t NoRegister = ~0u;

struct WarpInstruction {
  WarpClass Class = WarpClass::Other;
  uint32_t Result = NoRegister;
  std::vector<uint32_t> Operands; ///< Registers that it needs.
};

/// A value that a step begins with, by where the lanes come from.
struct WarpMove {
  uint32_t From = 0;             ///< The step before.
  uint32_t Result = 0;           ///< A register.
  uint32_t Operand = NoRegister; ///< None: a constant.
};

struct WarpStep {
  std::vector<WarpMove> Moves;
  std::vector<WarpInstruction> Instructions;
};

/// How many of a step's instructions a route says something of.
inline size_t accessesOf(const WarpStep &Step) {
  return size_t(std::count_if(
      Step.Instructions.begin(), Step.Instructions.end(),
      [](const WarpInstruction &Each) { return isAccess(Each.Class); }));
}

struct WarpCode {
  uint32_t Registers = 0;
  std::vector<WarpStep> Steps;
};

struct WarpVisit {
  uint32_t Step = 0;
  uint32_t Lanes = 0; ///< A bit for each.
};

/// One execution of an instruction that accesses memory.
struct WarpAccess {
  bool Shared = false;
  /// Wavefronts of shared memory, sectors of global; 0 where it accessed
  /// neither: a generic pointer was to a thread's own memory.
  uint32_t Count = 0;
  /// Of an atomic of global memory, the most lanes that want one word; of a
  /// read or write of it, the most words that are wanted of one of 32 banks.
  uint32_t Together = 1;
};

struct WarpRoute {
  std::vector<WarpVisit> Visits;
  std::vector<WarpAccess> Accesses;
};

struct WarpPath {
  std::shared_ptr<const WarpRoute> Route;
  /// Of 32 bytes, by number (address / 32), for each access that is not of
  /// shared memory, rising within one.
  std::vector<uint64_t> Sectors;
};

struct BlockTrace {
  uint64_t Launch = 0;
  uint64_t Block = 0; ///< Linear, x fastest.
  std::shared_ptr<const WarpCode> Code;
  std::vector<std::shared_ptr<const WarpPath>> Warps; ///< In their order.
};

} // namespace blockmaestro

#endif
