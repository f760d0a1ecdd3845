// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceLibrary.h"

#include "Faults.h"
#include "HostCode.h"
#include "SpinLoops.h"
#include "ThreadCode.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// A function that becomes one of the host with the context in front.
struct LibraryRow {
  const char *Name;
  const char *Host;
  unsigned Operands; ///< So many of its own are passed on.
};
const LibraryRow LibraryRows[] = {
    {"vprintf", "bm_vprintf", 2}, {"malloc", "bm_malloc", 1},
    {"free", "bm_free", 1},       {"_Znwm", "bm_malloc", 1},
    {"_Znam", "bm_malloc", 1},    {"_ZdlPv", "bm_free", 1},
    {"_ZdaPv", "bm_free", 1},     {"_ZdlPvm", "bm_free", 1},
    {"_ZdaPvm", "bm_free", 1},
};

/// One that ends the block.
struct EndRow {
  const char *Name;
  FaultKind Kind;
};
const EndRow EndRows[] = {
    {"llvm.trap", FaultKind::Trap},      {"llvm.ubsantrap", FaultKind::Trap},
    {"llvm.debugtrap", FaultKind::Trap}, {"abort", FaultKind::Trap},
    {StuckMarker, FaultKind::Stuck},
};

/// Replaces the calls of one function.
class LibraryRewriter {
public:
  LibraryRewriter(ThreadCode &T, Function &F) : T(T), F(F), B(F.getContext()) {}

  void run();

private:
  void rewrite(CallInst &Call, StringRef Name);
  void replace(CallInst &Call, const LibraryRow &Row);
  void assertion(CallInst &Call);
  void end(CallInst &Call, FaultKind Kind);

  ThreadCode &T;
  Function &F;
  IRBuilder<> B;
};

void LibraryRewriter::replace(CallInst &Call, const LibraryRow &Row) {
  SmallVector<Value *> Operands(Call.arg_begin(),
                                Call.arg_begin() + Row.Operands);
  CallInst *New = callHost(B, Row.Host, Call.getType(), T.context(F), Operands);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void LibraryRewriter::end(CallInst &Call, FaultKind Kind) {
  callHost(B, "bm_fault", B.getVoidTy(), T.context(F),
           {T.linearThread(F), B.getInt32(uint32_t(Kind)),
            B.getInt32(T.Sites.siteOf(Call))})
      ->setDoesNotReturn();
  changeToUnreachable(&Call);
}

void LibraryRewriter::assertion(CallInst &Call) {
  SmallVector<Value *> Operands = {T.linearThread(F),
                                   B.getInt32(T.Sites.siteOf(Call))};
  constexpr unsigned Described = 4; // What, file, line, function.
  Operands.append(Call.arg_begin(), Call.arg_begin() + Described);
  callHost(B, "bm_assertfail", B.getVoidTy(), T.context(F), Operands)
      ->setDoesNotReturn();
  changeToUnreachable(&Call);
}

void LibraryRewriter::rewrite(CallInst &Call, StringRef Name) {
  B.SetInsertPoint(&Call);
  if (Name == "__assertfail")
    return assertion(Call);
  for (const EndRow &Row : EndRows)
    if (Name == Row.Name)
      return end(Call, Row.Kind);
  for (const LibraryRow &Row : LibraryRows)
    if (Name == Row.Name)
      return replace(Call, Row);
}

void LibraryRewriter::run() {
  SmallVector<CallInst *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() &&
        Call->getCalledFunction()->isDeclaration())
      Calls.push_back(Call);
  // What follows a call that ends the block goes away with it, so the last call
  // is first.
  for (CallInst *Call : reverse(Calls))
    rewrite(*Call, Call->getCalledFunction()->getName());
}

} // namespace

void lowerLibrary(ThreadCode &T) {
  for (Function *F : T.Functions)
    LibraryRewriter(T, *F).run();
}

} // namespace blockmaestro
