// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: inline assembly given as text, and what the passes read out of
// it, for the tests of that. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_UNIT_PASSES_DESCRIBEDASSEMBLY_H
#define BLOCKMAESTRO_TEST_UNIT_PASSES_DESCRIBEDASSEMBLY_H

#include "PtxAssembly.h"

#include <string>

namespace blockmaestro::test {

/// The effects of a call, in LLVM's text, of assembly with these constraints.
/// Arguments may name a pointer %a, numbers %b and %c of 64 bits, %n of 32.
AssemblyEffects effectsOfCall(const std::string &Result,
                              const std::string &Assembly,
                              const std::string &Constraints,
                              const std::string &Arguments);

} // namespace blockmaestro::test

#endif
