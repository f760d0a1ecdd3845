// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches through the front end: what reaches the executor, in which order,
// and with which relations.

#include "FrontEnd.h"
#include "MetadataWriter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace blockmaestro;

namespace {

TEST_F(RuntimeTest, LaunchesCarryTheirRelations) {
  begin();
  launch(0, 1);
  launch(1, 2);
  launch(0, 1);
  EXPECT_EQ(Trace, (Lines{"launch 0", "launch 1 after 0", "launch 2 after 1"}));
  EXPECT_EQ(Front->drain("end"), cudaSuccess);
  EXPECT_EQ(Memory[2], std::vector<int>(Elements, 2));
}

TEST_F(RuntimeTest, NoRelationReachesOverADrainOrFence) {
  begin();
  launch(0, 1);
  Front->drain("cudaMemcpy");
  launch(1, 2);
  Front->fence("cudaMemcpyAsync");
  launch(1, 2);
  EXPECT_EQ(Trace,
            (Lines{"launch 0", "drain", "launch 1", "fence", "launch 2"}));
}

TEST_F(RuntimeTest, AnotherStreamComesBehindAFence) {
  begin();
  launch(0, 1);
  launch(1, 2, cudaStreamPerThread);
  EXPECT_EQ(Trace, (Lines{"launch 0", "fence", "launch 1"}));
}

TEST_F(RuntimeTest, ALaunchNoExecutorTakesIsPlainBehindAFence) {
  begin();
  launch(0, 1);
  Machine.Accepts = Status(StatusCode::Unsupported, "too odd");
  EXPECT_EQ(launch(1, 2), cudaErrorInvalidDeviceFunction);
  Machine.Accepts = Status();
  launch(1, 2);
  EXPECT_EQ(Trace, (Lines{"launch 0", "fence", "plain launch", "launch 1"}));
  EXPECT_NE(Reasons.text().find("too odd"), std::string::npos);
}

TEST_F(RuntimeTest, ALaunchWithAttributesIsPlainBehindAFence) {
  begin();
  launch(0, 1);
  const cudaLaunchConfig_t Config = {};
  EXPECT_EQ(Front->launchPlain(&Config, nullptr, nullptr),
            cudaErrorInvalidDeviceFunction);
  launch(1, 2);
  EXPECT_EQ(Trace,
            (Lines{"launch 0", "fence", "launch with attributes", "launch 1"}));
}

/// A launch that nobody looks at goes to the device at once; one that is to be
/// explained does not.
TEST_F(RuntimeTest, APlainExecutorIsNotAsked) {
  Machine.Plain = true;
  begin();
  EXPECT_EQ(launch(0, 1), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(Trace, Lines{"plain launch"});
  Asked.Explain = true;
  begin();
  launch(0, 1);
  EXPECT_EQ(Trace, Lines{"launch 0"});
}

TEST_F(RuntimeTest, AFailureStaysUntilReset) {
  begin();
  Machine.Runner.Fail = true;
  EXPECT_EQ(launch(0, 1), cudaSuccess);
  EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaErrorLaunchFailure);
  Machine.Runner.Fail = false;
  EXPECT_EQ(launch(0, 1), cudaErrorLaunchFailure);
  EXPECT_EQ(Front->fence("cudaMemcpyAsync"), cudaErrorLaunchFailure);
  EXPECT_EQ(Front->reset("cudaDeviceReset"), cudaSuccess);
  EXPECT_EQ(launch(0, 1), cudaSuccess);
  EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaSuccess);
}

TEST_F(RuntimeTest, MemoryThatIsNotKnownIsRelatedToEverything) {
  begin();
  launch(0, 1);
  Front->releasing("cudaFree", Memory[2].data());
  launch(0, 1);
  launch(2, 2);
  EXPECT_EQ(Trace, (Lines{"launch 0", "cudaFree", "finish 1",
                          "launch 1 after 0", "launch 2 after 1 after 2"}));
}

