// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a random program of tasks as data: a list of steps that a target
// region takes one after the other, each of which creates tasks or waits.
// On the data's way: Generate.h -> here -> OnDevice.h and OnHost.h, which must
// leave the same words.
// Invariants: ranges are not empty and within the words. What a step's tasks
// touch they declare, or nothing else that may run meanwhile touches it.
// Threads: plain values.

#ifndef BLOCKMAESTRO_TEST_OPENMP_RANDOM_PROGRAM_H
#define BLOCKMAESTRO_TEST_OPENMP_RANDOM_PROGRAM_H

#include <vector>

/// Of the words, or of the locals.
struct Range {
  int Begin, Count;
};

enum class StepKind : int {
  // Created alone or in a group.
  Mix,            ///< In A, inout B; one thread.
  ParallelMix,    ///< In A and C, inout B; loops of a team.
  Reduce,         ///< In A and C, out B; a sum that the team makes.
  Team,           ///< In A, inout B; barriers, single, critical, odd teams.
  MutexAdd,       ///< In A, mutexinoutset B.
  SetAdd,         ///< In A, inoutset B.
  IterateOut,     ///< In A, inout all ranges of the step by an iterator.
  IterateIn,      ///< In all ranges of the step by an iterator, inout B.
  LocalByAddress, ///< In A, inout of a local through its address.
  LastInGroup = LocalByAddress,
  // Created alone.
  Depobj,      ///< In A, inout B, from depobjs.
  SharedWrite, ///< In A, inout of a shared variable.
  SharedRead,  ///< In of that, inout B.
  KnownRead,   ///< Inout B; reads variables that only the region changes.
  Structure,   ///< In A, inout of a shared structure of which it uses a part.
  Copies,      ///< In A, inout B; firstprivate arrays.
  BigCopies,   ///< The same, of more than a worker's buffer.
  Undeferred,  ///< In A, inout B; the region looks at B then.
  Final,       ///< In A, inout B; final, untied, priority, private.
  AllMemory,   ///< Depends on everything; from A to B.
  // Of the region.
  Group,     ///< A taskgroup of the next Number steps; then looks at B.
  Loop,      ///< A taskloop over B behind a wait.
  LoopAside, ///< A taskloop over words that nobody else touches.
  WaitAll,   ///< Looks at A and writes to B.
  WaitIn,    ///< For A; looks at it.
  WaitOut,   ///< For B; writes to it.
  Choose,    ///< Waits, and leaves out Number steps if A says so.
};

struct Step {
  StepKind Kind;
  Range A, B, C;
  int First, Number; ///< Of the program's ranges, or of steps.
  int Flag;          ///< Which way, where a kind has several.
  unsigned Salt;
};

#pragma omp declare target
constexpr int Locals = 8; ///< Words of the region that tasks use.
constexpr int Aside = 24; ///< Words behind those of ranges.
constexpr int CopiedWords = 24, BigWords = 300;

/// What a word becomes.
inline unsigned mixed(unsigned Old, unsigned From, unsigned Salt) {
  return (Old * 31 + From) ^ (Salt * 2654435761u);
}
#pragma omp end declare target

/// What a region is: begun in one of two ways, or one that only creates tasks
/// and so need not be inspected when it comes again.
enum class Form : int { Single, Teams, Quiet, Last = Quiet };

struct Program {
  int Words = 0; ///< Behind them come Aside and then Locals words.
  std::vector<unsigned> Start;
  /// A region for each list of steps, one after the other.
  struct Round {
    Form As;
    std::vector<Step> Steps;
    std::vector<Range> Ranges;
  };
  std::vector<Round> Rounds;
  bool Mapped = false; ///< By a region of data around all rounds.

  /// A list of steps has no more, nor of ranges; all have the same memory.
  static constexpr int Most = 400;
  int allWords() const { return Words + Aside + Locals; }
};

#endif
