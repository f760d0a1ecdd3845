// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the driver knows of clang's flags, against the clang in use.

#include "ClangFlags.h"

#include <gtest/gtest.h>
#include <vector>

using namespace blockmaestro;
using llvm::StringRef;

namespace {

ClangArgument first(std::vector<const char *> Words) {
  return ClangArguments(Words).at(0);
}

TEST(ClangFlags, ValuesBelongToTheirOptions) {
  struct Row {
    std::vector<const char *> Words;
    size_t Length;
    StringRef Value;
  };
  const Row Rows[] = {
      {{"-o", "-c"}, 2, "-c"},
      {{"-ofile", "-c"}, 1, "file"},
      {{"-Xclang", "-c"}, 2, "-c"},
      {{"-Xarch_sm_90", "-c"}, 2, "sm_90"},
      {{"-Xarch_device", "-O2"}, 2, "-O2"},
      {{"-Xoffload-linker-nvptx64-nvidia-cuda", "-c"},
       2,
       "-nvptx64-nvidia-cuda"},
      {{"-Xopenmp-target=nvptx64", "-c"}, 2, "nvptx64"},
      {{"-include", "a.h"}, 2, "a.h"},
      {{"-I/usr", "a.cu"}, 1, "/usr"},
      {{"-MF", "-E"}, 2, "-E"},
      {{"-MD", "a.cu"}, 1, ""},
      {{"-Wl,-z,now", "a.cu"}, 1, "-z"},
      {{"--param", "x=1"}, 2, "x=1"},
      {{"-xcuda", "a"}, 1, "cuda"},
      {{"--offload-arch=sm_90", "a"}, 1, "sm_90"},
      {{"-g", "a"}, 1, ""},
  };
  for (const Row &Each : Rows) {
    const ClangArgument Read = first(Each.Words);
    EXPECT_NE(Read.Option, 0u) << Each.Words[0];
    EXPECT_EQ(Read.Words, Each.Length) << Each.Words[0];
    EXPECT_EQ(Read.Value, Each.Value) << Each.Words[0];
  }
}

TEST(ClangFlags, ASpellingIsTheOptionItStandsFor) {
  EXPECT_EQ(first({"--compile"}).Option, clangOption("-c"));
  EXPECT_EQ(first({"--language=cuda"}).Option, clangOption("-x"));
  EXPECT_EQ(first({"--language=cuda"}).Value, "cuda");
  EXPECT_EQ(first({"--cuda-gpu-arch=sm_90"}).Option,
            clangOption("--offload-arch="));
  EXPECT_EQ(first({"--cuda-device-only"}).Option,
            clangOption("--offload-device-only"));
  EXPECT_EQ(first({"-nocudainc"}).Option, clangOption("-nogpuinc"));
  EXPECT_NE(clangOption("-c"), clangOption("-S"));
}

TEST(ClangFlags, OthersOptionsAndMissingValuesAreLeftToClang) {
  for (const char *Word : {"/c", "/Foa.obj", "a.cu", "-"})
    EXPECT_TRUE(first({Word}).Input) << Word;
  for (const char *Word : {"-no-such-flag", "--no-such-flag=1"}) {
    EXPECT_FALSE(first({Word}).Input) << Word;
    EXPECT_EQ(first({Word}).Option, 0u) << Word;
    EXPECT_EQ(first({Word, "a.cu"}).Words, 1u) << Word;
  }
  EXPECT_EQ(first({"-o"}).Words, 1u);
  EXPECT_EQ(first({"-o"}).Option, 0u);
}

TEST(ClangFlags, ClangHasWhatStopsItBeforeTheLinker) {
  for (StringRef Flag : stoppingFlags()) {
    EXPECT_NE(clangOption(Flag), 0u) << Flag.str();
    EXPECT_TRUE(stopsBeforeLink(clangOption(Flag))) << Flag.str();
  }
  for (const char *Flag : {"--assemble", "--preprocess", "--dependencies",
                           "--user-dependencies", "-print-supported-cpus"})
    EXPECT_TRUE(stopsBeforeLink(first({Flag}).Option)) << Flag;
  for (const char *Flag : {"-g", "-o", "-shared", "-no-such-flag"})
    EXPECT_FALSE(stopsBeforeLink(first({Flag, "a"}).Option)) << Flag;
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
