// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where private variables are in tasks' records. Clang sorts them
// by alignment, and arrays of 16 bytes and more have another one on the host
// than on the device: what the host writes for the device has to be laid out
// as there.
// On the data's way: found in both compilations of a file; the host's clones of
// code that creates tasks are changed before they become part of an inspection
// function.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKFIELDS_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKFIELDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace blockmaestro {

struct TaskSites;

/// A private variable of a task.
struct TaskField {
  uint64_t Type = 0;   ///< A digest of what is in it.
  uint64_t Offset = 0; ///< From the begin of the record.

  bool operator==(const TaskField &) const = default;
};

/// Of the task that the call allocates, those that its creator may write, in
/// the order of their offsets.
std::vector<TaskField> fieldsOf(const llvm::CallBase &Alloc);

/// Of each of the host's fields the device's offset; nothing: they are not the
/// same fields.
std::optional<std::vector<uint64_t>>
offsetsOnDevice(llvm::ArrayRef<TaskField> OfHost,
                llvm::ArrayRef<TaskField> OfDevice);

/// Has F, a clone, lay out the tasks that it allocates as the device does.
/// Fails where that cannot be done.
llvm::Error layOutAsOnDevice(llvm::Function &F, const TaskSites &Sites);

} // namespace blockmaestro

#endif
