// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the file that BLOCKMAESTRO_RECORD names, of which each process
// may have its own.
// On the data's way: between Options and the recording's writer.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_RECORDNAME_H
#define BLOCKMAESTRO_RUNTIME_CUDA_RECORDNAME_H

#include "Options.h"
#include "blockmaestro/Status.h"

#include <string>
#include <string_view>

namespace blockmaestro {

/// In the pattern %p stands for the process, %h for the machine, %q{NAME} for a
/// variable of the environment, which must be set, and %% for a percent sign;
/// nothing else follows one.
Result<std::string> recordName(std::string_view Pattern, Lookup Environment,
                               long Process);

} // namespace blockmaestro

#endif
