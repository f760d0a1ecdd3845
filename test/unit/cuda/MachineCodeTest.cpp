// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is read of machine code, and that no bytes of it are trusted.

#include "MachineCode.h"

#include "FatBinaries.h"

#include <gtest/gtest.h>

using namespace blockmaestro;

namespace {

const CodeImage Sm90 = {CodeImage::Form::Machine,
                        {90, Architecture::Scope::Any}};
const CodeImage Sm80 = {CodeImage::Form::Machine,
                        {80, Architecture::Scope::Any}};
const CodeImage Ptx80 = {CodeImage::Form::Ptx, {80, Architecture::Scope::Any}};

TEST(MachineCode, SaysWhatRegistersItsKernelsTake) {
  const MachineCode Code({"first", "second"}, {16, 255});
  EXPECT_EQ(registersOf("first", Code.Bytes), 16u);
  EXPECT_EQ(registersOf("second", Code.Bytes), 255u);
  EXPECT_EQ(registersOf("third", Code.Bytes), 0u);
  EXPECT_EQ(registersOf("", Code.Bytes), 0u);
}

/// Compressed code looks like that.
TEST(MachineCode, WhatIsNoElfFileSaysNothing) {
  MachineCode Code({"first"}, {16});
  EXPECT_EQ(registersOf("first", {}), 0u);
  Code.Bytes[0] = 0xf0;
  EXPECT_EQ(registersOf("first", Code.Bytes), 0u);
}

TEST(MachineCode, CutOffItSaysNothing) {
  const MachineCode Code({"first", "second"}, {16, 255});
  for (size_t Cut = 0; Cut < Code.Bytes.size(); ++Cut) {
    const std::vector<uint8_t> Part(Code.Bytes.begin(),
                                    Code.Bytes.begin() + ptrdiff_t(Cut));
    EXPECT_EQ(registersOf("second", Part), 0u) << Cut;
  }
}

/// Whatever is damaged, nothing outside of the bytes is read.
TEST(MachineCode, DamagedItIsReadWithinItsBytes) {
  const MachineCode Code({"first", "second"}, {16, 255});
  for (size_t At = 0; At < Code.Bytes.size(); ++At)
    for (uint8_t Flip : {0x01, 0x80, 0xff}) {
      std::vector<uint8_t> Damaged = Code.Bytes;
      Damaged[At] ^= Flip;
      (void)registersOf("second", Damaged);
    }
}

TEST(MachineCode, IsThatOfTheFatBinaryWhichTheTargetRuns) {
  const MachineCode Code({"k"}, {40});
  FatBinary Both({Sm80, Sm90, Ptx80}, Code.Bytes);
  ASSERT_EQ(machineCodeOf(Both.registered(), {90}).size(), 1u);
  EXPECT_EQ(registersOf("k", machineCodeOf(Both.registered(), {90})[0]), 40u);
  EXPECT_TRUE(machineCodeOf(Both.registered(), {100}).empty())
      << "its PTX is translated";
  CodeTarget Any{100};
  Any.OnlyPtx = true;
  EXPECT_TRUE(machineCodeOf(Both.registered(), Any).empty());
  EXPECT_TRUE(machineCodeOf(nullptr, {90}).empty());
}

TEST(MachineCode, ThatMayBeOneOfTwoIsNone) {
  const CodeImage Sm90a = {CodeImage::Form::Machine,
                           {90, Architecture::Scope::Alone}};
  FatBinary Two({Sm90, Sm90a}, MachineCode({"k"}, {40}).Bytes);
  EXPECT_TRUE(machineCodeOf(Two.registered(), {90}).empty());
}

} // namespace
