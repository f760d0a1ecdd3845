// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimedVariants.h"

#include "VariantParts.h"

#include "llvm/IR/Module.h"

using namespace llvm;

// Note [Copied last]
// A recording is to show what the kernel does. So the kernel is copied when it
// is optimised, not compiled once more with other code around it, of which the
// optimiser could make something else. It costs less, too.

namespace blockmaestro {
namespace {

constexpr StringLiteral TimedAttribute = "blockmaestro-timed";
constexpr StringLiteral OneByOneValue = "one-by-one";

SmallVector<Function *> markedKernels(Module &M) {
  SmallVector<Function *> Marked;
  for (Function &F : M)
    if (F.hasFnAttribute(TimedAttribute))
      Marked.push_back(&F);
  return Marked;
}

/// What the optimiser knows of the kernel's code is not so of notes.
void forgetEffects(Function &Copy) {
  Copy.removeFnAttr(Attribute::Memory);
  Copy.removeFnAttr(Attribute::NoSync);
  Copy.addFnAttr(Attribute::Convergent);
}

void addTimedVariant(Function &Kernel) {
  const bool OneByOne =
      Kernel.getFnAttribute(TimedAttribute).getValueAsString() == OneByOneValue;
  Kernel.removeFnAttr(TimedAttribute);
  Function *Copy = copyWithMore(Kernel, timedSymbolOf(Kernel.getName().str()),
                                {PointerType::get(Kernel.getContext(), 0)});
  forgetEffects(*Copy);
  Value *Times = Copy->getArg(Copy->arg_size() - 1);
  if (OneByOne) {
    enterThrough(*Copy, "__bm_timed_enter_counted", Times);
    leaveOneByOne(*Copy, "__bm_timed_leave_counted", Times);
  } else {
    enterThrough(*Copy, "__bm_timed_enter", Times);
    leaveThroughOneExit(*Copy, "__bm_timed_leave", Times);
  }
}

/// Inlines the device code, all of which is called or not needed.
void settleDeviceCode(Module &M) {
  for (StringRef Name :
       {"__bm_timed_enter", "__bm_timed_leave", "__bm_timed_enter_counted",
        "__bm_timed_leave_counted"})
    if (Function *F = M.getFunction(Name)) {
      inlineEverywhere(*F);
      F->eraseFromParent();
    }
}

} // namespace

std::string timedSymbolOf(const std::string &Kernel) {
  return Kernel + "$bm_timed";
}

void markTimed(Function &Kernel, Leaving How) {
  const bool OneByOne = How == Leaving::OneByOne;
  Kernel.addFnAttr(TimedAttribute, OneByOne ? StringRef(OneByOneValue) : "");
}

bool addTimedVariants(Module &M) {
  const SmallVector<Function *> Marked = markedKernels(M);
  if (Marked.empty())
    return false;
  std::string Failure = linkDeviceCode(M, timedCode(), *Marked.front());
  if (!Failure.empty()) {
    M.getContext().emitError(Failure);
    return false;
  }
  for (Function *Kernel : Marked)
    addTimedVariant(*Kernel);
  settleDeviceCode(M);
  return true;
}

} // namespace blockmaestro
