// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the driver makes of a command line.

#include "CommandLine.h"
#include "HelpText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

TEST(CommandLine, ValuesStandBehindTheOptionOrAreJoinedToIt) {
  for (StringRef Behind :
       {"-o", "-I", "-Xclang", "-Xcuda-ptxas", "-mllvm", "-include", "--param",
        "-dumpdir", "--CLASSPATH", "-image_base", "-Xarch_sm_90",
        "-Xarch_device", "-Xopenmp-target=nvptx64",
        "-Xoffload-linker-nvptx64-nvidia-cuda", "-sectcreate -E -S",
        "--include-with-prefix-before"}) {
    CommandLine C = read(Behind.str() + " -c a.cpp");
    EXPECT_TRUE(C.links()) << Behind.str();
    EXPECT_EQ(rest(C), Behind.str() + " -c a.cpp");
  }
  for (StringRef Joined : {"-ox", "--output=x", "-I.", "-Wl,-z,now", "-xcuda",
                           "--language=c", "-std=c++17", "-MFx", "-O", "-MD"})
    EXPECT_FALSE(read(Joined.str() + " -c a.cpp").links()) << Joined.str();
}

TEST(CommandLine, WhatClangWillRefuseIsKept) {
  for (StringRef Line :
       {"a.cu -o", "-Xarch_sm_90", "a.cpp -sectcreate -c", "-lcudart -o",
        "-frobnicate a.cpp", "-c= a.cpp", "-femaestro a.cpp"}) {
    CommandLine C = read(Line.str());
    EXPECT_EQ(rest(C), Line);
    EXPECT_TRUE(C.Links) << Line.str();
  }
  EXPECT_FALSE(read("-lcudart -o").Rest.back().CudaRuntime);
  EXPECT_EQ(rest(read("-fblockmaestro a.cu -o")), "a.cu -o");
}

TEST(CommandLine, OptionsOfOtherDriversAreNone) {
  // clang-cl's, where a slash begins a path for clang.
  EXPECT_TRUE(read("/c /x.cu").links());
  EXPECT_TRUE(read("/c /x.cu").HasCuda);
  EXPECT_TRUE(read("-EP a.cpp").links());
  EXPECT_FALSE(read("-link -c a.cpp").links());
  // Of clang -cc1, and flang's.
  EXPECT_TRUE(read("-emit-obj a.cpp").links());
  EXPECT_TRUE(read("-main-file-name a.cu a.cpp").HasCuda);
  EXPECT_TRUE(read("-emit-hlfir a.cpp").links());
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
  EXPECT_TRUE(read("--language=cuda -O2 a.txt").HasCuda);
  EXPECT_FALSE(read("-x cuda -x none a.txt").HasCuda);
  EXPECT_FALSE(read("a.txt -x cuda").HasCuda);
  EXPECT_TRUE(read("-x cuda -").SourceStdin);
  EXPECT_TRUE(read("-x c -").SourceStdin);
  EXPECT_FALSE(read("-x cuda a.cu -o -").SourceStdin);
  EXPECT_TRUE(read("-x c a.txt").HasCxx);
  EXPECT_TRUE(read("a.cc").HasCxx);
  EXPECT_FALSE(read("a.cu a.o a.s a.hpp").HasCxx);
}

TEST(CommandLine, WhatHasTargetRegions) {
  for (StringRef Ours :
       {"-fopenmp a.cpp", "-fopenmp=libomp -c a.c", "-fopenmp a.o",
        "-fno-openmp -fopenmp a.cpp", "-fopenmp=libgomp -fopenmp a.cpp",
        "-fopenmp -fopenmp-targets=nvptx64 a.cpp",
        "-fopenmp --offload-targets=x86_64,nvptx64-nvidia-cuda a.cpp",
        "-fopenmp --offload-arch=gfx90a,sm_90 a.cpp",
        "-fopenmp --offload-arch=native a.cpp"})
    EXPECT_TRUE(read(Ours.str()).ownsTargetRegions()) << Ours.str();
  for (StringRef Clangs : {"-fopenmp -fopenmp-targets=x86_64 a.cpp",
                           "-fopenmp --offload-arch=gfx90a a.cpp"}) {
    EXPECT_TRUE(read(Clangs.str()).hasTargetRegions()) << Clangs.str();
    EXPECT_FALSE(read(Clangs.str()).ownsTargetRegions()) << Clangs.str();
  }
  for (StringRef None :
       {"a.cpp", "-fopenmp -fno-openmp a.cpp", "-fopenmp=libgomp a.cpp",
        "-fopenmp-simd a.cpp", "-fopenmp a.cu", "-fopenmp a.cpp b.cu",
        "-fopenmp -c a.s", "-fopenmp --offload-host-only a.cpp"})
    EXPECT_FALSE(read(None.str()).hasTargetRegions()) << None.str();
}

