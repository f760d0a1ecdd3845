// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: nvcc's options on a command line of clang's, in clang's words.
// On the data's way: in front of CommandLine, where -fblockmaestro is given.
// Invariants: an option that both have is clang's; what the other words are,
// values and files, clang's own table says. The table of nvcc's is bmnvcc's.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_NVCCOPTIONS_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_NVCCOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

struct ClangsWords {
  std::vector<std::string> Words;
  std::vector<std::string> LeftOut; ///< Architectures older than CUDA 13 knows.
};

/// The arguments behind the program's name without options of nvcc's. HasCuda
/// says that a file is compiled as CUDA. Fails on what only bmnvcc does.
llvm::Expected<ClangsWords>
withoutNvccOptions(llvm::ArrayRef<const char *> Arguments, bool HasCuda);

} // namespace blockmaestro

#endif
