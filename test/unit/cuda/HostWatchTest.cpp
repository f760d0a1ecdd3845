// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When what is held back is released.

#include "HostWatch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace blockmaestro {
namespace {

using Clock = std::chrono::steady_clock;

struct HostWatchTest : testing::Test {
  /// A call of the program that holds something back, or nothing.
  void call(std::optional<uint64_t> Number) {
    std::lock_guard<std::mutex> Guard(Lock);
    Held = Number;
    if (Number)
      Watch.notify();
  }
  bool released() {
    std::lock_guard<std::mutex> Guard(Lock);
    return !Held;
  }
  void waitForRelease() {
    while (!released())
      std::this_thread::yield();
  }

  std::mutex Lock;
  std::optional<uint64_t> Held;
  unsigned Releases = 0;
  HostWatch Watch{Lock, [this] { return Held.has_value(); },
                  [this] {
                    Held.reset();
                    ++Releases;
                  }};
};

TEST_F(HostWatchTest, ReleasesWhenNoCallComes) {
  const auto Begin = Clock::now();
  call(1);
  waitForRelease();
  EXPECT_GE(Clock::now() - Begin, HostWatch::FirstPatience);
  call(2);
  waitForRelease();
  call(3);
  waitForRelease();
  EXPECT_EQ(Releases, 3u);
}

/// Where the system lets this thread run often enough.
TEST_F(HostWatchTest, CallsBeginThePatienceAnew) {
  const auto Begin = Clock::now();
  auto Last = Begin;
  Clock::duration Longest{0};
  for (uint64_t Number = 1; Last - Begin < 2 * HostWatch::FirstPatience;
       ++Number) {
    call(Number);
    std::this_thread::sleep_for(HostWatch::FirstPatience / 20);
    const auto Now = Clock::now();
    Longest = std::max(Longest, Now - Last);
    Last = Now;
  }
  call(std::nullopt);
  Watch.stop();
  EXPECT_TRUE(Releases == 0 || Longest > HostWatch::FirstPatience / 2);
}

/// A call that has the lock for longer than the patience, and holds something
/// back at its end.
TEST_F(HostWatchTest, ALongCallIsACall) {
  call(1);
  std::this_thread::sleep_for(HostWatch::FirstPatience / 4);
  {
    std::lock_guard<std::mutex> Guard(Lock);
    std::this_thread::sleep_for(2 * HostWatch::FirstPatience);
    Held = 2;
    Watch.notify();
  }
  const auto Begin = Clock::now();
  waitForRelease();
  EXPECT_GE(Clock::now() - Begin, HostWatch::FirstPatience / 2);
}

TEST_F(HostWatchTest, NothingIsReleasedOnceStopped) {
  call(1);
  Watch.stop();
  EXPECT_FALSE(released());
  call(2);
  EXPECT_FALSE(released());
}

} // namespace
} // namespace blockmaestro
