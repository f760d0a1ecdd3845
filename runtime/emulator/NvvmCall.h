// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one call of an NVVM intrinsic while it is lowered, and the tables
// of what lowers which.
// On the data's way: inside NvvmLowering.
// Invariants: a handler takes the words it understands; what is left over makes
// the call one of somebody else.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_NVVMCALL_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_NVVMCALL_H

#include "FloatCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

namespace blockmaestro {

/// One call with its name taken apart: llvm.nvvm.fma.rn.ftz.f is the base "fma"
/// and the words "rn", "ftz" and "f".
struct NvvmCall {
  NvvmCall(llvm::CallInst &Call, llvm::StringRef Name)
      : Call(Call), B(&Call), Floats(B) {
    llvm::SmallVector<llvm::StringRef> Parts;
    Name.split(Parts, '.');
    Base = Parts[0];
    Words.append(Parts.begin() + 1, Parts.end());
  }

  bool take(llvm::StringRef Word) {
    auto At = llvm::find(Words, Word);
    if (At == Words.end())
      return false;
    Words.erase(At);
    return true;
  }
  FloatForm takeForm();
  llvm::Value *operand(unsigned N) { return Call.getArgOperand(N); }
  /// The operand's bits as an integer.
  llvm::Value *bits(unsigned N);
  /// \p Bits as what the call returns.
  llvm::Value *asResult(llvm::Value *Bits) {
    return B.CreateBitCast(Bits, Call.getType());
  }

  llvm::CallInst &Call;
  llvm::IRBuilder<> B;
  FloatCode Floats;
  llvm::StringRef Base;
  llvm::SmallVector<llvm::StringRef, 6> Words;
};

/// What replaces the call, or null.
using NvvmHandler = llvm::Value *(*)(NvvmCall &);

struct NvvmRow {
  const char *Base;
  NvvmHandler Handler;
};

/// The operations on integers and bits.
llvm::ArrayRef<NvvmRow> nvvmIntegerRows();

} // namespace blockmaestro

#endif
