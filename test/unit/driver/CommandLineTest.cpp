// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the driver makes of a command line.

#include "CommandLine.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>
#include <string>

using namespace blockmaestro;
using llvm::StringRef;

namespace {

/// Arguments are split at single spaces.
llvm::Expected<CommandLine> tryRead(const std::string &Line) {
  llvm::SmallVector<StringRef> Words;
  StringRef(Line).split(Words, ' ', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Texts(Words.begin(), Words.end());
  std::vector<const char *> Arguments;
  for (const std::string &Text : Texts)
    Arguments.push_back(Text.c_str());
  return readCommandLine(Arguments);
}

CommandLine read(const std::string &Line) {
  llvm::Expected<CommandLine> C = tryRead(Line);
  if (C)
    return *C;
  ADD_FAILURE() << Line << ": " << toString(C.takeError());
  return {};
}

std::string errorOf(const std::string &Line) {
  llvm::Expected<CommandLine> C = tryRead(Line);
  return C ? "none" : toString(C.takeError());
}

std::string rest(const CommandLine &C) {
  std::string Out;
  for (const CommandLine::Argument &Each : C.Rest)
    Out += (Out.empty() ? "" : " ") + Each.Text;
  return Out;
}

TEST(CommandLine, TheLastOfOurSwitchesWins) {
  EXPECT_TRUE(read("-fblockmaestro a.cu").Enabled);
  EXPECT_FALSE(read("-fblockmaestro a.cu -fno-blockmaestro").Enabled);
  EXPECT_TRUE(read("-fno-blockmaestro -fblockmaestro a.cu").Enabled);
  EXPECT_FALSE(read("a.cu").HasOwn);
  EXPECT_TRUE(read("a.cu -fno-blockmaestro").HasOwn);
}

TEST(CommandLine, TheRestIsInOrderWithoutOurFlags) {
  EXPECT_EQ(rest(read("-O2 -fblockmaestro a.cu -fblockmaestro-dump=footprints "
                      "-o a -lm")),
            "-O2 a.cu -o a -lm");
}

TEST(CommandLine, AFlagBehindAFlagThatTakesAValueIsItsValue) {
  CommandLine C = read("-o -fblockmaestro -Xclang -c -MF x.cu a.cpp");
  EXPECT_FALSE(C.Enabled);
  EXPECT_TRUE(C.Links);
  EXPECT_FALSE(C.HasCuda);
  EXPECT_TRUE(C.HasInput);
}

TEST(CommandLine, WhatClangDoesNotKnowIsLeftToIt) {
  CommandLine C = read("-no-such-flag a.cu --nor-this=1 -o");
  EXPECT_TRUE(C.HasCuda);
  EXPECT_EQ(rest(C), "-no-such-flag a.cu --nor-this=1 -o");
}

TEST(CommandLine, BehindTwoDashesEverythingIsAFile) {
  CommandLine C = read("-c -- -fblockmaestro a.cu");
  EXPECT_FALSE(C.HasOwn);
  EXPECT_TRUE(C.HasCuda);
  EXPECT_EQ(rest(C), "-c -- -fblockmaestro a.cu");
}

TEST(CommandLine, LanguageHoldsUntilTheNext) {
  EXPECT_TRUE(read("-x cuda a.txt").HasCuda);
  EXPECT_TRUE(read("-xcuda a.txt").HasCuda);
  EXPECT_TRUE(read("--language cuda a.txt").HasCuda);
  EXPECT_TRUE(read("--language=cuda a.txt").HasCuda);
  EXPECT_FALSE(read("-x cuda -x none a.txt").HasCuda);
  EXPECT_FALSE(read("a.txt -x cuda").HasCuda);
  EXPECT_TRUE(read("-x cuda -").CudaStdin);
  EXPECT_FALSE(read("-x cuda a.cu -o -").CudaStdin);
}

TEST(CommandLine, WhatLinks) {
  for (StringRef Yes :
       {"a.cu", "a.o b.a", "a.cpp -lm", "-lm", "-shared a.cu",
        "--cuda-device-only --offload-host-device a.cu", "-Xlinker -c a.o"})
    EXPECT_TRUE(read(Yes.str()).links()) << Yes.str();
  for (StringRef No :
       {"-c a.cu", "-S a.cu", "-E a.cu", "-fsyntax-only a.cu", "-M a.cu",
        "--cuda-device-only a.cu", "--version", "a.hpp", "-r a.o b.o", "",
        "--analyze a.cpp", "-x c++-header a.x"})
    EXPECT_FALSE(read(No.str()).links()) << No.str();
}

TEST(CommandLine, NvidiasRuntimeIsMarked) {
  CommandLine C =
      read("a.o -lcudart_static -l cudart -ldl x/libcudart.so -o b");
  std::string Kept;
  for (const CommandLine::Argument &Each : C.Rest)
    Kept += Each.CudaRuntime ? "" : Each.Text + " ";
  EXPECT_EQ(Kept, "a.o -ldl -o b ");
}

TEST(CommandLine, ValuesOfFlagsAreNotNvidiasRuntime) {
  for (const CommandLine::Argument &Each : read("a.o -o libcudart.so").Rest)
    EXPECT_FALSE(Each.CudaRuntime) << Each.Text;
}

TEST(CommandLine, WhatIsKnownOfTheToolkit) {
  EXPECT_TRUE(read("--offload-arch=native a.cu").HasArchitecture);
  EXPECT_TRUE(read("--cuda-gpu-arch=sm_80 a.cu").HasArchitecture);
  EXPECT_FALSE(read("-march=native a.cu").HasArchitecture);
  EXPECT_EQ(read("--cuda-path=/x a.cu").CudaPath, "/x");
  EXPECT_FALSE(read("-nocudainc a.cu").NeedsHeaders);
  EXPECT_TRUE(read("-fgpu-rdc a.o").Relocatable);
  EXPECT_FALSE(read("-fgpu-rdc -fno-gpu-rdc a.o").Relocatable);
}

TEST(CommandLine, MistakesNameWhatWasMeant) {
  EXPECT_EQ(errorOf("-fblockmaestro-dmup=footprints a.cu"),
            "unknown argument '-fblockmaestro-dmup=footprints'; did you mean "
            "'-fblockmaestro-dump=footprints'?");
  EXPECT_EQ(errorOf("-fblockmaestro=on a.cu"),
            "unknown argument '-fblockmaestro=on'; did you mean "
            "'-fblockmaestro'?");
  EXPECT_EQ(errorOf("-fno-blockmeastro a.cu"),
            "unknown argument '-fno-blockmeastro'; did you mean "
            "'-fno-blockmaestro'?");
  EXPECT_EQ(errorOf("-fblockmaestro-dump= -c a.cu"),
            "invalid value '' in '-fblockmaestro-dump=', expected "
            "'footprints'");
  EXPECT_EQ(errorOf("-fblocks -fno-blocks a.cu"), "none");
}

TEST(CommandLine, StaticProgramsAreRefusedWhereTheyAreLinked) {
  StringRef Message = "'-static' cannot be combined with '-fblockmaestro', "
                      "whose runtime is a shared library";
  EXPECT_EQ(errorOf("-fblockmaestro -static a.cu"), Message);
  EXPECT_EQ(errorOf("-fblockmaestro -static-pie a.o"), Message);
  EXPECT_EQ(errorOf("-fblockmaestro -static -c a.cu"), "none");
  EXPECT_EQ(errorOf("-static a.cu"), "none");
  EXPECT_EQ(errorOf("-fblockmaestro --static a.cu"), Message);
  EXPECT_EQ(errorOf("-fblockmaestro -Xarch_host -static a.cu"), "none");
}

TEST(CommandLine, HelpListsEveryFlagOnce) {
  std::string Help = flagHelp();
  for (StringRef Flag : {"  -fblockmaestro  ", "  -fno-blockmaestro  ",
                         "  -fblockmaestro-dump=footprints"})
    EXPECT_EQ(StringRef(Help).count(Flag), 1u) << Flag.str();
}

} // namespace
