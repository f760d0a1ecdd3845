// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which record is that of the code that was linked.

#include "LinkedCode.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace blockmaestro;

namespace {

KernelRecord kernel(const std::string &Symbol, uint64_t Code,
                    bool Replaceable = false) {
  KernelRecord Out;
  Out.Symbol = Symbol;
  Out.Code = Code;
  Out.Replaceable = Replaceable;
  return Out;
}

ModuleRecord module(const std::string &Source,
                    std::vector<KernelRecord> Kernels) {
  ModuleRecord Out;
  Out.Source = Source;
  Out.Architecture = "sm_90";
  Out.Kernels = std::move(Kernels);
  return Out;
}

TEST(LinkedCode, AStrongKernelIsTakenBeforeWeakOnes) {
  const ModuleRecord Weak = module("weak.cu", {kernel("k", 1, true)}),
                     Other = module("other.cu", {kernel("k", 2, true)}),
                     Strong = module("strong.cu", {kernel("k", 3)});
  for (const std::vector<const ModuleRecord *> &Order :
       {std::vector{&Weak, &Other, &Strong},
        {&Strong, &Weak, &Other},
        {&Weak, &Strong, &Other}}) {
    const FoundKernel Found = LinkedCode(Order).find("k");
    EXPECT_EQ(Found.Module, &Strong);
    EXPECT_EQ(Found.Record, Strong.Kernels.data());
    EXPECT_EQ(Found.Doubt, "");
  }
  EXPECT_EQ(LinkedCode({&Other, &Weak}).find("k").Module, &Other);
  EXPECT_EQ(LinkedCode({&Other, &Weak}).find("l").Record, nullptr);
}

TEST(LinkedCode, ATemplateIsAsPromisedTheSameInEveryFile) {
  const ModuleRecord A = module("a.cu", {kernel("k", 1), kernel("l", 4)}),
                     B = module("b.cu", {kernel("k", 1)}),
                     C = module("c.cu", {kernel("k", 2)}),
                     D = module("d.cu", {kernel("k", 0)}),
                     E = module("e.cu", {kernel("k", 0)});
  EXPECT_EQ(LinkedCode({&A, &B}).find("k").Doubt, "");
  EXPECT_EQ(LinkedCode({&A, &B, &C}).find("k").Doubt,
            "a.cu and c.cu, linked together, have different k");
  EXPECT_EQ(LinkedCode({&A, &C}).find("l").Doubt, "");
  EXPECT_NE(LinkedCode({&D, &E}).find("k").Doubt, "");
  EXPECT_EQ(LinkedCode({&D}).find("k").Doubt, "");
}

TEST(LinkedCode, ABrokenPromiseIsADoubtOfAllWhoRelyOnIt) {
  ModuleRecord A = module("a.cu", {kernel("k", 1)}),
               B = module("b.cu", {kernel("l", 2)}),
               C = module("c.cu", {kernel("m", 3)});
  A.Shared = {{"_Z5placei", 7}, {"_Z4nexti", 8}};
  B.Shared = {{"_Z4nexti", 8}, {"_Z5placei", 9}};
  C.Shared = {{"_Z4nexti", 8}};
  const LinkedCode All({&A, &B, &C});
  EXPECT_EQ(All.find("k").Doubt,
            "a.cu and b.cu, linked together, have different place(int)");
  EXPECT_EQ(All.find("l").Doubt, All.find("k").Doubt);
  EXPECT_EQ(All.find("m").Doubt, "");
  EXPECT_EQ(LinkedCode({&A, &C}).find("k").Doubt, "");
  C.Shared = {{"_Z5placei", 0}};
  EXPECT_EQ(LinkedCode({&C}).find("m").Doubt, "");
  EXPECT_NE(LinkedCode({&A, &C}).find("m").Doubt, "");
}

std::string chosen(const CodeTarget &Target,
                   const std::optional<std::vector<CodeImage>> &Images,
                   const std::vector<std::string> &Architectures) {
  std::vector<ModuleRecord> Records;
  for (const std::string &Each : Architectures) {
    Records.push_back(module("a.cu", {}));
    Records.back().Architecture = Each;
  }
  std::vector<const ModuleRecord *> All;
  for (const ModuleRecord &Each : Records)
    All.push_back(&Each);
  const ChosenRecords Out = chooseRecords(Target, Images, All);
  std::string Text = Out.Doubt;
  for (const ModuleRecord *Each : Out.Records)
    Text += "[" + Each->Architecture + "]";
  return Text;
}

TEST(LinkedCode, RecordsAreThoseOfTheImageThatRuns) {
  using Form = CodeImage::Form;
  const std::vector<CodeImage> Both = {
      {Form::Machine, *parseArchitecture("sm_80")},
      {Form::Machine, *parseArchitecture("sm_90a")},
      {Form::Ptx, *parseArchitecture("sm_80")},
      {Form::Ptx, *parseArchitecture("sm_90a")}};
  const std::vector<std::string> Records = {"sm_80", "sm_90a", ""};
  EXPECT_EQ(chosen({90}, Both, Records), "[sm_90a][]");
  EXPECT_EQ(chosen({86}, Both, Records), "[sm_80][]");
  EXPECT_EQ(chosen({100}, Both, Records), "[sm_80][]");
  EXPECT_EQ(chosen({75}, Both, Records),
            "its file was compiled for no architecture of this device");
  EXPECT_EQ(chosen({90}, Both, {"sm_80"}), "");
  EXPECT_EQ(chosen({90}, Both, {}), "");
}

TEST(LinkedCode, WhereItIsNotKnownWhichImageRunsThereIsNoRecord) {
  using Form = CodeImage::Form;
  const std::vector<CodeImage> Twins = {
      {Form::Machine, *parseArchitecture("sm_90")},
      {Form::Machine, *parseArchitecture("sm_90a")}};
  EXPECT_EQ(chosen({90}, Twins, {"sm_90", "sm_90a"}),
            "the driver may run its code for sm_90a or that for sm_90");
  EXPECT_EQ(chosen({90}, std::nullopt, {"sm_80", "sm_90"}),
            "its fat binary has a form that is not known");
  EXPECT_EQ(chosen({90}, std::nullopt, {"sm_90"}), "[sm_90]");
  EXPECT_EQ(chosen({90}, std::nullopt, {"sm_80"}), "[sm_80]");
  EXPECT_EQ(chosen({90}, std::nullopt, {"sm_100"}),
            "its file was compiled for no architecture of this device");
}

} // namespace
