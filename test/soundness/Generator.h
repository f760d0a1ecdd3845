// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the state in which one random kernel is made, and the pieces all
// idioms share.
// On the data's way: inside Generate and Idioms. Threads: one.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_GENERATOR_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_GENERATOR_H

#include "Build.h"
#include "Generate.h"

namespace blockmaestro::soundness {

class Generator {
public:
  explicit Generator(uint32_t Seed, bool Affine = false)
      : Affine(Affine), R(Seed) {
    K.Seed = Seed;
  }

  Kernel K;

  unsigned pick(unsigned Below) { return R() % Below; }
  bool chance(unsigned Percent) { return pick(100) < Percent; }

  /// Indices and the sides of comparisons are sums of products of one index and
  /// one number of the launch, and what stands around an access is a
  /// conjunction of `<`, `<=`, `==`: no `!=`, `||`, `%`, `else`, no early
  /// return but `i >= n`, no narrow integers, no counter after its loop.
  const bool Affine;
  /// Number of axes the kernel is laid out for.
  unsigned Axes = 1;
  /// How many idioms may still be nested around what is made now.
  unsigned Depth = 0;
  /// Loops around what is made now.
  unsigned Loops = 0;
  /// Integer variables that may be used now.
  std::vector<unsigned> Visible;
  bool InFunction = false;

  // Declarations.
  unsigned newScalar(Int T, Role Purpose);
  unsigned newArray(Element Of, bool Table = false);
  unsigned newLocal(Int T);
  unsigned newPointer(Element Of);
  unsigned newFunction(Function F);

  // Integers.
  Int indexType();
  Node scalar(unsigned Id) const;
  Node local(unsigned Id) const;
  /// A scalar of Purpose, an old one or a new one.
  Node someScalar(Role Purpose);
  Node someLocal();
  /// blockIdx * blockDim + threadIdx, in T or in the ways programs write it.
  Node linear(unsigned Axis, Int T);
  Node atom();
  Node affine(unsigned Depth);
  Node anything(unsigned Depth);
  Node comparison();
  Node condition(unsigned Depth);
  Node positive();
  /// N with its type, made of its kids'.
  Node typed(Node N) const;

  // Statements.
  Node let(unsigned Id, Node Value) const;
  Node set(unsigned Id, Node Value) const;
  Node letPointer(unsigned Id, Node Value) const;
  Node setPointer(unsigned Id, Node Value) const;
  Node array(unsigned Id) const;
  Node pointer(unsigned Id) const;
  /// Declares a visible variable and appends it to To.
  unsigned declare(std::vector<Node> &To, Node Value, Int T);
  Element dataElement();
  /// Some access through Pointer.
  Node access(Node Pointer);
  /// Some access of a new array at Index.
  Node at(Node Index);
  /// One access, or another idiom.
  std::vector<Node> inner(Node Index);
  /// For Counter = From; Counter < To; Counter += Step.
  Node loop(unsigned Counter, Node From, Node Condition, Node Next,
            std::vector<Node> Body) const;

  /// Some idiom's statements, marked with it.
  std::vector<Node> idiom();
  std::vector<Node> edgeIdiom();
  /// The same, of the last of EdgeIdioms, with random numbers of their own:
  /// what is made of a seed besides stays as it was before there were these.
  std::vector<Node> lateIdiom();
  void finish(std::vector<Node> Body);

private:
  Random R;
};

/// Restores what a scope of statements may not leave behind.
class Scope {
public:
  explicit Scope(Generator &G)
      : G(G), Visible(G.Visible), Loops(G.Loops), Depth(G.Depth) {}
  ~Scope() {
    G.Visible = std::move(Visible);
    G.Loops = Loops;
    G.Depth = Depth;
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  Generator &G;
  std::vector<unsigned> Visible;
  unsigned Loops, Depth;
};

using Statements = std::vector<Node>;

struct Idiom {
  const char *Name;
  Statements (*Make)(Generator &G);
  bool Affine = false; ///< Indices, conditions and bounds of loops are affine.
};

/// The tables of idioms; each is as likely as the others of its table. Those at
/// the edges stand beside the others in a kernel.
extern const std::vector<Idiom> Idioms, EdgeIdioms;
/// How many at the end of EdgeIdioms only lateIdiom() makes.
inline constexpr unsigned LateIdioms = 1;

} // namespace blockmaestro::soundness

#endif
