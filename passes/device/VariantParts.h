// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what forms of a kernel are made of: copies with more parameters,
// and the device code in front of and behind the kernel's own.
// On the data's way: under BlockVariants and TimedVariants.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_VARIANTPARTS_H
#define BLOCKMAESTRO_PASSES_DEVICE_VARIANTPARTS_H

#include "DeviceCode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"

#include <string>

namespace blockmaestro {

/// Links Code into M as internal functions, compiled for the same processor as
/// Like. Returns what failed, or an empty string.
std::string linkDeviceCode(llvm::Module &M, DeviceCode Code,
                           const llvm::Function &Like);

/// A copy of F named Name with the parameter types Extra appended, linkage and
/// calling convention as F's.
llvm::Function *copyWithMore(llvm::Function &F, const llvm::Twine &Name,
                             llvm::ArrayRef<llvm::Type *> Extra);

/// A call of Callee, a function of the device code.
llvm::CallInst *callDeviceCode(llvm::IRBuilder<> &Build, llvm::StringRef Callee,
                               llvm::ArrayRef<llvm::Value *> Arguments);

/// Has every thread of F call Callee before anything else.
void enterThrough(llvm::Function &F, llvm::StringRef Callee,
                  llvm::Value *Argument);

/// All returns of F go through one call of Callee.
void leaveThroughOneExit(llvm::Function &F, llvm::StringRef Callee,
                         llvm::Value *Argument);

/// Every return of F calls Callee.
void leaveOneByOne(llvm::Function &F, llvm::StringRef Callee,
                   llvm::Value *Argument);

/// Puts F's code in the place of all calls of it.
void inlineEverywhere(llvm::Function &F);

} // namespace blockmaestro

#endif
