// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how a fuzz target says that what it found is wrong: it aborts,
// which libFuzzer reports with the input.

#ifndef BLOCKMAESTRO_TEST_FUZZ_REQUIRE_H
#define BLOCKMAESTRO_TEST_FUZZ_REQUIRE_H

#include <cstdio>
#include <cstdlib>

namespace blockmaestro {

inline void require(bool Holds, const char *What) {
  if (Holds)
    return;
  std::fprintf(stderr, "not so: %s\n", What);
  std::abort();
}

} // namespace blockmaestro

#endif
