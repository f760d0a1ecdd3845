// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bodies may run a strip of blocks, as code; what comes out of those that
// may is in EmulatorStripTest.cpp.

#include "Strips.h"

#include "BlockContext.h"
#include "BlockFunction.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

using namespace blockmaestro;
using namespace llvm;

namespace {

/// The code of a thread that has %b, blockIdx.x, and %out, an argument.
std::unique_ptr<Module> parseBody(const std::string &Code, LLVMContext &In) {
  std::string Index = std::to_string(offsetof(BlockContext, Index));
  std::string Shared = std::to_string(offsetof(BlockContext, Shared));
  std::string Text = "declare void @calls(ptr)\n"
                     "define void @body(ptr %c, i32 %x, i32 %y, i32 %z) {\n"
                     "  %bp = getelementptr i8, ptr %c, i64 " +
                     Index +
                     "\n"
                     "  %b = load i32, ptr %bp, !invariant.load !0\n"
                     "  %a = load ptr, ptr %c, !invariant.load !0\n"
                     "  %out = load ptr, ptr %a, !invariant.load !0\n"
                     "  %sp = getelementptr i8, ptr %c, i64 " +
                     Shared + "\n" + Code + "  ret void\n}\n!0 = !{}\n";
  SMDiagnostic Why;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Why, In);
  EXPECT_TRUE(M) << Why.getMessage().str() << " in " << Text;
  return M;
}

const std::string Store =
    "  %p = getelementptr i32, ptr %out, i32 %i\n  store i32 %i, ptr %p\n";

struct Row {
  const char *What;
  std::string Code;
  uint32_t Line, Plane; ///< For blocks of 16 and of 16 x 4 threads.
};

const uint32_t Long = 1 << 16, Short = 1024;

const Row Rows[] = {
    {"the sum", "%s = shl i32 %b, 4\n %i = add i32 %s, %x\n" + Store, Long,
     Short},
    {"a product", "%s = mul i32 %b, 16\n %i = add i32 %x, %s\n" + Store, Long,
     Short},
    {"bits", "%s = shl i32 %b, 4\n %i = or disjoint i32 %s, %x\n" + Store, Long,
     Short},
    {"more terms",
     "%s = shl i32 %b, 4\n %t = add i32 %s, 3\n %u = sub i32 %t, %y\n"
     "%i = add i32 %u, %x\n" +
         Store,
     Long, Short},
    {"a multiple",
     "%s = shl i32 %b, 6\n %t = shl i32 %x, 2\n %i = add i32 %s, %t\n" + Store,
     Long, Short},
    {"the sum modulo 2^32",
     "%s = mul i32 %b, 16\n %t = mul i32 %x, 1879048193\n"
     "%i = add i32 %s, %t\n" +
         Store,
     Long, 0},
    {"64 bits",
     "%e = zext i32 %b to i64\n %s = shl i64 %e, 4\n %t = zext i32 %x to i64\n"
     "%i = add i64 %s, %t\n %p = getelementptr i32, ptr %out, i64 %i\n"
     "store i32 1, ptr %p\n",
     Long, Short},
    {"no place at all", "store i32 1, ptr %out\n", Long, Short},
    {"far apart",
     "%s = shl i32 %b, 4\n %i = add i32 %s, %x\n %j = mul i32 %i, 100\n"
     "%p = getelementptr i32, ptr %out, i32 %j\n store i32 1, ptr %p\n",
     Long, 0},
    {"looked up",
     "%s = shl i32 %b, 4\n %i = add i32 %s, %x\n"
     "%q = getelementptr i32, ptr %out, i32 %i\n %j = load i32, ptr %q\n"
     "%p = getelementptr i32, ptr %out, i32 %j\n store i32 1, ptr %p\n",
     Long, 0},
    {"memory in a loop",
     "%s = shl i32 %b, 4\n %i = add i32 %s, %x\n br label %l\nl:\n"
     "%k = phi i32 [ 0, %0 ], [ %n, %l ]\n %n = add i32 %k, 1\n"
     "%p = getelementptr i32, ptr %out, i32 %i\n store i32 %k, ptr %p\n"
     "%d = icmp eq i32 %n, 9\n br i1 %d, label %e, label %l\ne:\n",
     Long, 0},
    {"another factor", "%s = shl i32 %b, 5\n %i = add i32 %s, %x\n" + Store, 0,
     0},
    {"the wrong sign", "%s = shl i32 %b, 4\n %i = sub i32 %s, %x\n" + Store, 0,
     0},
    {"the sum modulo 2^31 only",
     "%s = mul i32 %b, -2147483632\n %i = add i32 %s, %x\n" + Store, 0, 0},
    {"the thread too",
     "%s = shl i32 %b, 4\n %i = add i32 %s, %x\n" + Store +
         "store i32 %x, ptr %out\n",
     0, 0},
    {"the block too",
     "%s = shl i32 %b, 4\n %i = add i32 %s, %x\n" + Store +
         "store i32 %b, ptr %out\n",
     0, 0},
    {"a comparison of the thread",
     "%s = shl i32 %b, 4\n %i = add i32 %s, %x\n %t = icmp eq i32 %x, 0\n"
     "%v = select i1 %t, i32 1, i32 %i\n store i32 %v, ptr %out\n",
     0, 0},
    {"the thread as a distance",
     "%s = shl i32 1, %x\n store i32 %s, ptr %out\n", 0, 0},
    {"bits that are not a sum",
     "%s = shl i32 %b, 4\n %i = or i32 %s, %x\n" + Store, 0, 0},
    {"the thread in a loop",
     "br label %l\nl:\n %k = phi i32 [ 0, %0 ], [ %x, %l ]\n"
     "%d = icmp eq i32 %k, 9\n br i1 %d, label %e, label %l\ne:\n",
     0, 0},
    {"shared memory",
     "%h = load ptr, ptr %sp, !invariant.load !0\n"
     "store i32 1, ptr %h\n",
     0, 0},
    {"the context given away", "call void @calls(ptr %c)\n", 0, 0},
    {"the context written", "store i32 1, ptr %bp\n", 0, 0},
};

