// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the device's compilation of a file tells the host's of the
// tasks in it: how their records are laid out.
// On the data's way: DeviceTasks -> the handover -> TaskTable.
// Threads: plain values.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKLAYOUT_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKLAYOUT_H

#include "TaskSites.h"

#include "blockmaestro/Metadata.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

/// A variable among a task's shareds that it only reads; its value goes with
/// the record.
struct CopiedVariable {
  uint32_t Field = 0;  ///< Of its pointer in the shareds.
  uint32_t Offset = 0; ///< Of the value in the record.
  uint32_t Bytes = 0;

  bool operator==(const CopiedVariable &) const = default;
};

struct KindLayout {
  TaskSite Site; ///< Without the entry.
  uint32_t SharedsOffset = 0;
  uint32_t RecordBytes = 0;
  std::vector<CopiedVariable> Copies;

  /// Lays out the task, its shareds and so many bytes for each copy, whose
  /// offsets it sets.
  void layOut();
};

struct FileLayout {
  std::string BlocksKernel;
  std::string WorkersKernel;
  /// Of a block: the kernels are for no other number of them; 0: for any.
  uint32_t Threads = 0;
  std::vector<KindLayout> Kinds;
  /// What tasks touch, a kernel for each kind whose only argument is the task's
  /// record; or none.
  ModuleRecord Records;
  std::vector<uint8_t> Footprints; ///< The same, as the host carries it.
};

/// As text, a line for each, and back; without Records.
std::string toText(const FileLayout &Layout);
llvm::Expected<FileLayout> readLayout(llvm::StringRef Text);

} // namespace blockmaestro

#endif
