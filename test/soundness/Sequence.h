// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a random program of a few kernels and launches of them on memory
// that they share, with copies and fills between.
// On the data's way: tests only; made by makeSequence, printed as a CUDA source
// that is compiled and run as users do, made smaller when it fails.
//
// Note [Nothing is undefined]
// Every launch is one that the interpreter has run: no arithmetic is undefined,
// and it knows how far the pointers go, so that they are placed where all of
// them are inside of their memory. What kernels make indices of is memory of
// its own that holds what the interpreter read: no kernel writes it but by
// atomics that count, and those are set back before every launch.
//
// Invariants: the same seed gives the same sequence. Threads: values.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_SEQUENCE_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_SEQUENCE_H

#include "Interpret.h"
#include "Program.h"

#include <string>
#include <vector>

namespace blockmaestro::soundness {

/// Memory of the device: allocated, or a variable of a kernel.
struct Memory {
  uint64_t Bytes = 0;
  bool Variable = false;
  unsigned Kernel = 0; ///< Of a variable.
  unsigned Array = 0;
};

struct Place {
  unsigned Memory = 0;
  int64_t Offset = 0;
};

/// A kernel with the numbers of a launch; several launches may have the same.
struct Shape {
  unsigned Kernel = 0;
  LaunchCase Case;
};

struct Operation {
  enum Kind : uint8_t {
    Launch,   ///< Of Shape, its arrays at Pointers.
    Copy,     ///< On the device, Bytes from From to To; they do not overlap.
    Fill,     ///< Bytes at To with Value.
    Upload,   ///< Bytes of the host's, from its word number Value, to To.
    Download, ///< Bytes at From.
    Contents, ///< The host writes what Array of Shape holds, pointed to by To.
    Wait,     ///< For the stream, or, with Value, for the device.
  };
  Kind What = Launch;
  unsigned Stream = 0;
  unsigned Shape = 0;
  std::vector<Place> Pointers; ///< By array.
  Place To, From;
  uint64_t Bytes = 0;
  unsigned Value = 0;
  unsigned Array = 0;
  Extent Range; ///< Of Contents.
};

struct Sequence {
  uint32_t Seed = 0;
  bool Affine = false;
  bool Deterministic = true; ///< As judge() says, when it was made.
  std::vector<Kernel> Kernels;
  std::vector<Shape> Shapes;
  std::vector<Memory> Memories;
  std::vector<Operation> Operations;
};

Sequence makeSequence(uint32_t Seed, bool Affine);

/// Whether an array of K has to hold what the interpreter takes it to.
bool holdsContents(const Kernel &K, unsigned Array);

struct Judgement {
  std::string Undefined;     ///< Why the program is, or empty.
  bool Deterministic = true; ///< Any order of a launch's blocks gives the same.
};
Judgement judge(const Sequence &S);

/// Every sequence that is S with an operation, or a part of a kernel or of a
/// grid, less. Not all of them are defined.
std::vector<Sequence> smaller(const Sequence &S);

/// Names of kernels and of the function are made of Label, below 2^30: function
/// program<Label>, kernels k<4 * Label> and on. With Relocatable weak functions
/// do something else, and another file must define them as printStrong() says.
std::string print(const Sequence &S, uint32_t Label, bool Relocatable = false);
std::string printStrong(const Sequence &S, uint32_t Label);

} // namespace blockmaestro::soundness

#endif
