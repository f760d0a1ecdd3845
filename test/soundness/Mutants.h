// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: records made wrong on purpose, in the ways an analysis goes
// wrong, to see that the comparison notices.
// On the data's way: tests only. Threads: constant data.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_MUTANTS_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_MUTANTS_H

#include "blockmaestro/Metadata.h"

#include <vector>

namespace blockmaestro::soundness {

struct Mutant {
  const char *Name;
  /// Makes R wrong around access I; false when there is nothing to change.
  bool (*Change)(KernelRecord &R, size_t I);
};

extern const std::vector<Mutant> Mutants;

} // namespace blockmaestro::soundness

#endif
