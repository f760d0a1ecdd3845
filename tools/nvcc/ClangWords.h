// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a request in clang's words, where one is enough for both drivers.
// On the data's way: behind Options; bmnvcc's Plan and bmclang++ put them into
// command lines of clang.
// Invariants: what concerns one side of a CUDA compilation says so to clang; a
// compilation of C or C++ gets only what concerns the host.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_CLANGWORDS_H
#define BLOCKMAESTRO_TOOLS_NVCC_CLANGWORDS_H

#include "Request.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace blockmaestro::nvcc {

/// A word of a compilation, which may be of CUDA.
void addWord(const Word &W, bool IsCuda, std::vector<std::string> &Out);

/// How device code is optimised, and what a debugger knows of it.
void addDeviceOptimization(const Request &R, std::vector<std::string> &Out);

/// Where clang finds headers of ours, which Root holds, then the toolkit's own;
/// CudaCompat says that a use of what CUDA 13 removed is no error.
void addHeaderFolders(llvm::StringRef Root, llvm::StringRef Toolkit,
                      bool IsCuda, bool CudaCompat,
                      std::vector<std::string> &Out);

/// The headers by which clang takes source as nvcc does; behind their folders.
void includeSourceHeaders(std::vector<std::string> &Out);

/// Has clang warn of what is an error for it and a warning for nvcc and GCC.
void tolerateSource(bool IsC, std::vector<std::string> &Out);

} // namespace blockmaestro::nvcc

#endif
