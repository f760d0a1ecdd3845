// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the judgement: a kernel's record against what the kernel really
// touches at one launch.
// On the data's way: tests only; see docs/soundness.md for what is compared.
// Invariants: a Finding is an error of the analysis or of the evaluation, never
// a matter of precision. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_COMPARE_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_COMPARE_H

#include "Interpret.h"

#include "blockmaestro/Metadata.h"

#include <map>
#include <optional>
#include <string>

namespace blockmaestro::soundness {

/// What was compared, summed up.
struct Tally {
  uint64_t Kernels = 0, Launches = 0, Undefined = 0, TooLong = 0;
  uint64_t Accesses = 0;  ///< Of the records.
  uint64_t Instances = 0; ///< Followable accesses times launches.
  uint64_t Degraded = 0;  ///< Of those, by an assumption or a denominator.
  uint64_t TooMany = 0;   ///< Block instances not followed by trying.
  uint64_t Loose = 0;
  uint64_t IslCompared = 0, IslRefused = 0;
  uint64_t BytesCompared = 0;

  /// How well the source lines of an idiom are known: all accesses of one kind
  /// to one array at one line are one instruction.
  struct Row {
    uint64_t Exact = 0, Bounded = 0, Allocation = 0, Unknown = 0;
    uint64_t Launched = 0, LaunchExact = 0, LaunchBounded = 0;
  };
  std::map<unsigned, Row> Idioms;
  /// Why accesses are not exact, without the details; at launch: why exact
  /// ones are not any more.
  std::map<std::string, uint64_t> Reasons, LaunchReasons;

  void add(const Tally &Other);
};

struct Finding {
  std::string What;                 ///< One sentence.
  std::optional<LaunchCase> Launch; ///< None: the record is wrong at any.
  Dim3 Block;
};

/// Compares R with K at L. Counts in T. The first launch of a kernel that is
/// defined also has its rows counted, and its exact sets shown to isl.
std::optional<Finding> compare(const Kernel &K, const KernelRecord &R,
                               const LaunchCase &L, Tally &T, bool FirstLaunch);

/// What can be said without a launch: roots, reasons, exactness.
std::optional<Finding> checkRecord(const Kernel &K, const KernelRecord &R,
                                   Tally &T);

std::string describe(const Kernel &K, const LaunchCase &L);

} // namespace blockmaestro::soundness

#endif
