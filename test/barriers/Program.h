// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a random program whose kernels have barriers and exits in any
// control flow, as a tree that is printed as CUDA and interpreted alike.
// On the data's way: made by makeProgram(), settled by interpret(), printed by
// print().
// Invariants: the result is defined whatever way threads take. In round r
// (barriers passed, the same for all threads that have not left) a thread
// writes its slot of half r % 2 of the exchange area, right before it waits,
// and reads others' slots of the other half; a thread that has left keeps what
// it wrote. One that passes no more barriers reads none: __syncthreads() may
// count its warp as having come while it has still to leave. Every thread
// writes its own cell of the launch's output, a wrong number early and the
// right one when it leaves; the input is another buffer. Threads: plain data.

#ifndef BLOCKMAESTRO_TEST_BARRIERS_PROGRAM_H
#define BLOCKMAESTRO_TEST_BARRIERS_PROGRAM_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace blockmaestro::barriers {

inline constexpr unsigned Variables = 4;
inline constexpr unsigned UniformWords = 8;
inline constexpr unsigned WarpSize = 32;
inline constexpr unsigned Halo = 1024; ///< Cells around those that are written.

enum class Place : uint8_t {
  Variable,
  Thread,   ///< Linear in the block.
  Block,    ///< Linear in the grid.
  Argument, ///< 0 or 1.
  Constant,
  Round,
  Counter, ///< Of the loop at that depth of the function.
  Uniform, ///< A word that no kernel writes.
};

struct Operand {
  Place From = Place::Constant;
  uint32_t Number = 0;
};

enum class Test : uint8_t {
  Bits,       ///< ((Left + Right) & Mask) < Bound
  Below,      ///< linear thread < Bound
  WarpIs,     ///< threadIdx.x / 32 == Bound
  WarpBelow,  ///< (int(threadIdx.x) - Mask) / 32 < int(Bound)
  FloorBelow, ///< (int(threadIdx.x) - Mask) >> 5 < int(Bound)
};

struct Condition {
  Test By = Test::Bits;
  Operand Left, Right;
  uint32_t Mask = 1, Bound = 1;
};

enum class Kind : uint8_t {
  Assign,   ///< v[D] = Left * Number + Right
  Read,     ///< v[D] ^= input at the own cell plus int(Number)
  Store,    ///< output at the own cell = v[A] + Number, not the last word
  Get,      ///< v[D] ^= other half's slot of thread (own + Number) % threads
  Begin,    ///< writes both halves' own slots, then as Barrier
  Barrier,  ///< writes the own slot, waits for all that have not left
  WarpWork, ///< see Vote; among the lanes of a warp
  Group,    ///< the first Number warps exchange v[A]
  Sleep,    ///< blocks of parity A: Number nanoseconds
  Trap,     ///< under a condition that never holds
  If,       ///< Parts[0] or Parts[1]
  Switch, ///< Parts[Left % 3], falls into the next one where Falls has its bit
  Loop,   ///< Parts[0]
  Break,
  Continue,
  Return, ///< From the function, or the kernel.
  Exit,   ///< The thread, from wherever it is.
  Call,   ///< Functions[Number]
};

enum class Vote : uint8_t { None, Count, And, Or, Shuffle };
enum class LoopForm : uint8_t { For, While, Do };

struct Statement {
  Kind Does = Kind::Assign;
  unsigned D = 0, A = 0;
  uint32_t Number = 0;
  Operand Left, Right;
  Condition When;
  Vote Votes = Vote::None;
  unsigned Falls = 0;
  /// A loop counts from Left (as it is) by Number up to below
  /// (Right & When.Mask) + When.Bound.
  LoopForm Form = LoopForm::For;
  unsigned Site = 0; ///< Of Kernel::Sites, for what waits.
  std::vector<std::vector<Statement>> Parts;
};

using Statements = std::vector<Statement>;

/// How threads come to a place where they wait, as settled by interpretation.
enum class Meeting : uint8_t {
  All, ///< All that have not left or pass no more, in the same iterations.
  Off, ///< Not so, or not all lanes come: it is left out.
};

struct Site {
  Meeting How = Meeting::All;
  unsigned Barrier = 0;  ///< Number of the hardware barrier.
  bool Loose = false;    ///< A barrier that is not aligned.
  bool Assembly = false; ///< Written in assembly where it is loose.
};

enum class Exchange : uint8_t { Static, Dynamic, Global };

struct Kernel {
  unsigned Number = 0;
  unsigned Block[3] = {32, 1, 1};
  unsigned Grid[2] = {1, 1};
  Exchange Area = Exchange::Static;
  unsigned DynamicWords = 0;
  bool BuiltinExit = false; ///< Exit is a builtin, else assembly.
  Statements Body;
  std::vector<Statements> Functions;
  std::vector<Site> Sites;
  std::set<std::string> Shapes; ///< Of control flow, for the log.
  // What interpretation saw in any launch.
  bool BlockParts = false; ///< Threads of a block pass different barriers.
  bool WarpParts = false;  ///< Lanes of a warp pass different operations.

  unsigned threads() const { return Block[0] * Block[1] * Block[2]; }
  unsigned blocks() const { return Grid[0] * Grid[1]; }
};

struct Launch {
  unsigned Kernel = 0;
  uint32_t Arguments[2] = {0, 0};
};

/// Launch i reads buffer i % 3 and writes buffer (i + 1) % 3.
struct Program {
  uint32_t Seed = 0;
  unsigned Cells = 0;
  std::vector<Kernel> Kernels;
  std::vector<Launch> Launches;
  uint64_t Expected = 0; ///< Hash of all memory at the end.
};

inline constexpr unsigned Buffers = 3;

/// The program of that seed; Large allows grids beyond one load of a GPU.
Program makeProgram(uint32_t Seed, bool Large);

/// Settles how threads meet at each site, and sets what was seen and expected.
/// False where a thread takes too many steps: the program is of no use.
bool interpret(Program &P);

/// CUDA source: the kernels and `void program<Seed>()`.
std::string print(const Program &P);

} // namespace blockmaestro::barriers

#endif