TEST(CommandLine, WhoNamesTheArchitectureOfTargetRegions) {
  EXPECT_TRUE(read("-Xopenmp-target -march=sm_80 a.c").HasTargetArchitecture);
  EXPECT_TRUE(
      read("-Xopenmp-target=nvptx64 -march=sm_80 a.c").HasTargetArchitecture);
  EXPECT_FALSE(
      read("-march=native -Xopenmp-target -O1 a.c").HasTargetArchitecture);
}

TEST(CommandLine, WhatLinks) {
  for (StringRef Yes :
       {"a.cu", "a.o b.a", "-shared a.cu", "-rpath x",
        "--cuda-device-only --offload-host-device a.cu", "-Xlinker -c a.o"})
    EXPECT_TRUE(read(Yes.str()).links()) << Yes.str();
  for (StringRef No :
       {"-c a.cu", "--cuda-device-only a.cu", "--offload-device-only a.cu",
        "-r a.o b.o", "--print-supported-extensions a.cpp",
        "--print-enabled-extensions a.cpp"})
    EXPECT_FALSE(read(No.str()).links()) << No.str();
}

/// The clang in use, in a folder with an a.cpp and an a.hpp.
class ClangSteps : public testing::Test {
protected:
  ClangSteps() {
    char Name[] = "/tmp/steps-test-XXXXXX";
    Folder = mkdtemp(Name);
    std::ofstream(Folder + "/a.cpp") << "";
    std::ofstream(Folder + "/a.hpp") << "";
  }
  ~ClangSteps() override { std::filesystem::remove_all(Folder); }

  bool link(const std::string &Line) const {
    std::string Command = "cd " + Folder +
                          "; " BLOCKMAESTRO_LLVM_TOOLS
                          "/clang++ -ccc-print-phases " +
                          Line + " 2>&1";
    std::string Steps;
    FILE *Pipe = popen(Command.c_str(), "r");
    char Piece[4096];
    for (size_t Read; (Read = fread(Piece, 1, sizeof(Piece), Pipe)) > 0;)
      Steps.append(Piece, Read);
    EXPECT_LT(pclose(Pipe), 127 << 8) << Command;
    return StringRef(Steps).contains(": linker, ");
  }

  std::string Folder;
};

TEST_F(ClangSteps, LinkWhereTheDriverSaysSo) {
  for (StringRef Line : {"a.cpp",
                         "a.cpp -lm",
                         "-lm",
                         "-l m",
                         "-Wl,-O1",
                         "-z now",
                         "-MD a.cpp",
                         "-emit-interface-stubs a.cpp",
                         "-Xclang -c a.cpp",
                         "--version",
                         "",
                         "-c a.cpp",
                         "--compile a.cpp",
                         "-S a.cpp",
                         "--assemble a.cpp",
                         "-E a.cpp",
                         "--preprocess a.cpp",
                         "-M a.cpp",
                         "--dependencies a.cpp",
                         "-MM a.cpp",
                         "--user-dependencies a.cpp",
                         "-fsyntax-only a.cpp",
                         "--emit-static-lib a.cpp",
                         "-emit-ast a.cpp",
                         "-emit-cir a.cpp",
                         "-extract-api a.cpp",
                         "-module-file-info a.cpp",
                         "-print-supported-cpus a.cpp",
                         "-mcpu=help a.cpp",
                         "-rewrite-objc a.cpp",
                         "-verify-pch a.cpp",
                         "-rewrite-legacy-objc a.cpp",
                         "--analyze a.cpp",
                         "--precompile a.cpp",
                         "-fmodule-header a.hpp",
                         "-fmodule-header=user a.cpp",
                         "a.hpp",
                         "-x c++-header a.cpp",
                         "a.hpp -lm",
                         "-E -- -c",
                         "-T x",
                         "-u x"})
    EXPECT_EQ(read(Line.str()).links(), link(Line.str())) << Line.str();
}

