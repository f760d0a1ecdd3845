// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: random inline assembly for the property test: a list of
// statements that is printed, with all that may stand between statements, and
// that a plain interpreter runs.
// On the data's way: tests only. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_UNIT_PASSES_RANDOMASSEMBLY_H
#define BLOCKMAESTRO_TEST_UNIT_PASSES_RANDOMASSEMBLY_H

#include "blockmaestro/Footprint.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace blockmaestro::test {

/// The operands: $0 and $1 are outputs, $2 .. $5 the inputs, $5 in the register
/// of $1.
constexpr const char *AssemblyConstraints = "=l,=l,l,l,r,1";
constexpr unsigned InputCount = 4;

struct AssemblyTouch {
  AccessKind Kind = AccessKind::Read;
  uint64_t Address = 0;
  uint64_t Bytes = 0;
};

struct AssemblyRun {
  std::vector<AssemblyTouch> Touches;
  bool Exits = false;
};

class RandomAssembly {
public:
  explicit RandomAssembly(uint32_t Seed);

  /// As LLVM holds it, for the source of a module.
  std::string text();

  /// What happens with the inputs \p Inputs.
  AssemblyRun run(const uint64_t (&Inputs)[InputCount]) const;

private:
  struct Line {
    enum Form {
      Open,
      Close,
      Declare, ///< To
      Compare, ///< To = $4 != Value
      Move,    ///< To = From
      Add,     ///< To = From + Value
      Flip,    ///< To = From ^ Value
      Touch,   ///< Kind, Bytes, at From + Value
      Exit,
      Jump,  ///< To the label To, which comes later.
      Label, ///< To
    };
    Form Shape = Open;
    std::string Text;
    std::string To, From, Guard;
    bool Negated = false;
    int64_t Value = 0;
    AccessKind Kind = AccessKind::Read;
    uint64_t Bytes = 0;
  };
  using Scope = std::map<std::string, uint64_t>;

  unsigned below(unsigned Limit) { return Random() % Limit; }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  template <size_t N> const char *pick(const char *const (&Choices)[N]) {
    return Choices[below(N)];
  }
  std::string addressRegister();
  std::string guard(Line &To);
  void declare();
  void addCompare();
  void addMove();
  void addTouch();
  void addJump();
  std::string noise();

  std::mt19937 Random;
  std::vector<Line> Lines;
  std::vector<std::vector<std::string>> Open{{}}; ///< Registers by scope.
  std::vector<std::string> Predicates;
  unsigned Labels = 0;
};

} // namespace blockmaestro::test

#endif
