// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the places in the user's source that generated code can name when
// something goes wrong there.
// On the data's way: filled by whoever emits a call that takes a site, while
// the code still has its debug locations; becomes CompiledKernel::Sites.
// Invariants: site 0 is the empty text, which stands for "not known"; equal
// texts have one number.
// Threads: one module at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_SOURCESITES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_SOURCESITES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class Instruction;
} // namespace llvm

namespace blockmaestro {

class SourceSites {
public:
  /// The number of the place \p I was written at, "file.cu:12"; 0 without
  /// debug locations. Of inlined code it is the innermost place.
  uint32_t siteOf(const llvm::Instruction &I);
  /// All texts, by number.
  std::vector<std::string> texts() const { return Texts; }

private:
  std::vector<std::string> Texts = {""};
  std::map<std::string, uint32_t> Numbers = {{"", 0}};
};

} // namespace blockmaestro

#endif
