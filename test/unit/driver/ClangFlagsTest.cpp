// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the driver knows of clang's flags, against the clang in use.

#include "ClangFlags.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <string>

using namespace blockmaestro;
using llvm::StringRef;

namespace {

std::string helpOfClang() {
  std::string Text;
  FILE *Pipe = popen(BLOCKMAESTRO_LLVM_TOOLS "/clang --help-hidden", "r");
  char Piece[4096];
  for (size_t Read; (Read = fread(Piece, 1, sizeof(Piece), Pipe)) > 0;)
    Text.append(Piece, Read);
  EXPECT_EQ(pclose(Pipe), 0);
  return Text;
}

/// The first word of a line `  -flag <value>  What it does`, else nothing.
StringRef flagWithValue(StringRef Line) {
  if (!Line.consume_front("  -"))
    return {};
  auto [Flag, Rest] = Line.split(' ');
  return Rest.starts_with("<") ? StringRef(Flag.data() - 1, Flag.size() + 1)
                               : StringRef();
}

TEST(ClangFlags, AllThatHelpShowsWithAValueTakeTheNextArgument) {
  std::string Help = helpOfClang();
  unsigned Seen = 0;
  llvm::SmallVector<StringRef, 0> Lines;
  StringRef(Help).split(Lines, '\n');
  for (StringRef Line : Lines) {
    StringRef Flag = flagWithValue(Line);
    if (Flag.empty())
      continue;
    ++Seen;
    EXPECT_TRUE(takesNextArgument(Flag)) << Flag.str();
  }
  EXPECT_GT(Seen, 50u);
}

TEST(ClangFlags, TheValueOfAJoinedFlagIsPartOfIt) {
  for (StringRef Flag :
       {"-ofile", "-I/usr", "-DX", "-O2", "-c", "-MD", "-xcuda",
        "--offload-arch=sm_90", "--cuda-path=/x", "-Wl,-z,now", "-std=c++17",
        "-fgpu-rdc", "-Lx", "-lm", "-g", "-"})
    EXPECT_FALSE(takesNextArgument(Flag)) << Flag.str();
}

TEST(ClangFlags, ValuesFollowFlagsThatNameATarget) {
  EXPECT_TRUE(takesNextArgument("-Xarch_sm_90"));
  EXPECT_TRUE(takesNextArgument("-Xarch_device"));
  EXPECT_TRUE(takesNextArgument("-Xoffload-linker-nvptx64-nvidia-cuda"));
  EXPECT_TRUE(takesNextArgument("-Xopenmp-target=nvptx64"));
}

struct InputRow {
  StringRef Name, Language;
  InputKind Kind;
};

TEST(ClangFlags, NamesAndLanguagesSayWhatAFileIs) {
  const InputRow Rows[] = {
      {"a.cu", "", InputKind::Cuda},
      {"a.cui", "", InputKind::Cuda},
      {"dir.cu/a.cpp", "", InputKind::Other},
      {"a.cu", "c++", InputKind::Other},
      {"a.txt", "cuda", InputKind::Cuda},
      {"-", "cuda", InputKind::Cuda},
      {"-", "", InputKind::Other},
      {"a.hpp", "", InputKind::Header},
      {"a.hpp", "cuda", InputKind::Cuda},
      {"a.x", "c++-header", InputKind::Header},
      {"a.o", "", InputKind::Other},
      {"liba.so.1", "", InputKind::Other},
  };
  for (const InputRow &Row : Rows)
    EXPECT_EQ(kindOfInput(Row.Name, Row.Language), Row.Kind)
        << Row.Name.str() << " as " << Row.Language.str();
}

TEST(ClangFlags, NvidiasRuntimeIsRecognised) {
  for (StringRef Yes : {"-lcudart", "-lcudart_static", "-l:libcudart.so.13",
                        "/usr/local/cuda/lib64/libcudart.so",
                        "libcudart_static.a", "/x/libcudart.so.13.0.48"})
    EXPECT_TRUE(namesCudaRuntime(Yes)) << Yes.str();
  for (StringRef No : {"-lcuda", "-lcudadevrt", "-lcudartx", "cudart",
                       "libcudart.cu", "libcudadevrt.a", "-Lcudart"})
    EXPECT_FALSE(namesCudaRuntime(No)) << No.str();
}

} // namespace
