// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: changes device IR at random, so that it stays valid.
// On the data's way: between the kernels of test programs and the passes, in a
// test. Invariants: the same module and seed give the same module; the verifier
// accepts it. Ownership: works in place. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_FUZZ_MODULEMUTATOR_H
#define BLOCKMAESTRO_TEST_FUZZ_MODULEMUTATOR_H

#include <cstdint>
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro::test {

/// Changes Module at up to 24 places; a change that makes it invalid is undone.
void mutate(std::unique_ptr<llvm::Module> &Module, uint64_t Seed);

} // namespace blockmaestro::test

#endif