TEST(CommandLine, NvidiasRuntimeIsMarked) {
  CommandLine C =
      read("a.o -lcudart_static -l cudart -ldl x/libcudart.so -Wl,-lcudart "
           "-Wl,x/libcudart.so -o b");
  std::string Kept;
  for (const CommandLine::Argument &Each : C.Rest)
    Kept += Each.CudaRuntime ? "" : Each.Text + " ";
  EXPECT_EQ(Kept, "a.o -ldl -o b ");
}

TEST(CommandLine, ValuesOfFlagsAreNotNvidiasRuntime) {
  for (StringRef Line :
       {"-o libcudart.so", "-DNAME=/x/libcudart.so", "-Xlinker -lcudart",
        "-Wl,--exclude-libs,libcudart_static.a", "-Wl,x/libcudart.so,-z,now",
        "-L x/libcudart.so"})
    for (const CommandLine::Argument &Each : read("a.o " + Line.str()).Rest)
      EXPECT_FALSE(Each.CudaRuntime) << Each.Text;
}

TEST(CommandLine, WhatIsKnownOfTheToolkit) {
  EXPECT_TRUE(read("--offload-arch=native a.cu").HasArchitecture);
  EXPECT_TRUE(read("--cuda-gpu-arch=sm_80 a.cu").HasArchitecture);
  EXPECT_FALSE(read("-march=native a.cu").HasArchitecture);
  EXPECT_EQ(read("--cuda-path=/x --cuda-path=/y a.cu").CudaPath, "/y");
  EXPECT_TRUE(read("--cuda-path-ignore-env a.cu").IgnoresEnvironment);
  EXPECT_FALSE(read("-nocudainc a.cu").NeedsHeaders);
  EXPECT_FALSE(read("-nogpuinc a.cu").NeedsHeaders);
  EXPECT_TRUE(read("a.cu").NeedsHeaders);
}

TEST(CommandLine, DeviceCodeIsLinkedByTheLastThatSaysSo) {
  for (StringRef Yes :
       {"-fgpu-rdc", "-fcuda-rdc", "-fno-gpu-rdc -fgpu-rdc", "--offload-link",
        "-foffload-lto", "-foffload-lto=thin"})
    EXPECT_TRUE(read(Yes.str() + " a.o").Relocatable) << Yes.str();
  for (StringRef No : {"", "-fgpu-rdc -fno-gpu-rdc", "-fgpu-rdc -fno-cuda-rdc",
                       "-Xclang -fgpu-rdc"})
    EXPECT_FALSE(read(No.str() + " a.o").Relocatable) << No.str();
}

TEST(CommandLine, WhatOnlyShows) {
  for (StringRef Help : {"--help", "-help", "--help-hidden"})
    EXPECT_TRUE(read(Help.str()).Help) << Help.str();
  EXPECT_FALSE(read("-Xclang --help -mllvm --help-hidden a.cu").Help);
  EXPECT_TRUE(read("--version a.cu").Version);
  EXPECT_FALSE(read("--version -dumpmachine").Version);
  EXPECT_FALSE(read("-Xclang --version a.cu").Version);
  EXPECT_TRUE(read("-### a.cu").OnlyShows);
  EXPECT_FALSE(read("-o -### a.cu").OnlyShows);
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
  EXPECT_EQ(errorOf("-fblockmaestro --static a.cu"), Message);
  EXPECT_EQ(errorOf("-fblockmaestro -static-pie a.o"), Message);
  EXPECT_EQ(errorOf("-fblockmaestro -static -c a.cu"), "none");
  EXPECT_EQ(errorOf("-static a.cu"), "none");
  EXPECT_EQ(errorOf("-fblockmaestro -Xarch_host -static a.cu"), "none");
}

TEST(CommandLine, HelpListsEveryFlagOnce) {
  std::string Help = optionLines(flagGroup().Options);
  for (StringRef Flag : {"  -fblockmaestro  ", "  -fno-blockmaestro  ",
                         "  -fblockmaestro-dump=footprints"})
    EXPECT_EQ(StringRef(Help).count(Flag), 1u) << Flag.str();
}

} // namespace
