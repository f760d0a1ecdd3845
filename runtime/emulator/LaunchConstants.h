// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the values of a body that are the same for all threads of a block
// for as long as it runs and can be computed where the block begins: special
// registers, parameters, and pure arithmetic over them.
// On the data's way: found in the body of one thread; BlockFunction computes
// them once per block.
// Invariants: computing them early has no effect and cannot trap.
// Threads: one module.

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
  explicit LaunchConstants(llvm::Function &Body);

  bool contains(const llvm::Value *V) const;
  /// In an order in which every one comes after those it uses.
  llvm::ArrayRef<llvm::Instruction *> instructions() const {
    return Found.getArrayRef();
  }

private:
  llvm::Function &Body;
  llvm::SetVector<llvm::Instruction *> Found;
};

} // namespace blockmaestro

#endif
