// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadCode.h"

#include "BlockContext.h"
#include "ContextCode.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

Value *ThreadCode::linearThread(Function &F) {
  Value *&Number = Linear[&F];
  if (Number)
    return Number;
  IRBuilder<> B = entry(F);
  auto Extent = [&](unsigned D) {
    return loadDimension(B, context(F), offsetof(BlockContext, Block), D);
  };
  Value *Rows = B.CreateAdd(B.CreateMul(F.getArg(3), Extent(1)), F.getArg(2));
  Number = B.CreateAdd(B.CreateMul(Rows, Extent(0)), F.getArg(1));
  return Number;
}

} // namespace blockmaestro
