// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: nvcc's options, from the table Options.def, and how a command
// line is read by it. On the data's way: first; bmnvcc's Plan carries out what
// it makes, and bmclang++ puts single options into clang's words. Invariants:
// an option that is not in the table is an error, unless the line asks to
// forward it; one that is refused is an error that names it. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_OPTIONS_H
#define BLOCKMAESTRO_TOOLS_NVCC_OPTIONS_H

#include "Manual.h"
#include "Request.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace blockmaestro::nvcc {

/// Reads the words behind the program's name.
llvm::Expected<Request> readRequest(llvm::ArrayRef<std::string> Words);

/// Reads the option at the front of Words into R, which knows the options
/// before it: how many words it takes, 0 where it is none of nvcc's.
llvm::Expected<size_t> readOption(llvm::ArrayRef<std::string> Words,
                                  Request &R);

/// The words of a text as a shell would see them.
std::vector<std::string> splitWords(llvm::StringRef Text);

/// The table by areas, for --help and the manual.
std::vector<ManualGroup> optionGroups();

/// For --help: a line for each option.
std::string help();

} // namespace blockmaestro::nvcc

#endif
