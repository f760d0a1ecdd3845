// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where clang and our own libraries are.
// On the data's way: asked by Job before clang is started.
// Invariants: our own files are found from the real path of the executable, so
// that a build tree and an installation both work. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_TOOLCHAIN_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_TOOLCHAIN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace blockmaestro {

/// clang or clang++ of the version the plugin was built for.
llvm::Expected<std::string> findClang(bool ForCxx);

/// The folder above the one the executable is really in.
std::string installationRoot();

/// \p Name below \p Folder.
std::string joinPath(llvm::StringRef Folder, const llvm::Twine &Name);

/// A file in the installation's lib folder, which must be there.
llvm::Expected<std::string> findLibrary(llvm::StringRef Name);

} // namespace blockmaestro

#endif
