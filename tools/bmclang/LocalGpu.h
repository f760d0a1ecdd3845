// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the architecture of the GPU in this machine, if there is one.
// On the data's way: asked by the drivers when no architecture is given.
// Invariants: takes two seconds at most, whatever the driver does: a child
// process asks, since NVIDIA's libraries may hang or crash. No child is started
// where those libraries are not installed. Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_LOCALGPU_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_LOCALGPU_H

#include <optional>
#include <string>

namespace blockmaestro {

/// "sm_90" for the first GPU; nothing without one.
std::optional<std::string> localArchitecture();

/// What code is made for unless an architecture is named: the local GPU's, else
/// that of the emulated device, which is also taken where programs are to run
/// on it.
std::string defaultArchitecture();

} // namespace blockmaestro

#endif
