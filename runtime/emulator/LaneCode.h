// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the code of an operation of a whole warp: the values of its lanes
// are a vector. It gives what WarpOperations gives, bit by bit.
// On the data's way: RegionBuilder emits it between two loops over the lanes.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_LANECODE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_LANECODE_H

#include "WarpOperation.h"

#include "llvm/IR/IRBuilder.h"

namespace blockmaestro {

/// What an operation gives: a vector where lanes differ, else one value; null
/// where it gives none.
struct LaneOutcome {
  llvm::Value *Result = nullptr;
  llvm::Value *Predicate = nullptr; ///< A vector of i1.
};

class LaneCode {
public:
  /// \p Present says which lanes have come; null for all. \p Slots is where
  /// allocas go.
  LaneCode(llvm::IRBuilder<> &B, llvm::IRBuilder<> &Slots, llvm::Value *Present)
      : B(B), Slots(Slots), Present(Present) {}

  /// \p Brought are vectors, or constants that all lanes bring.
  LaneOutcome emit(WarpOperation Operation,
                   llvm::ArrayRef<llvm::Value *> Brought);

private:
  LaneOutcome shuffle(WarpOperation Operation, llvm::Value *Own,
                      llvm::Value *Second, llvm::Value *Third);
  llvm::Value *gather(llvm::Value *Offered, llvm::Value *From);
  llvm::Value *vote(WarpOperation Operation, llvm::Value *Says);
  llvm::Value *reduce(WarpOperation Operation, llvm::Value *Values);
  LaneOutcome elect();
  LaneOutcome resolveOutside(WarpOperation Operation, llvm::Value *Values);
  llvm::Value *lanes();
  llvm::Value *bits(llvm::Value *Set);
  llvm::Value *orElse(llvm::Value *Values, llvm::Value *Absent);

  llvm::IRBuilder<> &B, &Slots;
  llvm::Value *Present;
};

/// The constant vector 0, 1, ... of i32, an element for each lane.
llvm::Constant *laneNumbers(llvm::LLVMContext &Context);

} // namespace blockmaestro

#endif