TEST_F(RuntimeTest, MemoryThatRetiresIsFencedAndForgotten) {
  begin();
  launch(0, 1);
  EXPECT_EQ(Front->retiring("cudaFreeAsync", Memory[2].data()), cudaSuccess);
  EXPECT_EQ(Memory[1], std::vector<int>(Elements, 1));
  launch(0, 1);
  launch(2, 2);
  EXPECT_EQ(Trace,
            (Lines{"launch 0", "fence", "launch 1", "launch 2 after 1"}));
}

TEST_F(RuntimeTest, AfterTheEndLaunchesFail) {
  begin();
  launch(0, 1);
  EXPECT_TRUE(Front->finish().ok());
  EXPECT_EQ(Memory[1], std::vector<int>(Elements, 1));
  EXPECT_EQ(launch(0, 1), cudaErrorCudartUnloading);
  EXPECT_EQ(Front->drain("cudaFree"), cudaSuccess);
}

/// A chain of six launches under many orders: right with its relations, and
/// wrong under at least one order when they are lost on the way.
TEST_F(RuntimeTest, LostRelationsShow) {
  int Wrong[2] = {0, 0};
  for (bool Forgets : {false, true})
    for (uint64_t Seed = 1; Seed <= 20; ++Seed) {
      Machine.Forgets = Forgets;
      begin(Seed);
      for (unsigned I = 0; I < 6; ++I)
        launch(I % 3, (I + 1) % 3);
      ASSERT_EQ(Front->drain("end"), cudaSuccess);
      Wrong[Forgets] += Memory[0] != std::vector<int>(Elements, 6);
    }
  EXPECT_EQ(Wrong[false], 0);
  EXPECT_GT(Wrong[true], 0);
}

TEST(Registry, UnreadableRecordsAreProblems) {
  Registry Registered;
  const uint8_t Junk[16] = {1, 2, 3};
  Registered.addRecords(Junk, sizeof(Junk));
  EXPECT_EQ(Registered.problems().size(), 1u);
  EXPECT_EQ(Registered.find(nullptr, "step"), nullptr);
}

/// What one object carries: its source's kernel for each architecture.
static void addObject(Registry &To, const std::string &Kernel,
                      std::initializer_list<const char *> Architectures) {
  std::vector<uint8_t> Bytes;
  for (const char *Each : Architectures) {
    ModuleRecord Record;
    Record.Source = "app.cu";
    Record.Architecture = Each;
    Record.Kernels = {stepKernel()};
    Record.Kernels[0].Symbol = Kernel;
    Record.Kernels[0].Name = Each;
    std::vector<uint8_t> One = serialize(Record);
    Bytes.insert(Bytes.end(), One.begin(), One.end());
  }
  To.addRecords(Bytes.data(), Bytes.size());
}

static std::vector<std::string> handedOut(Registry &From, unsigned Newest) {
  std::vector<std::string> Out;
  From.takeNew(
      Newest, [&](const ModuleRecord &R) { Out.push_back(R.Architecture); },
      [](const RegisteredModule &) {});
  return Out;
}

TEST(Registry, TakesTheNewestArchitectureThatRuns) {
  for (auto [Newest, Expected] :
       {std::pair{90u, "sm_90a"}, std::pair{89u, "sm_80"},
        std::pair{200u, "sm_100"}}) {
    Registry Registered;
    addObject(Registered, "step", {"sm_100", "sm_80", "sm_90a"});
    EXPECT_EQ(Registered.find(nullptr, "step"), nullptr);
    EXPECT_EQ(handedOut(Registered, Newest), Lines{Expected});
    ASSERT_NE(Registered.find(nullptr, "step"), nullptr);
    EXPECT_EQ(Registered.find(nullptr, "step")->Record->Name, Expected);
  }
  Registry Registered;
  addObject(Registered, "step", {"sm_100"});
  EXPECT_EQ(handedOut(Registered, 90), Lines{});
  EXPECT_EQ(Registered.find(nullptr, "step"), nullptr);
}

