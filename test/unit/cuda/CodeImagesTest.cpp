// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which code of a fat binary a device runs: the driver's rules as a table.

#include "CodeImages.h"

#include "FatBinaries.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace blockmaestro;

namespace {

/// "sm_90a" is machine code, "ptx_90a" PTX.
CodeImage image(std::string Name) {
  CodeImage Out;
  if (Name.rfind("ptx_", 0) == 0) {
    Out.Kind = CodeImage::Form::Ptx;
    Name = "sm_" + Name.substr(4);
  }
  Out.For = parseArchitecture(Name).value();
  return Out;
}

std::vector<CodeImage> images(const std::string &Names) {
  std::vector<CodeImage> Out;
  std::istringstream Text(Names);
  for (std::string Name; Text >> Name;)
    Out.push_back(image(Name));
  return Out;
}

std::string text(const std::vector<CodeImage> &Images) {
  std::string Out;
  for (const CodeImage &Each : Images)
    Out += (Out.empty() ? "" : " ") + (Each.Kind == CodeImage::Form::Ptx
                                           ? "ptx" + toText(Each.For).substr(2)
                                           : toText(Each.For));
  return Out;
}

struct Choice {
  unsigned Capability;
  const char *Images;
  const char *Chosen;
};

class GpuChoice : public testing::TestWithParam<Choice> {};

TEST_P(GpuChoice, IsTheDrivers) {
  const Choice &One = GetParam();
  EXPECT_EQ(text(chooseImages({One.Capability}, images(One.Images))),
            One.Chosen)
      << One.Images << " on " << One.Capability;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, GpuChoice,
    testing::Values(
        // Machine code of the same generation, not newer than the device.
        Choice{90, "sm_80 sm_90", "sm_90"}, Choice{90, "sm_80", ""},
        Choice{89, "sm_80 sm_86 sm_90", "sm_86"}, Choice{86, "sm_89", ""},
        Choice{80, "sm_80 sm_86", "sm_80"}, Choice{103, "sm_100", "sm_100"},
        // It is preferred to newer PTX.
        Choice{86, "sm_80 ptx_86", "sm_80"},
        Choice{86, "ptx_80 sm_80", "sm_80"},
        // Else the newest PTX that is not newer.
        Choice{100, "sm_80 sm_90 ptx_80 ptx_90", "ptx_90"},
        Choice{90, "sm_80 ptx_70 ptx_75", "ptx_75"}, Choice{90, "ptx_100", ""},
        Choice{120, "sm_90 ptx_90 ptx_100", "ptx_100"},
        // Code for one architecture runs there and is translated there only.
        Choice{90, "sm_80 sm_90a", "sm_90a"},
        Choice{100, "sm_90a ptx_90a sm_80 ptx_80", "ptx_80"},
        Choice{90, "ptx_80 ptx_90a", "ptx_90a"}, Choice{103, "sm_100a", ""},
        Choice{100, "ptx_90a", ""},
        // Code for a family runs on newer devices of the same generation.
        Choice{103, "sm_100f", "sm_100f"}, Choice{100, "sm_103f", ""},
        Choice{103, "ptx_100f ptx_90", "ptx_100f"},
        Choice{120, "sm_100f ptx_100f ptx_80", "ptx_80"},
        // Devices in a processor run machine code for themselves alone.
        Choice{87, "sm_86 ptx_80", "ptx_80"},
        Choice{87, "sm_86 sm_87", "sm_87"}, Choice{87, "sm_86", ""},
        // It is not documented which of these the driver prefers.
        Choice{90, "sm_90 sm_90a", "sm_90a sm_90"},
        Choice{100, "sm_100 sm_100f sm_100a", "sm_100a sm_100f sm_100"},
        Choice{90, "ptx_90 ptx_90a", "ptx_90a ptx_90"},
        // Twice the same is once.
        Choice{90, "sm_90 sm_90", "sm_90"}, Choice{90, "", ""}));

TEST(CodeImages, TheDriverCanBeToldToTranslateOrNotTo) {
  CodeTarget Forced{90};
  Forced.OnlyPtx = true;
  EXPECT_EQ(text(chooseImages(Forced, images("sm_90 ptx_80"))), "ptx_80");
  EXPECT_EQ(text(chooseImages(Forced, images("sm_90"))), "");
  CodeTarget Never{90};
  Never.NoPtx = true;
  EXPECT_EQ(text(chooseImages(Never, images("sm_80 ptx_80"))), "");
  EXPECT_EQ(text(chooseImages(Never, images("sm_90 ptx_80"))), "sm_90");
}

TEST(CodeImages, TheDriversVariablesAreRead) {
  auto Only = [](const char *Name) {
    return std::string(Name) == "CUDA_FORCE_PTX_JIT" ? "1" : nullptr;
  };
  EXPECT_TRUE(gpuTarget(90, Only).OnlyPtx);
  EXPECT_FALSE(gpuTarget(90, Only).NoPtx);
  auto Off = [](const char *Name) {
    return std::string(Name) == "CUDA_FORCE_PTX_JIT" ? "0" : nullptr;
  };
  EXPECT_FALSE(gpuTarget(90, Off).OnlyPtx);
}

TEST(CodeImages, TheEmulatedDeviceRunsAnyCodeWhereThereIsNoneOfItsOwn) {
  CodeTarget Emulated{90};
  Emulated.RunsAny = true;
  EXPECT_EQ(text(chooseImages(Emulated, images("sm_120 sm_100 sm_100a"))),
            "sm_100a");
  EXPECT_EQ(text(chooseImages(Emulated, images("sm_120 sm_90"))), "sm_90");
  EXPECT_EQ(text(chooseImages(Emulated, images("sm_75 sm_80 sm_100"))),
            "sm_80");
  EXPECT_EQ(text(chooseImages(Emulated, images("sm_90 sm_90a"))), "sm_90a");
  EXPECT_EQ(text(chooseImages(Emulated, {})), "");
}

TEST(CodeImages, NamesOfArchitectures) {
  EXPECT_EQ(toText(*parseArchitecture("sm_90a")), "sm_90a");
  EXPECT_EQ(toText(*parseArchitecture("sm_120f")), "sm_120f");
  EXPECT_EQ(parseArchitecture("sm_75")->Number, 75u);
  for (const char *None : {"", "sm_", "90", "sm_90x", "sm_90aa", "compute_90"})
    EXPECT_FALSE(parseArchitecture(None)) << None;
}

TEST(CodeImages, AFatBinaryNamesItsImages) {
  const std::string All = "sm_80 sm_90 sm_90a sm_100f ptx_80 ptx_90a ptx_100f";
  FatBinary Made(images(All));
  EXPECT_EQ(text(imagesOf(Made.registered()).value()), All);
  FatBinary Empty({});
  EXPECT_EQ(text(imagesOf(Empty.registered()).value()), "");
}

TEST(CodeImages, OtherFormsOfFatBinariesAreNotGuessedAt) {
  uint64_t Words[3] = {};
  EXPECT_FALSE(imagesOf(nullptr));
  EXPECT_FALSE(imagesOf(Words));
  FatBinary OtherContainer(images("sm_90"));
  OtherContainer.Bytes[0] ^= 1;
  EXPECT_FALSE(imagesOf(OtherContainer.registered()));
  FatBinary LongEntry(images("sm_90"));
  LongEntry.Bytes[16 + 8] = 0xff;
  EXPECT_FALSE(imagesOf(LongEntry.registered()));
  FatBinary ShortHeader(images("sm_90"));
  ShortHeader.Bytes[16 + 4] = 8;
  EXPECT_FALSE(imagesOf(ShortHeader.registered()));
}

} // namespace
