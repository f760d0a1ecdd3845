// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelFixture.h"

#include <vector>

using namespace blockmaestro;

namespace {

/// A kernel that cannot run, and what the refusal must say.
struct RefusedRow {
  const char *Kernel;
  const char *Words;
};

const RefusedRow RefusedRows[] = {
    {"external", "calls 'elsewhere', which no device module of the program "
                 "defines"},
};

class EmulatorRefusalTest : public KernelFixture {};

TEST_F(EmulatorRefusalTest, TheReasonNamesKernelAndConstruct) {
  for (const RefusedRow &Row : RefusedRows) {
    int *None = nullptr;
    Launch L = launch(Row.Kernel, {1}, {32}, None);
    Status S = Device->prepare(L);
    EXPECT_EQ(S.code(), StatusCode::Unsupported) << Row.Kernel;
    EXPECT_NE(S.message().find(std::string("kernel '") + Row.Kernel + "'"),
              std::string::npos)
        << S.message();
    EXPECT_NE(S.message().find(Row.Words), std::string::npos) << S.message();
    EXPECT_EQ(Device->run(L, 0, 0, nullptr).message(), S.message());
  }
}

TEST_F(EmulatorRefusalTest, AMissingKernelIsNotFound) {
  KernelRecord Record;
  Record.Symbol = "nowhere";
  Launch L;
  L.Kernel = &Record;
  EXPECT_EQ(Device->prepare(L).code(), StatusCode::NotFound);
}

TEST_F(EmulatorRefusalTest, ParametersThatDoNotMatchAreCorrupt) {
  int *Out = nullptr;
  Status S = Device->prepare(launch("addGuarded", {1}, {1}, Out, Out, Out));
  EXPECT_EQ(S.code(), StatusCode::Corrupt);
}

TEST_F(EmulatorRefusalTest, BitcodeThatCannotBeReadIsCorrupt) {
  Module.Bitcode.resize(Module.Bitcode.size() / 2);
  int *Out = nullptr;
  EXPECT_EQ(Device->prepare(launch("indices", {1}, {1}, Out)).code(),
            StatusCode::Corrupt);
}

TEST_F(EmulatorRefusalTest, TooFewArgumentBytesAreRefused) {
  int *Out = nullptr;
  Launch L = launch("indices", {1}, {1}, Out);
  L.Arguments.resize(4);
  EXPECT_EQ(Device->run(L, 0, 0, nullptr).code(), StatusCode::InvalidArgument);
}

TEST_F(EmulatorRefusalTest, AWorkerBeyondTheLastIsRefused) {
  int *Out = nullptr;
  Launch L = launch("indices", {1}, {1}, Out);
  EXPECT_EQ(Device->run(L, 0, Emulator::MaxWorkers, nullptr).code(),
            StatusCode::InvalidArgument);
}

TEST_F(EmulatorRefusalTest, ATrapEndsItsBlockAndIsReported) {
  std::vector<int> Out(4);
  Launch L = launch("traps", {1}, {4}, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  Status S = Device->run(L, 0, 0, nullptr);
  EXPECT_EQ(S.code(), StatusCode::Trap);
  EXPECT_EQ(S.message(),
            "kernel 'traps' hit a trap: block (0,0,0), thread (1,0,0)");
}

} // namespace
