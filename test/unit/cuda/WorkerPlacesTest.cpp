// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emulated/engine/WorkerPlaces.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <thread>

namespace blockmaestro {
namespace {

cpu_set_t allowed() {
  cpu_set_t Set;
  EXPECT_EQ(sched_getaffinity(0, sizeof Set, &Set), 0);
  return Set;
}

/// Keeps the calling thread on the processor it is on; which one that is.
int stayHere() {
  int Here = sched_getcpu();
  cpu_set_t One;
  CPU_ZERO(&One);
  CPU_SET(Here, &One);
  EXPECT_EQ(sched_setaffinity(0, sizeof One, &One), 0);
  return Here;
}

TEST(WorkerPlaces, AWorkerMovesAwayFromAnotherAndMayBeMovedAgain) {
  cpu_set_t Before = allowed();
  if (CPU_COUNT(&Before) < 2)
    GTEST_SKIP() << "one processor";
  std::thread([&] {
    WorkerPlaces Places(2);
    int Shared = stayHere();
    Places.take(0, true);
    EXPECT_EQ(sched_setaffinity(0, sizeof Before, &Before), 0);
    if (sched_getcpu() != Shared)
      GTEST_SKIP() << "moved by the system";
    Places.take(1, true);
    EXPECT_NE(sched_getcpu(), Shared);
    cpu_set_t After = allowed();
    EXPECT_TRUE(CPU_EQUAL(&After, &Before));
  }).join();
}

TEST(WorkerPlaces, WhoMayNotMoveOrHasNowhereToGoStays) {
  std::thread([] {
    WorkerPlaces Places(3);
    int Shared = stayHere();
    Places.take(0, true);
    Places.take(1, false);
    EXPECT_EQ(sched_getcpu(), Shared);
    Places.take(2, true);
    EXPECT_EQ(sched_getcpu(), Shared);
  }).join();
}

TEST(WorkerPlaces, APlaceThatWasLeftIsFree) {
  std::thread([] {
    cpu_set_t Before = allowed();
    WorkerPlaces Places(2);
    int Shared = stayHere();
    Places.take(0, true);
    Places.leave(0);
    EXPECT_EQ(sched_setaffinity(0, sizeof Before, &Before), 0);
    if (sched_getcpu() != Shared)
      GTEST_SKIP() << "moved by the system";
    Places.take(1, true);
    EXPECT_EQ(sched_getcpu(), Shared);
  }).join();
}

} // namespace
} // namespace blockmaestro
