// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what clang needs to make target regions for NVIDIA's GPUs with
// nothing of libomptarget, and where libomp is.
// On the data's way: asked by Job before clang is started.
// Invariants: clang names a library and a bitcode file of libomptarget's
// whatever it is told, and finds empty ones of ours. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_OPENMP_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_OPENMP_H

#include "CommandLine.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>
#include <vector>

namespace blockmaestro {

/// The architectures of NVIDIA's that the objects and archives of a link have
/// code of OpenMP's for.
std::set<std::string> linkedRegions(const CommandLine &Command);

/// Has clang link the device code of objects that are linked without a flag of
/// OpenMP's, as CMake does, and libomp with it.
void linkRegions(std::vector<std::string> &Out);

/// Has the device code of an archive's members linked as that of objects is:
/// by itself clang takes it where it has the architecture that is compiled for.
void takeFromArchives(const std::set<std::string> &Architectures,
                      std::vector<std::string> &Out);

/// Target regions are for NVIDIA's GPUs, with ours in libomptarget's place.
llvm::Error addTargetRegions(const CommandLine &Command,
                             std::vector<std::string> &Out);

/// Where a link finds libomp: clang's own folders and those that the command
/// line and LIBRARY_PATH name.
std::vector<std::string> openMPFolders(const CommandLine &Command,
                                       llvm::StringRef Clang);

/// Fails when none of the folders has libomp, and names what to install.
llvm::Error checkOpenMPRuntime(llvm::ArrayRef<std::string> Folders);

} // namespace blockmaestro

#endif
