// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the records of the code in one fat binary, and which of them is
// that of each kernel.
// On the data's way: between the records that objects carry and the kernels
// that launches name; asked by the registry.
// Invariants: a record is found for the code that it was made of, or there is
// none, or a doubt with it that says why it may be another's. Ownership:
// borrows the records. Threads: no state that changes.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_LINKEDCODE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_LINKEDCODE_H

#include "CodeImages.h"
#include "blockmaestro/Metadata.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace blockmaestro {

/// Records for the code of a fat binary that a device runs.
struct ChosenRecords {
  std::vector<const ModuleRecord *> Records;
  std::string Doubt; ///< Why there is none although the objects carry some.
};

/// Of All, what the objects of a fat binary carry for several architectures,
/// the records of the code that Target runs. Images are those of the fat
/// binary; where they are not known every architecture of a record may have
/// machine code and PTX.
ChosenRecords chooseRecords(const CodeTarget &Target,
                            const std::optional<std::vector<CodeImage>> &Images,
                            const std::vector<const ModuleRecord *> &All);

/// A kernel's record and the module it is in.
struct FoundKernel {
  const KernelRecord *Record = nullptr; ///< Null: there is none.
  const ModuleRecord *Module = nullptr;
  std::string Doubt; ///< Why it may not be that of the code that runs.
};

/// Modules that were linked together, in the order of the linker.
class LinkedCode {
public:
  explicit LinkedCode(std::vector<const ModuleRecord *> Modules);

  /// The kernel that the linker kept of those with this name: the strong one;
  /// of several that C++ promises to be the same any, and a doubt if they are
  /// not; else the first weak one.
  FoundKernel find(const std::string &Symbol) const;

private:
  void findBrokenPromises();

  std::vector<const ModuleRecord *> Modules;
  std::multimap<std::string, FoundKernel> Kernels;
  std::map<const ModuleRecord *, std::string> Doubts;
};

/// Whether both are records of the same code, whose memory is the same.
bool sameCode(const KernelRecord &A, const KernelRecord &B);

} // namespace blockmaestro

#endif
