// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the device modules of the program, each with its number, and
// which definition of a name the code of each of them uses.
// On the data's way: first step of compiling: from ModuleRecord::Bitcode to IR
// whose functions are read when somebody asks for them.
// Invariants: a module keeps its number. Modules that were added together are
// linked together, as NVIDIA's linker does it: a strong definition of a name is
// that of all of them, else the first weak one is. What C++ promises to be the
// same in every file each module has of its own, as its record says. Modules
// that were added apart have nothing in common.
// Ownership: borrows the records. Threads: any, but add() alone.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEMODULES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEMODULES_H

#include "blockmaestro/Metadata.h"
#include "blockmaestro/Status.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class GlobalValue;
class LLVMContext;
class Module;
} // namespace llvm

namespace blockmaestro {

class DeviceModules {
public:
  /// Adds modules that were linked together, in the order of the linker.
  void add(const std::vector<const ModuleRecord *> &Linked);
  unsigned count() const { return Modules.size(); }
  const ModuleRecord &record(unsigned Ordinal) const {
    return *Modules[Ordinal].Record;
  }
  /// Whether module \p Ordinal was added behind those linked together before.
  bool startsUnit(unsigned Ordinal) const {
    return Modules[Ordinal].Unit->First == Ordinal;
  }
  /// The module that \p Record is of.
  std::optional<unsigned> ordinalOf(const KernelRecord &Record) const;
  std::optional<unsigned> ordinalOf(const ModuleRecord &Record) const;
  /// The module whose definition of \p Name, a function or variable that other
  /// files may use, the linker kept for all that are linked with module
  /// \p Ordinal; nothing for one that is linked with no other.
  std::optional<unsigned> definerOf(const std::string &Name, unsigned Ordinal);
  /// Whether \p G, of module \p Ordinal, is the definition that its code uses.
  bool isUsed(const llvm::GlobalValue &G, unsigned Ordinal);

  /// The IR of a module; bodies and metadata are read later, from the record.
  Result<std::unique_ptr<llvm::Module>> open(unsigned Ordinal,
                                             llvm::LLVMContext &Context) const;

private:
  struct Definition {
    unsigned Ordinal = 0;
    bool Weak = false;
  };
  /// What was linked together.
  struct Unit {
    unsigned First = 0;
    unsigned Count = 0;
    bool Indexed = false;
    std::map<std::string, Definition> Definitions;
  };
  struct Module {
    const ModuleRecord *Record = nullptr;
    Unit *Unit = nullptr;
  };
  void indexModule(unsigned Ordinal, Unit &To) const;

  std::vector<Module> Modules;
  std::deque<Unit> Units;
  std::mutex Indexing; ///< Of the definitions.
};

} // namespace blockmaestro

#endif