/// One source compiled twice, with other definitions, into two objects.
TEST(Registry, TwoObjectsMayHaveTheirOwnKernelOfAName) {
  Registry Registered;
  addObject(Registered, "_ZL4stepPi", {"sm_90"});
  addObject(Registered, "_ZL4stepPi", {"sm_90"});
  addObject(Registered, "_Z6sharedPi", {"sm_90"});
  addObject(Registered, "_Z6sharedPi", {"sm_90"});
  EXPECT_EQ(handedOut(Registered, 90).size(), 4u);
  EXPECT_EQ(Registered.find(nullptr, "_ZL4stepPi"), nullptr);
  EXPECT_NE(Registered.find(nullptr, "_Z6sharedPi"), nullptr);
}

/// Each object's launches and stubs mean its own kernel of the name.
TEST(Registry, AnObjectIsKnownByItsRecordsAndItsFatBinary) {
  Registry Registered;
  int FatBinaries[3] = {}, Stubs[3] = {};
  std::vector<uint8_t> Bytes[2];
  for (int I : {0, 1}) {
    ModuleRecord Record;
    Record.Architecture = "sm_90";
    Record.Kernels = {stepKernel()};
    Record.Kernels[0].Symbol = "set";
    Record.Kernels[0].Name = I ? "second" : "first";
    Bytes[I] = serialize(Record);
    Registered.addRecordsOfNext(Bytes[I].data(), Bytes[I].size());
    RegisteredModule *Module = Registered.beginModule(&FatBinaries[I]);
    Registered.addFunction(Module, {&Stubs[I], "set", -1});
    Registered.endModule(Module);
  }
  RegisteredModule *Foreign = Registered.beginModule(&FatBinaries[2]);
  Registered.addFunction(Foreign, {&Stubs[2], "other", -1});
  Registered.endModule(Foreign);
  Lines Modules;
  Registered.takeNew(
      90, [](const ModuleRecord &) {},
      [&](const RegisteredModule &Each) {
        Modules.push_back(Each.Record ? Each.Record->Kernels[0].Name : "none");
        EXPECT_EQ(Each.Functions[0].Record,
                  Each.Record ? &Each.Record->Kernels[0] : nullptr);
      });
  EXPECT_EQ(Modules, (Lines{"first", "second", "none"}));
  for (int I : {0, 1}) {
    const char *Name = I ? "second" : "first";
    EXPECT_EQ(Registered.find(Bytes[I].data(), "set")->Record->Name, Name);
    EXPECT_EQ(Registered.byStub(&Stubs[I])->Record->Name, Name);
    EXPECT_EQ(Registered.nameOf(&Stubs[I]), Name);
  }
  EXPECT_EQ(Registered.byStub(&Stubs[2]), nullptr);
}

TEST(Registry, HandsOutWholeModulesOnce) {
  Registry Registered;
  int FatBinary = 0, Stub = 0, Mangled = 0, Handed = 0;
  RegisteredModule *Module = Registered.beginModule(&FatBinary);
  Registered.addFunction(Module, {&Stub, "step", -1});
  Registered.addFunction(Module, {&Mangled, "_Z4stepPKfi", -1});
  auto OnRecord = [](const ModuleRecord &) {};
  auto OnModule = [&](const RegisteredModule &Each) {
    Handed += static_cast<int>(Each.Functions.size());
  };
  Registered.takeNew(90, OnRecord, OnModule);
  EXPECT_EQ(Handed, 0);
  Registered.endModule(Module);
  Registered.takeNew(90, OnRecord, OnModule);
  Registered.takeNew(90, OnRecord, OnModule);
  EXPECT_EQ(Handed, 2);
  EXPECT_EQ(Registered.nameOf(&Stub), "step");
  EXPECT_EQ(Registered.nameOf(&Mangled), "step(float const*, int)");
  EXPECT_EQ(Registered.byStub(&Stub), nullptr);
}

} // namespace