TEST(StripsTest, WhatSettlesMayRunInStrips) {
  for (const Row &Each : Rows)
    for (bool Plane : {false, true}) {
      LLVMContext Context;
      std::unique_ptr<Module> M = parseBody(Each.Code, Context);
      ASSERT_TRUE(M) << Each.What;
      BlockShape Shape{{16, Plane ? 4u : 1u, 1}};
      EXPECT_EQ(stripThreads(*M->getFunction("body"), Shape),
                Plane ? Each.Plane : Each.Line)
          << Each.What << (Plane ? ", plane" : "");
    }
}

TEST(StripsTest, AnUnknownShapeHasNoStrips) {
  LLVMContext Context;
  std::unique_ptr<Module> M = parseBody(Rows[0].Code, Context);
  EXPECT_EQ(stripThreads(*M->getFunction("body"), {}), 0u);
}

TEST(StripsTest, WhatHoldsInOneBlockOnlyIsForgotten) {
  LLVMContext Context;
  std::unique_ptr<Module> M =
      parseBody("%s = shl nuw nsw i32 %b, 4\n %i = or disjoint i32 %s, %x\n"
                "%j = add nuw nsw i32 %i, %y\n %v = add i32 %s, 1\n"
                "%w = add nuw i32 %v, %x\n store i32 %j, ptr %out\n"
                "store i32 %w, ptr %out\n",
                Context);
  Function &Body = *M->getFunction("body");
  ASSERT_NE(stripThreads(Body, {{16, 1, 1}}), 0u);
  unsigned WithFlags = 0;
  for (Instruction &I : instructions(Body)) {
    EXPECT_NE(I.getOpcode(), Instruction::Or);
    WithFlags += isa<BinaryOperator>(I) && I.hasPoisonGeneratingFlags();
  }
  EXPECT_EQ(WithFlags, 1u) << "what follows from a settled value stays";
}

} // namespace
