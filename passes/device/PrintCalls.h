// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which strings a printf on the device reads from memory.
// On the data's way: part of access collection.
// Invariants: a string that may be read is among Pointers, or Others is true.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_PRINTCALLS_H
#define BLOCKMAESTRO_PASSES_DEVICE_PRINTCALLS_H

#include <vector>

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace blockmaestro {

struct PrintedStrings {
  std::vector<const llvm::Value *> Pointers;
  bool Others = false; ///< And strings that are not known.
};

/// The strings that Call, of vprintf, reads: its format and what %s prints.
PrintedStrings printedStrings(const llvm::CallBase &Call);

} // namespace blockmaestro

#endif
