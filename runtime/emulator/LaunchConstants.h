// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the values of a body that are the same for all threads of a block
// for as long as it runs and can be computed where the block begins: special
// registers, parameters, and pure arithmetic over them. And likewise the values
// that are the same for all threads of a row, which differ in threadIdx.x only.
// On the data's way: found in the body of one thread; BlockFunction computes
// them once per block, or once per row.
// Invariants: computing them early has no effect and cannot trap. Those of a
// row may be computed more than once, so none of them is a freeze. Threads: one
// module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_LAUNCHCONSTANTS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_LAUNCHCONSTANTS_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace blockmaestro {

class LaunchConstants {
public:
  /// Which threads share the values.
  enum class Of { Block, Row };

  explicit LaunchConstants(llvm::Function &Body, Of Scope = Of::Block);

  bool contains(const llvm::Value *V) const;
  /// In an order in which every one comes after those it uses.
  llvm::ArrayRef<llvm::Instruction *> instructions() const {
    return Found.getArrayRef();
  }

private:
  llvm::Function &Body;
  Of Scope;
  llvm::SetVector<llvm::Instruction *> Found;
};

} // namespace blockmaestro

#endif
