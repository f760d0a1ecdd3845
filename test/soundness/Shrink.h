// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a smaller kernel that fails in the same launch.
// On the data's way: tests only. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_SHRINK_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_SHRINK_H

#include "Interpret.h"

#include <functional>

namespace blockmaestro::soundness {

/// Every kernel that is K with one statement or subexpression less.
std::vector<Kernel> smaller(const Kernel &K);

/// Makes K smaller while Fails, asked about many kernels at once, says that one
/// of them still fails (its index; -1 for none). Stops after some seconds.
Kernel shrink(Kernel K, const std::function<int(std::vector<Kernel> &)> &Fails);

} // namespace blockmaestro::soundness

#endif
