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
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  auto Extent = [&](unsigned D) {
    return loadConstant(B, B.getInt32Ty(), context(F),
                        offsetof(BlockContext, Block) + sizeof(uint32_t) * D);
  };
  Value *Rows = B.CreateAdd(B.CreateMul(F.getArg(3), Extent(1)), F.getArg(2));
  Number = B.CreateAdd(B.CreateMul(Rows, Extent(0)), F.getArg(1));
  return Number;
}

} // namespace blockmaestro
