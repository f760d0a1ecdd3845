// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: random programs of one thread with barriers anywhere, as a list
// of steps that can be interpreted and turned into IR alike.
// On the data's way: made by randomProgram(), run by interpret() and, through
// emitBody() and makeBlockFunction(), by the code under test.
// Invariants: programs have no data races whatever way threads take: in round r
// (barriers passed so far, the same for all threads that have not returned) a
// thread writes its slot of half r % 2 of shared memory and reads others' slots
// of the other half.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_TEST_UNIT_EMULATOR_BARRIERPROGRAM_H
#define BLOCKMAESTRO_TEST_UNIT_EMULATOR_BARRIERPROGRAM_H

#include "WarpOperation.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

enum class StepKind : uint8_t {
  Constant,  ///< D = Immediate
  Thread,    ///< D = linear thread
  Parameter, ///< D = parameter Immediate
  Add,       ///< D = A + B
  Multiply,  ///< D = A * B
  Xor,       ///< D = A ^ B
  Less,      ///< D = A < B, unsigned
  Mask,      ///< D = A & Immediate
  Put,       ///< private[A % 4] = B
  Get,       ///< D = private[A % 4]
  Publish,   ///< shared[round % 2][thread] = A
  Fetch,     ///< D = shared[(round + 1) % 2][(thread + Immediate) % threads]
  Barrier,   ///< ++round
  Count,     ///< barrier; D = threads that came with A odd
  And,       ///< barrier; D = whether all came with A odd
  Or,        ///< barrier; D = whether one came with A odd
  Warp,      ///< D = linear thread / 32
  Lanes,     ///< D = what laneStep() says of the warp's A
  Branch,    ///< to Targets[A != 0]
  Jump,      ///< to Targets[0]
  Switch,    ///< to Targets[A % 3]
  Return
};

struct Step {
  StepKind Kind;
  unsigned D = 0, A = 0, B = 0;
  uint32_t Immediate = 0;
  unsigned Targets[3] = {0, 0, 0};
};

inline constexpr unsigned ProgramVariables = 6;
inline constexpr unsigned RoundVariable = ProgramVariables;
inline constexpr unsigned ProgramParameters = 3;
inline constexpr unsigned PrivateWords = 4;

/// What a step Lanes does.
struct LaneStep {
  WarpOperation Operation;
  bool Varies;     ///< A shuffle's second operand is B, else Second.
  uint32_t Second; ///< A shuffle's distance or source,
  uint32_t Third;  ///< and its clamp and segment mask.
  uint32_t Brings; ///< Mask of what is brought of A.
};
LaneStep laneStep(const Step &S);

struct BarrierProgram {
  std::vector<Step> Steps;

  std::string text() const;
};

/// How often conditions depend on the thread, in percent. With \p OfWarps there
/// are steps of warps, and conditions that depend on the warp.
BarrierProgram randomProgram(std::mt19937 &Random, unsigned Divergence,
                             bool OfWarps = false);

/// The variables of every thread at its end, thread after thread.
std::vector<uint32_t> interpret(const BarrierProgram &P, unsigned Threads,
                                const uint32_t *Parameters);

/// The same of a program with steps of warps; nothing where the lanes of a warp
/// that have not returned do not come to one together.
std::optional<std::vector<uint32_t>> interpretWarps(const BarrierProgram &P,
                                                    unsigned Threads,
                                                    const uint32_t *Parameters);

/// Adds the code of one thread of \p P, `bm.body`, as Retarget leaves it. Its
/// arguments are where to leave the variables, then the parameters.
llvm::Function *emitBody(llvm::Module &M, const BarrierProgram &P);

} // namespace blockmaestro

#endif
