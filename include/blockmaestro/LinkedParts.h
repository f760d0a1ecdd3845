// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how a fat binary of relocatable code names the objects that it
// was linked of. On the data's way: written into both halves of an object by
// passes/host, registered by the constructor that the linker of device code
// makes, read by runtime/cuda. Invariants: the host address of such a variable
// is that of the object's records.

#ifndef BLOCKMAESTRO_LINKEDPARTS_H
#define BLOCKMAESTRO_LINKEDPARTS_H

namespace blockmaestro {

/// What names of these device variables begin with.
inline constexpr const char *PartPrefix = "__blockmaestro_part_";

} // namespace blockmaestro

#endif
