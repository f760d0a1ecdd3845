// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: symbols as people write them, for messages.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_SYMBOLTEXT_H
#define BLOCKMAESTRO_RUNTIME_CUDA_SYMBOLTEXT_H

#include <string>

namespace blockmaestro {

/// Symbol demangled; itself where it is not mangled.
std::string demangled(const std::string &Symbol);

} // namespace blockmaestro

#endif
