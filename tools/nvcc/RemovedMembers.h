// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the toolkit's headers with what CUDA 13 removed from them.
// On the data's way: clang reads the changed text in the place of the file;
// clang/removed has the headers that say which members, and what a use of one
// becomes.
// Invariants: sizes and the places of the members that CUDA 13 has stay.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_REMOVEDMEMBERS_H
#define BLOCKMAESTRO_TOOLS_NVCC_REMOVEDMEMBERS_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>

namespace blockmaestro::nvcc {

/// The text of driver_types.h with the members that cudaDeviceProp has lost;
/// empty where it has them, or has no room.
std::string withRemovedMembers(llvm::StringRef DriverTypes);

/// The headers of the toolkit as clang is to read them, by path.
std::map<std::string, std::string> changedHeaders(llvm::StringRef Toolkit);

} // namespace blockmaestro::nvcc

#endif
