// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: emits calls of the functions in HostCalls.def.
// On the data's way: used by the steps that replace intrinsics and library
// calls. Threads: stateless.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_HOSTCODE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_HOSTCODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace blockmaestro {

/// Calls the host's \p Name(\p Context, \p Operands...).
inline llvm::CallInst *callHost(llvm::IRBuilder<> &B, const char *Name,
                                llvm::Type *Result, llvm::Value *Context,
                                llvm::ArrayRef<llvm::Value *> Operands) {
  llvm::SmallVector<llvm::Value *> All = {Context};
  All.append(Operands.begin(), Operands.end());
  llvm::SmallVector<llvm::Type *> Types;
  for (llvm::Value *V : All)
    Types.push_back(V->getType());
  llvm::FunctionCallee Callee =
      B.GetInsertBlock()->getModule()->getOrInsertFunction(
          Name, llvm::FunctionType::get(Result, Types, false));
  llvm::CallInst *Call = B.CreateCall(Callee, All);
  Call->setDoesNotThrow();
  return Call;
}

} // namespace blockmaestro

#endif
