// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelStubs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Adds the pair when Stub is a function and Name a constant string.
void add(KernelStubs &Stubs, const Value *Stub, const Value *Name) {
  const auto *Host = dyn_cast<Function>(Stub->stripPointerCasts());
  StringRef Symbol;
  if (Host && getConstantStringInfo(Name, Symbol) && !Symbol.empty())
    Stubs[Host].Symbol = Symbol.str();
}

/// __cudaRegisterFunction(Handle, Stub, Name, DeviceName, ...)
void readRegistrations(const Module &M, KernelStubs &Stubs) {
  const Function *Register = M.getFunction("__cudaRegisterFunction");
  if (!Register)
    return;
  for (const User *U : Register->users())
    if (const auto *Call = dyn_cast<CallBase>(U))
      if (Call->getCalledFunction() == Register && Call->arg_size() >= 4)
        add(Stubs, Call->getArgOperand(1), Call->getArgOperand(3));
}

bool isOffloadEntry(const GlobalVariable &Global) {
  return Global.getSection() == "llvm_offload_entries" &&
         Global.hasInitializer();
}

/// struct __tgt_offload_entry { i64, i16, i16, i32, Address, Name, ... }
void readOffloadEntries(const Module &M, KernelStubs &Stubs) {
  for (const GlobalVariable &Global : M.globals()) {
    if (!isOffloadEntry(Global))
      continue;
    const auto *Entry = dyn_cast<ConstantStruct>(Global.getInitializer());
    if (Entry && Entry->getNumOperands() >= 6)
      add(Stubs, Entry->getOperand(4), Entry->getOperand(5));
  }
}

} // namespace

bool hasOffloadEntries(const Module &M) {
  return any_of(M.globals(), isOffloadEntry);
}

KernelStubs findKernelStubs(const Module &M) {
  KernelStubs Stubs;
  readRegistrations(M, Stubs);
  readOffloadEntries(M, Stubs);
  return Stubs;
}

} // namespace blockmaestro
