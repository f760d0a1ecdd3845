// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: random kernels for the property test: the same kernel as IR text
// and as a tree that a plain interpreter walks, wrapping at the kernel's width.
// On the data's way: tests only. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_UNIT_PASSES_RANDOMKERNEL_H
#define BLOCKMAESTRO_TEST_UNIT_PASSES_RANDOMKERNEL_H

#include "blockmaestro/Launch.h"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace blockmaestro::randomir {

/// One launch: sizes and the two scalar arguments.
struct RandomLaunch {
  Dim3 Grid;
  Dim3 Block;
  int64_t Scalars[2] = {0, 0};
};

struct Expression {
  enum Operation {
    Thread, ///< threadIdx, dimension Value.
    Block,
    BlockSize,
    GridSize,
    Scalar, ///< Scalar argument Value.
    Constant,
    Counter, ///< Of the loop at depth Value.
    Add,
    Subtract,
    Multiply,
    ShiftLeft, ///< By constant Value.
    Mask,      ///< Bitwise and with constant Value.
  };
  Operation What = Constant;
  int64_t Value = 0;
  std::unique_ptr<Expression> Left, Right;
};

/// Left Predicate Right, and or or the next one.
struct Condition {
  std::string Predicate; ///< As icmp spells it.
  std::unique_ptr<Expression> Left, Right;
  std::string Join; ///< "", "and" or "or".
  std::unique_ptr<Condition> Next;
};

struct Statement {
  enum Shape { Access, If, ReturnIf, Loop };
  Shape What = Access;
  unsigned Number = 0;               ///< Access: which pointer argument.
  std::unique_ptr<Expression> Index; ///< Access; Loop: its bound.
  bool Signed = true;                ///< How Index is extended or compared.
  std::unique_ptr<Condition> When;
  std::vector<Statement> Body;
};

class RandomKernel {
public:
  explicit RandomKernel(uint32_t Seed);

  /// Pointer arguments 0 .. accesses()-1, then the two scalars.
  std::string text() const;
  unsigned accesses() const { return AccessCount; }
  unsigned width() const { return Width; }
  RandomLaunch launch();

  /// The byte offsets block B of L writes through each pointer.
  std::map<unsigned, std::set<int64_t>> run(const RandomLaunch &L,
                                            uint64_t B) const;

private:
  unsigned pick(unsigned Below) { return Random() % Below; }
  std::unique_ptr<Expression> expression(unsigned Depth, unsigned Loops);
  std::unique_ptr<Condition> condition(unsigned Loops, bool MayJoin);
  std::vector<Statement> body(unsigned Depth, unsigned Loops);

  std::mt19937 Random;
  unsigned Width = 32;
  unsigned AccessCount = 0;
  std::vector<Statement> Statements;
};

} // namespace blockmaestro::randomir

#endif
