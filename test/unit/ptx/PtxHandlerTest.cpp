// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The handlers of the emulated device are of opcodes that the one table has.

#include "PtxCode.h"
#include "PtxOpcodes.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

TEST(PtxHandlers, OpcodesAreKnown) {
  size_t Handlers = 0;
  for (const llvm::ArrayRef<PtxRow> Rows :
       {ptxArithmeticRows(), ptxIntegerRows(), ptxBitRows(), ptxCompareRows(),
        ptxConvertRows(), ptxMemoryRows(), ptxAtomicRows(), ptxWarpRows(),
        ptxVideoRows(), ptxMbarrierRows(), ptxTextureRows(), ptxMatrixRows()})
    for (const PtxRow &Row : Rows) {
      const std::string Base = Row.Base;
      EXPECT_TRUE(findPtxOpcode({Base}) || findPtxOpcode({Base, "async"}))
          << Base;
      ++Handlers;
    }
  EXPECT_GT(Handlers, 90U);
}
