// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the device modules of the program, each with its number, and what
// each of them defines for the others (relocatable device code).
// On the data's way: first step of compiling: from ModuleRecord::Bitcode to IR
// whose functions are read when somebody asks for them.
// Invariants: a module keeps its number. A name that a module defines itself
// means that definition; only what it lacks is looked for in the others.
// Ownership: borrows the records. Threads: any, but add() alone.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEMODULES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEMODULES_H

#include "blockmaestro/Metadata.h"
#include "blockmaestro/Status.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace blockmaestro {

class DeviceModules {
public:
  void add(const ModuleRecord *M) { Records.push_back(M); }
  unsigned count() const { return Records.size(); }
  const ModuleRecord &record(unsigned Ordinal) const {
    return *Records[Ordinal];
  }
  /// The module that \p Record is of.
  std::optional<unsigned> ordinalOf(const KernelRecord &Record) const;
  /// The first module that defines a function or variable \p Name which other
  /// modules may use.
  std::optional<unsigned> definerOf(const std::string &Name);

  /// The IR of a module; bodies and metadata are read later, from the record.
  Result<std::unique_ptr<llvm::Module>> open(unsigned Ordinal,
                                             llvm::LLVMContext &Context) const;

private:
  void indexModule(unsigned Ordinal);

  std::vector<const ModuleRecord *> Records;
  std::map<std::string, unsigned> Definers;
  unsigned Indexed = 0; ///< Modules that Definers knows.
  std::mutex Indexing;  ///< Of the last two.
};

} // namespace blockmaestro

#endif
