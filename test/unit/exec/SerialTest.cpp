// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Serial.h"
#include "FakeDevice.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace blockmaestro;

namespace {

TEST(SerialTest, LaunchesRunInOrderWhateverTheyNeed) {
  FakeRunner Runner;
  auto Exec = makeSerial(Runner, nullptr, 1);
  for (uint64_t Id = 0; Id < 3; ++Id)
    ASSERT_TRUE(Exec->submit(makeTask(Id, {2, 2})).ok());
  std::vector<Ran> Expected;
  for (uint64_t Id = 0; Id < 3; ++Id)
    for (uint64_t B = 0; B < 4; ++B)
      Expected.push_back({Id, B});
  EXPECT_EQ(Runner.Order, Expected);
  EXPECT_EQ(Runner.Prepared, (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_TRUE(Exec->drain().ok());
}

TEST(SerialTest, SeveralWorkersRunEveryBlockOnceAndKeepLaunchesApart) {
  FakeRunner Runner;
  auto Exec = makeSerial(Runner, nullptr, 4);
  for (uint64_t Id = 0; Id < 20; ++Id)
    ASSERT_TRUE(Exec->submit(makeTask(Id, {50})).ok());
  ASSERT_EQ(Runner.Order.size(), 20u * 50);
  EXPECT_TRUE(std::is_sorted(
      Runner.Order.begin(), Runner.Order.end(),
      [](const Ran &A, const Ran &B) { return A.first < B.first; }));
  EXPECT_EQ(std::set<Ran>(Runner.Order.begin(), Runner.Order.end()).size(),
            20u * 50);
  EXPECT_LT(*std::max_element(Runner.Workers.begin(), Runner.Workers.end()),
            4u);
}

TEST(SerialTest, EventsCarryTimesWorkersAndCosts) {
  FakeRunner Runner;
  FakeSink Sink;
  auto Exec = makeSerial(Runner, &Sink, 2);
  ASSERT_TRUE(Exec->submit(makeTask(0, {3})).ok());
  ASSERT_TRUE(Exec->submit(makeTask(1, {3})).ok());
  ASSERT_EQ(Sink.Events.size(), 6u);
  for (size_t I = 0; I < 6; ++I) {
    const Event &E = Sink.Events[I];
    EXPECT_LE(E.Start, E.End);
    EXPECT_LT(E.Where, 2u);
    EXPECT_EQ(Sink.Costs[I], 100 * E.Launch + E.Block);
    if (I >= 3) {
      EXPECT_EQ(E.Launch, 1u);
      EXPECT_GE(E.Start, Sink.Events[0].End);
    }
  }
}

TEST(SerialTest, TheFirstFailureStays) {
  FakeRunner Runner;
  FakeSink Sink;
  Runner.FailAt = {1, 2};
  auto Exec = makeSerial(Runner, &Sink, 1);
  EXPECT_TRUE(Exec->submit(makeTask(0, {4})).ok());
  EXPECT_EQ(Exec->submit(makeTask(1, {4})).message(), "block failed");
  EXPECT_EQ(Exec->submit(makeTask(2, {4})).message(), "block failed");
  EXPECT_EQ(Exec->drain().message(), "block failed");
  EXPECT_EQ(Runner.Order.back(), Ran(1, 2));
  EXPECT_EQ(Sink.Events.size(), 4u + 2);
}

TEST(SerialTest, ARefusedKernelRunsNoBlock) {
  FakeRunner Runner;
  Runner.Refuse = Status(StatusCode::Unsupported, "no");
  auto Exec = makeSerial(Runner, nullptr, 2);
  EXPECT_EQ(Exec->submit(makeTask(0, {4})).code(), StatusCode::Unsupported);
  EXPECT_TRUE(Runner.Order.empty());
}

} // namespace
