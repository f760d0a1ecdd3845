// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: remarks on tasks for people: which bytes each touches
// (-Rpass-analysis=blockmaestro), and which of its depend clauses are wider
// than that (-Rpass-missed=blockmaestro).
// On the data's way: a copy of the device's code, taken before it is optimized,
// and what is known of the tasks afterwards.
// Invariants: nothing is done where nobody asks for remarks.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKREMARKS_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKREMARKS_H

#include "TaskLayout.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class DILocation;
class Module;
} // namespace llvm

namespace blockmaestro {

struct DependClause;
struct Footprint;

class TaskRemarks {
public:
  /// Codes are the functions of kinds, which stay until emit().
  TaskRemarks(llvm::Module &DeviceCode, const TaskSites &Sites,
              std::vector<std::string> Codes);
  ~TaskRemarks();

  void emit(const FileLayout &Layout);

private:
  void emitFootprint(uint32_t Kind, const Footprint &Of);
  void emitWide(const DependClause &Of, const std::string &Unneeded);

  llvm::Module &M;
  std::vector<std::string> Codes;
  std::unique_ptr<llvm::Module> Copy; ///< Null: nobody asks.
  /// Where tasks of each kind are created.
  std::vector<const llvm::DILocation *> Places;
  std::vector<std::string> Entries; ///< Of each kind, by name.
};

} // namespace blockmaestro

#endif
