// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emulated/engine/MachineFile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

using namespace blockmaestro;

namespace {

std::string complaint(std::string_view Text) {
  Result<EmulatedMachine> Read = parseMachine(Text);
  return Read.ok() ? "" : Read.status().message();
}

/// Puts the default machine back.
struct Machines : testing::Test {
  ~Machines() override { useMachine(EmulatedMachine()); }
};

} // namespace

TEST_F(Machines, AFileSaysWhatDiffersFromTheDefault) {
  Result<EmulatedMachine> Read = parseMachine(
      "{ \"name\": \"tiny\", \"sms\": 3,\n \"memory_bytes\": 2097152 }\n");
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  EXPECT_EQ(Read->Name, "tiny");
  EXPECT_EQ(Read->Sms, 3u);
  EXPECT_EQ(Read->MemoryBytes, 2097152u);
  EXPECT_EQ(Read->ThreadsPerSm, EmulatedMachine().ThreadsPerSm);
}

TEST_F(Machines, AnEmptyObjectIsTheDefault) {
  ASSERT_TRUE(parseMachine(" {} ").ok());
  EXPECT_EQ(parseMachine("{}")->Sms, 16u);
}

TEST_F(Machines, AWrongFileNamesTheKey) {
  EXPECT_EQ(complaint("[]"), "not a JSON object");
  EXPECT_EQ(complaint("{\"cores\": 3}"), "unknown key 'cores'");
  EXPECT_EQ(complaint("{\"sms\": 0}"), "'sms' must be a number from 1 to 4096");
  EXPECT_EQ(complaint("{\"sms\": 1.5}"),
            "'sms' must be a number from 1 to 4096");
  EXPECT_EQ(complaint("{\"sms\": \"many\"}"),
            "'sms' must be a number from 1 to 4096");
  EXPECT_EQ(complaint("{\"name\": 7}"),
            "'name' must be a text of 1 to 255 letters");
  EXPECT_EQ(complaint("{\"sms\": 2, \"sms\": 3}"), "'sms' is said twice");
  EXPECT_EQ(complaint("{\"sms\": 2"), "a comma or } must come after 'sms'");
  EXPECT_EQ(complaint("{\"sms\": 2,}"),
            "a key in quotes and a colon must come after 'sms'");
  EXPECT_EQ(complaint("{\"sms\": 2} x"), "something comes after the object");
}

TEST_F(Machines, EveryBrokenOffFileIsRefused) {
  std::string Whole = "{\"name\": \"a\", \"sms\": 2, \"clock_mhz\": 1000}";
  for (size_t Length = 0; Length < Whole.size(); ++Length)
    EXPECT_FALSE(parseMachine(Whole.substr(0, Length)).ok()) << Length;
}

TEST_F(Machines, KeysMustNotContradictEachOther) {
  EXPECT_EQ(complaint("{\"shared_bytes_per_block\": 1000000}"),
            "'shared_bytes_per_block' is more than "
            "'shared_bytes_per_block_optin'");
  EXPECT_EQ(complaint("{\"shared_bytes_per_sm\": 100000}"),
            "'shared_bytes_per_block_optin' and 'shared_bytes_reserved' are "
            "more than 'shared_bytes_per_sm'");
}

TEST_F(Machines, ThoseOfTheTreeCanBeReadByName) {
  std::string Folder = BM_SOURCE_DIR "/machines/devices";
  size_t Files = 0;
  for (const auto &Each : std::filesystem::directory_iterator(Folder)) {
    Result<EmulatedMachine> Read =
        readMachine(Each.path().stem().string(), Folder);
    EXPECT_TRUE(Read.ok()) << Read.status().message();
    ++Files;
  }
  EXPECT_GE(Files, 3u);
  Result<EmulatedMachine> None = readMachine("nowhere", Folder);
  ASSERT_FALSE(None.ok());
  EXPECT_EQ(None.status().message(),
            "no machine 'nowhere': cannot read " + Folder + "/nowhere.json");
}

TEST_F(Machines, PropertiesAndAttributesAgree) {
  Result<EmulatedMachine> Read = parseMachine(
      "{\"sms\": 5, \"compute_capability_major\": 8, \"clock_mhz\": 1234}");
  ASSERT_TRUE(Read.ok());
  useMachine(*Read);
  const cudaDeviceProp &P = emulatedProperties();
  auto Ask = [](cudaDeviceAttr Which) {
    int Value = -7;
    EXPECT_TRUE(emulatedAttribute(Which, Value));
    return Value;
  };
  EXPECT_EQ(P.multiProcessorCount, 5);
  EXPECT_EQ(Ask(cudaDevAttrMultiProcessorCount), 5);
  EXPECT_EQ(Ask(cudaDevAttrComputeCapabilityMajor), 8);
  EXPECT_EQ(Ask(cudaDevAttrClockRate), 1234000);
  EXPECT_EQ(Ask(cudaDevAttrMaxThreadsPerBlock), P.maxThreadsPerBlock);
  EXPECT_EQ(Ask(cudaDevAttrMaxSharedMemoryPerBlockOptin),
            static_cast<int>(P.sharedMemPerBlockOptin));
}

TEST_F(Machines, EveryDocumentedAttributeIsKnown) {
  int Known = 0;
  for (int Which = 1; Which < 150; ++Which) {
    int Value = 0;
    Known += emulatedAttribute(static_cast<cudaDeviceAttr>(Which), Value);
  }
  EXPECT_EQ(Known, 124);
  int Value = 0;
  EXPECT_FALSE(emulatedAttribute(static_cast<cudaDeviceAttr>(0), Value));
}

TEST_F(Machines, OccupancyIsTheLeastOfFourLimits) {
  EXPECT_EQ(emulatedOccupancy(1024, 0), 2);
  EXPECT_EQ(emulatedOccupancy(256, 0), 8);
  EXPECT_EQ(emulatedOccupancy(1, 0), 32);
  EXPECT_EQ(emulatedOccupancy(33, 0), 32);
  EXPECT_EQ(emulatedOccupancy(65, 0), 21);
  EXPECT_EQ(emulatedOccupancy(32, 227 << 10), 1);
  EXPECT_EQ(emulatedOccupancy(32, 100 << 10), 2);
  EXPECT_EQ(emulatedOccupancy(1025, 0), 0);
}

TEST_F(Machines, SharedMemoryIsWhatTheOtherBlocksLeave) {
  for (int Blocks = 1; Blocks <= 32; ++Blocks) {
    size_t Each = emulatedSharedPerBlock(Blocks);
    EXPECT_GE(emulatedOccupancy(32, Each), Blocks);
    if (Blocks > 1)
      EXPECT_LT(emulatedOccupancy(32, Each + 128), Blocks);
  }
  EXPECT_EQ(emulatedSharedPerBlock(1), size_t(227) << 10);
}

TEST_F(Machines, ALaunchMustFitTheLimits) {
  EXPECT_TRUE(emulatedShapeFits(dim3(2147483647, 65535, 65535), dim3(1024)));
  EXPECT_FALSE(emulatedShapeFits(dim3(0), dim3(1)));
  EXPECT_FALSE(emulatedShapeFits(dim3(1, 65536), dim3(1)));
  EXPECT_FALSE(emulatedShapeFits(dim3(1), dim3(1, 1, 65)));
  EXPECT_FALSE(emulatedShapeFits(dim3(1), dim3(32, 33)));
}
