// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a description of the emulated device read from a file: one JSON
// object of numbers and a name, see docs/machine.md.
// On the data's way: BLOCKMAESTRO_MACHINE -> EmulatedMachine -> useMachine().
// Invariants: a file is taken whole or not at all; a failure names the key.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_MACHINEFILE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_MACHINEFILE_H

#include "Machine.h"

#include "blockmaestro/Status.h"

#include <string>
#include <string_view>

namespace blockmaestro {

/// The text of such a file. What it does not say is as in the default machine.
Result<EmulatedMachine> parseMachine(std::string_view Text);

/// The machine of this name, from \p Folder, or of this file when the name
/// has a slash or ends in .json.
Result<EmulatedMachine> readMachine(const std::string &Name,
                                    const std::string &Folder);

} // namespace blockmaestro

#endif
