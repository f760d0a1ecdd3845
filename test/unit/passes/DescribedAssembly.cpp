// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DescribedAssembly.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

namespace blockmaestro::test {

AssemblyEffects effectsOfCall(const std::string &Result,
                              const std::string &Assembly,
                              const std::string &Constraints,
                              const std::string &Arguments) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Error;
  auto M = llvm::parseAssemblyString(
      "define void @f(ptr %a, i64 %b, i32 %n, i64 %c) {\n  call " + Result +
          " asm sideeffect \"" + Assembly + "\", \"" + Constraints + "\"(" +
          Arguments + ")\n  ret void\n}\n",
      Error, Context);
  EXPECT_TRUE(M) << Error.getMessage().str();
  for (llvm::Instruction &I : llvm::instructions(M->getFunction("f")))
    if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
      return describeAssembly(*Call);
  return {};
}

} // namespace blockmaestro::test
