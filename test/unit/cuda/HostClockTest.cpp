// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What counts as the host's time: what passes outside of calls.

#include "HostClock.h"

#include <gtest/gtest.h>

#include <thread>

using namespace blockmaestro;

namespace {

TEST(HostClock, CountsFromTheEndOfTheFirstCall) {
  TimeBetweenCalls Clock;
  EXPECT_EQ(Clock.ns(500), 0u);
  Clock.begin(1000);
  EXPECT_EQ(Clock.ns(1300), 0u);
  Clock.end(2000);
  EXPECT_EQ(Clock.ns(2007), 7u);
  Clock.begin(2010);
  EXPECT_EQ(Clock.ns(2500), 10u) << "inside of a call it stands";
  Clock.end(3000);
  EXPECT_EQ(Clock.ns(3001), 11u);
}

TEST(HostClock, CallsMadeInsideOfCallsAreOfThese) {
  TimeBetweenCalls Clock;
  Clock.begin(0);
  Clock.begin(10);
  Clock.end(20);
  EXPECT_EQ(Clock.ns(25), 0u);
  Clock.end(30);
  EXPECT_EQ(Clock.ns(31), 1u);
}

/// The first call opens the front end, which starts the clock.
TEST(HostClock, ACallThatStartsItEndsAsOthersDo) {
  TimeBetweenCalls Clock;
  Clock.end(100, /*WasBegun=*/false);
  EXPECT_EQ(Clock.ns(104), 4u);
  Clock.begin(104);
  Clock.end(110);
  EXPECT_EQ(Clock.ns(112), 6u);
}

TEST(HostClock, EachThreadHasItsOwn) {
  HostClock::start();
  {
    const HostClock::Call First;
  }
  const HostTime Mine = HostClock::now();
  HostTime Other;
  std::thread([&] { Other = HostClock::now(); }).join();
  EXPECT_NE(Other.Thread, Mine.Thread);
  EXPECT_EQ(Other.Ns, 0u) << "it has made no call";
  EXPECT_EQ(HostClock::now().Thread, Mine.Thread);
  EXPECT_GE(HostClock::now().Ns, Mine.Ns);
}

} // namespace
