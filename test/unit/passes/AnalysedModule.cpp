// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AnalysedModule.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

namespace blockmaestro::test {

static std::string text(const llvm::Module &M) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  M.print(Stream, nullptr);
  return Text;
}

std::unique_ptr<Analysed> analyse(const std::string &Body, bool Relocatable) {
  auto Result = std::make_unique<Analysed>();
  llvm::SMDiagnostic Error;
  Result->M = llvm::parseAssemblyString(
      "source_filename = \"a.cu\"\n"
      "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-"
      "v32:32-n16:32:64\"\n"
      "target triple = \"nvptx64-nvidia-cuda\"\n"
      "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
          Body,
      Error, Result->Context);
  EXPECT_TRUE(Result->M) << Error.getMessage().str() << " in " << Body;
  if (!Result->M)
    return Result;
  std::string Before = text(*Result->M);
  auto Record = analyzeDeviceModule(*Result->M, Relocatable);
  EXPECT_TRUE(bool(Record));
  EXPECT_EQ(Before, text(*Result->M));
  Result->Record = std::move(*Record);
  return Result;
}

} // namespace blockmaestro::test
