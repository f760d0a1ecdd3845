// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which memory of the host the program cannot write. clang 22 maps
// constant arrays that a region uses, as it does others, to and from the
// device.
// On the data's way: asked by DeviceData before data comes back to variables
// that the program has not mapped itself. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_HOSTCONSTANTS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_HOSTCONSTANTS_H

#include "Mappings.h"

namespace blockmaestro::openmp {

/// Whether the byte is of a constant of the program or of a library.
bool isConstant(HostAddress Where);

} // namespace blockmaestro::openmp

#endif
