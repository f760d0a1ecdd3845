// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what becomes of footprints of tasks: remarks for people, of which
// bytes each touches (-Rpass-analysis=blockmaestro) and which of its depend
// clauses are wider than that (-Rpass-missed=blockmaestro), and records for the
// runtime, by which tasks without clauses are ordered
// (-fblockmaestro-infer-depend).
// On the data's way: a copy of the device's code, taken before it is optimized,
// and what is known of the tasks afterwards -> FileLayout.
// Invariants: nothing is done where nobody asks for either.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKKNOWLEDGE_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKKNOWLEDGE_H

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

class TaskKnowledge {
public:
  /// Codes are the functions of kinds, which stay until use().
  TaskKnowledge(llvm::Module &DeviceCode, const TaskSites &Sites,
                std::vector<std::string> Codes, bool WithRecords);
  ~TaskKnowledge();

  /// Makes the remarks, and adds the records to the layout.
  void use(FileLayout &Layout);

private:
  void addRecords(llvm::ArrayRef<Footprint> Of, FileLayout &Layout);
  void emitFootprint(uint32_t Kind, const Footprint &Of);
  void emitUnknown(uint32_t Kind, const std::string &Why);
  void emitWide(const DependClause &Of, const std::string &Unneeded);

  llvm::Module &M;
  std::vector<std::string> Codes;
  const bool WithRecords;
  std::unique_ptr<llvm::Module> Copy; ///< Null: nobody asks.
  /// Where tasks of each kind are created.
  std::vector<const llvm::DILocation *> Places;
  std::vector<std::string> Entries; ///< Of each kind, by name.
};

} // namespace blockmaestro

#endif
