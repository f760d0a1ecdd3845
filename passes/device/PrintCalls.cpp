// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrintCalls.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace blockmaestro {

namespace {

bool printsStrings(StringRef Format) {
  for (;;) {
    Format = Format.drop_until([](char C) { return C == '%'; });
    if (!Format.consume_front("%"))
      return false;
    if (Format.consume_front("%"))
      continue;
    Format = Format.drop_until([](char C) { return isAlpha(C); });
    Format = Format.ltrim("hljztL");
    if (Format.starts_with("s"))
      return true;
  }
}

/// Adds the pointers stored into the packed arguments at Packed. False when
/// something else may write there.
bool collectStored(const Value *Packed, const CallBase &Call,
                   std::vector<const Value *> &To) {
  for (const User *U : Packed->users()) {
    if (const auto *Store = dyn_cast<StoreInst>(U)) {
      const Value *Stored = Store->getValueOperand();
      if (Stored == Packed)
        return false;
      if (Stored->getType()->isPointerTy())
        To.push_back(Stored);
    } else if (isa<GetElementPtrInst>(U) || isa<AddrSpaceCastInst>(U)) {
      if (!collectStored(U, Call, To))
        return false;
    } else if (const auto *Marker = dyn_cast<IntrinsicInst>(U)) {
      if (!Marker->isLifetimeStartOrEnd())
        return false;
    } else if (U != &Call && !isa<LoadInst>(U)) {
      return false;
    }
  }
  return true;
}

} // namespace

PrintedStrings printedStrings(const CallBase &Call) {
  PrintedStrings Result;
  const Value *Format = Call.getArgOperand(0);
  StringRef Text;
  if (!getConstantStringInfo(Format, Text)) {
    Result.Pointers.push_back(Format);
    Result.Others = true;
    return Result;
  }
  if (!printsStrings(Text))
    return Result;
  const Value *Packed = Call.getArgOperand(1)->stripPointerCasts();
  if (!isa<AllocaInst>(Packed) ||
      !collectStored(Packed, Call, Result.Pointers)) {
    Result.Pointers.clear();
    Result.Others = true;
  }
  return Result;
}

} // namespace blockmaestro
