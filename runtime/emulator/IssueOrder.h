// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the order in which a GPU's assembler has the instructions of a
// step issued: reads of memory as early as they can be, so that many are under
// way before the first result is needed.
// On the data's way: inside WarpCoding, between the basic block and the code
// that is traced.
// Invariants: the order keeps every dependence, of values and of memory that
// may be the same; what starts the step (phis) stays first and what ends it
// stays last. No more reads than registers hold wait for their first use.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_ISSUEORDER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_ISSUEORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace blockmaestro {

/// The instructions of \p Step, all in one basic block and in its order.
llvm::SmallVector<llvm::Instruction *>
issueOrder(llvm::ArrayRef<llvm::Instruction *> Step);

} // namespace blockmaestro

#endif
