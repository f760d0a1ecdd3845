// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: clang's own table of options, as far as the driver asks it: what
// belongs together on a command line, which option it is whatever its spelling,
// which stop before the linker; and what a file's name says about its language.
// On the data's way: asked by CommandLine.
// Invariants: an option is a number of the table of the clang that is linked,
// 0 for none; an alias has that of the option it stands for. Options of other
// drivers (clang-cl, flang) are unknown. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_CLANGFLAGS_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_CLANGFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/ArgList.h"

#include <cstddef>
#include <string>

namespace blockmaestro {

/// An option with its values, or a file.
struct ClangArgument {
  bool Input = false;
  unsigned Option = 0;   ///< 0 for files and for what clang does not know.
  std::string Value;     ///< The first of the option's.
  size_t Words = 1; ///< Of the command line: `-o x` and `-Xclang -c` are 2.
};

/// Reads a command line as clang does, up to a `--`.
class ClangArguments {
public:
  explicit ClangArguments(llvm::ArrayRef<const char *> All)
      : All(All.begin(), All.end()) {}
  /// What begins with word number At.
  ClangArgument at(size_t At) const;

private:
  llvm::opt::InputArgList All;
};

/// The option of this spelling.
unsigned clangOption(llvm::StringRef Spelling);

/// What a file is for the driver.
enum class InputKind {
  Cuda,   ///< Is compiled for the host and for the device.
  Header, ///< Is precompiled; nothing is linked.
  Other,  ///< Is compiled for the host, or is an object or a library.
};

/// Language is what -x last said, empty for "by the name".
InputKind kindOfInput(llvm::StringRef Name, llvm::StringRef Language);

/// Whether clang ends before the linker with it: -c, -E, -fsyntax-only.
bool stopsBeforeLink(unsigned Option);

/// The spellings of those options.
llvm::ArrayRef<llvm::StringLiteral> stoppingFlags();

/// Whether Argument asks for NVIDIA's own CUDA runtime, which ours stands in
/// for: -lcudart, a path to libcudart.so or libcudart_static.a.
bool namesCudaRuntime(llvm::StringRef Argument);

} // namespace blockmaestro

#endif
