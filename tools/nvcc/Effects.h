// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what an option does to a request: the functions that rows of
// Options.def name.
// On the data's way: between the table and Options.
// Invariants: a function is told the option's value, one element of it where
// the option takes a list, and nothing of the options around it.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_EFFECTS_H
#define BLOCKMAESTRO_TOOLS_NVCC_EFFECTS_H

#include "Request.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace blockmaestro::nvcc {

using Effect = std::function<llvm::Error(Request &, llvm::StringRef Value)>;

Effect nothing();
Effect until(Phase Last);
Effect dependencies(llvm::StringRef Flag);
Effect relocatableObject(bool Relocatable);
Effect set(bool Request::*Member);
Effect store(std::string Request::*Member);
/// Fails on a value that is not in the list; else nothing.
Effect choice(llvm::StringRef Values);

// Words, {} standing for the value.
Effect compile(llvm::StringRef Words); ///< Both sides, and C and C++.
Effect cuda(llvm::StringRef Words);    ///< Both sides.
Effect host(llvm::StringRef Words);
Effect device(llvm::StringRef Words);
Effect link(llvm::StringRef Words);
Effect hostAndLink(llvm::StringRef Words);
Effect library(llvm::StringRef Words);
Effect folder(llvm::StringRef Words);
/// For the device: the first of a true value, the second of a false one.
Effect whether(llvm::StringRef True, llvm::StringRef False);

Effect language();
Effect optimize();
Effect optimizeDevice();
Effect fastMath();
Effect hostOptions();
Effect linkerOptions();
Effect archiveOptions();
Effect ptxasOptions();
Effect programArgument();
Effect forwardUnknown();
Effect architecture();
Effect codes();
Effect generateCode();
Effect relocatable();
Effect defaultStream();
Effect warningsAsErrors();
/// The reader has put the file's words in its place.
Effect optionsFile();

/// A word that the host's compiler gets, in the form it has for that.
void addHostWord(Request &R, llvm::StringRef Text);

} // namespace blockmaestro::nvcc

#endif
