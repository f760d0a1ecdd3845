// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeImages.h"
#include "FatBinary.h"
#include "LaunchShape.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

namespace {

/// Machine code with one variable that has content, as nvlink lays it out.
struct SmallImage {
  Elf64_Ehdr Header = {};
  Elf64_Shdr Sections[5] = {};
  Elf64_Sym Symbols[2] = {};
  KernelEnvironment Environment = {};
  char Names[40] = "\0work_kernel_environment";
  char Note[64] = "nvlink\0-arch sm_90a -o x";

  explicit SmallImage(uint32_t Number) {
    std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
    Header.e_ident[EI_CLASS] = ELFCLASS64;
    Header.e_ident[EI_ABIVERSION] = 8;
    Header.e_machine = 190;
    Header.e_flags = Number << 8;
    Header.e_shoff = offsetof(SmallImage, Sections);
    Header.e_shnum = 5;
    describe(1, SHT_SYMTAB, Symbols, sizeof(Symbols));
    Sections[1].sh_link = 2;
    describe(2, SHT_STRTAB, Names, sizeof(Names));
    describe(3, SHT_PROGBITS, &Environment, sizeof(Environment));
    describe(4, SHT_NOTE, Note, sizeof(Note));
    Symbols[1].st_name = 1;
    Symbols[1].st_shndx = 3;
    Symbols[1].st_size = sizeof(Environment);
    Environment.Mode = SpmdMode;
    Environment.MostThreads = 128;
  }
  void describe(int Section, uint32_t Type, const void *Begin, size_t Bytes) {
    Sections[Section].sh_type = Type;
    Sections[Section].sh_offset =
        static_cast<const char *>(Begin) - reinterpret_cast<const char *>(this);
    Sections[Section].sh_size = Bytes;
  }
  ImageBytes bytes() const {
    return {reinterpret_cast<const uint8_t *>(this), sizeof(*this)};
  }
};

TEST(MachineImageTest, KernelsAndArchitectureAreRead) {
  const SmallImage Image(90);
  const auto For = architectureOf(Image.bytes());
  ASSERT_TRUE(For);
  EXPECT_EQ(For->Number, 90u);
  EXPECT_EQ(For->Scope, 'a');
  const auto Of = environmentOf(Image.bytes(), "work");
  ASSERT_TRUE(Of);
  EXPECT_EQ(Of->Mode, SpmdMode);
  EXPECT_EQ(Of->MostThreads, 128);
  EXPECT_FALSE(environmentOf(Image.bytes(), "other"));
}

TEST(MachineImageTest, WhatIsCutOffIsNotRead) {
  const SmallImage Image(90);
  for (size_t Bytes = 0; Bytes < sizeof(Image); ++Bytes) {
    const std::vector<uint8_t> Cut(Image.bytes().begin(),
                                   Image.bytes().begin() + long(Bytes));
    (void)architectureOf(Cut);
    if (Bytes < offsetof(SmallImage, Environment))
      EXPECT_FALSE(environmentOf(Cut, "work")) << Bytes;
  }
}

TEST(FatBinaryTest, ImagesAreThoseThatTheRegistryReads) {
  const SmallImage Newer(90);
  SmallImage Older(80);
  Older.Note[0] = 0;
  const char Other[] = "no machine code";
  FatBinary Made({Newer.bytes(),
                  Older.bytes(),
                  {reinterpret_cast<const uint8_t *>(Other), sizeof(Other)}});
  EXPECT_FALSE(Made.empty());
  const auto Images = blockmaestro::imagesOf(Made.wrapper());
  ASSERT_TRUE(Images);
  const std::vector<CodeImage> Expected = {
      {CodeImage::Form::Machine, {90, Architecture::Scope::Alone}},
      {CodeImage::Form::Machine, {80, Architecture::Scope::Any}}};
  EXPECT_EQ(*Images, Expected);
  const auto Code = machineCodeOf(Made.wrapper(), CodeTarget{80});
  ASSERT_EQ(Code.size(), 1u);
  EXPECT_EQ(std::memcmp(Code[0].data(), &Older, sizeof(Older)), 0);
}

TEST(FatBinaryTest, NoImageIsAnEmptyContainer) {
  FatBinary Made({});
  EXPECT_TRUE(Made.empty());
  const auto Images = blockmaestro::imagesOf(Made.wrapper());
  ASSERT_TRUE(Images);
  EXPECT_TRUE(Images->empty());
}

KernelEnvironment kernel(KernelMode Mode) {
  KernelEnvironment Out = {};
  Out.Mode = Mode;
  return Out;
}

struct ShapeRow {
  const char *What;
  RegionRequest Asked;
  KernelEnvironment Of;
  uint32_t Teams;
  uint32_t Threads;
};

TEST(LaunchShapeTest, ClausesAndLimitsDecide) {
  KernelEnvironment Narrow = kernel(SpmdMode);
  Narrow.MostThreads = 64;
  Narrow.MostTeams = 10;
  KernelEnvironment Reduces = kernel(SpmdMode);
  Reduces.ReductionBytes = 8;
  Reduces.ReductionLength = 1024;
  const ShapeRow Rows[] = {
      {"no teams", {-1, 0, 0}, kernel(GenericMode), 1, 128},
      {"target parallel", {1, 0, 0}, kernel(SpmdMode), 1, 128},
      {"thread_limit", {1, 32, 0}, kernel(SpmdMode), 1, 32},
      {"num_threads known to clang", {1, 0, 0}, Narrow, 1, 64},
      {"num_teams", {7, 256, 1000}, kernel(SpmdMode), 7, 256},
      {"any teams", {0, 0, 0}, kernel(GenericMode), 100, 128},
      {"a loop", {0, 0, 1000}, kernel(SpmdMode), 8, 128},
      {"a loop of loops", {0, 0, 1000}, kernel(GenericMode), 1000, 128},
      {"limits", {0, 0, 100000}, Narrow, 10, 64},
      {"a reduction", {0, 0, 1 << 20}, Reduces, 1024, 128},
      {"a long loop",
       {0, 0, uint64_t(1) << 60},
       kernel(SpmdMode),
       0x7fffffff,
       128},
  };
  for (const ShapeRow &Row : Rows) {
    const LaunchShape Shape = shapeOf(Row.Asked, Row.Of, 100, 0);
    EXPECT_EQ(Shape.Teams, Row.Teams) << Row.What;
    EXPECT_EQ(Shape.Threads, Row.Threads) << Row.What;
  }
  EXPECT_EQ(shapeOf({0, 0, 1000}, kernel(SpmdMode), 100, 3).Teams, 3u);
}

} // namespace
