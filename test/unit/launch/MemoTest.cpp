// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a memo keeps, and how it lets go of it.

#include "Memo.h"

#include <gtest/gtest.h>

#include <memory>

using namespace blockmaestro;

namespace {

/// A value that counts those alive.
struct Counted {
  explicit Counted(int &Alive) : Alive(Alive) { ++Alive; }
  Counted(const Counted &) = delete;
  ~Counted() { --Alive; }
  int &Alive;
};

} // namespace

TEST(Memo, LetsGoOfOneValueForEachNewOne) {
  constexpr int Entries = 64;
  int Alive = 0;
  {
    Memo<std::shared_ptr<Counted>> Values(Entries);
    for (uint64_t I = 0; I < 1000; ++I) {
      const int Before = Alive;
      Values.remember({&I, 1},
                      [&] { return std::make_shared<Counted>(Alive); });
      ASSERT_GE(Alive, Before) << I;
      ASSERT_LE(Alive, Entries + Entries / 2) << I;
      ASSERT_LE(Values.size(), size_t(Entries));
    }
    EXPECT_GE(Alive, Entries);
  }
  EXPECT_EQ(Alive, 0);
}

TEST(Memo, KeepsWhatIsAskedForAgain) {
  Memo<int> Values(8);
  int Made = 0;
  const uint64_t Hot = ~uint64_t(0);
  for (uint64_t I = 0; I < 100; ++I) {
    EXPECT_EQ(Values.remember({&Hot, 1}, [&] { return ++Made; }), 1);
    Values.remember({&I, 1}, [&] { return -1; });
  }
  EXPECT_EQ(Made, 1);
}

TEST(Memo, ForgetsWhatIsNot) {
  Memo<int> Values(8);
  int Made = 0;
  for (uint64_t Round = 0; Round < 3; ++Round)
    for (uint64_t I = 0; I < 100; ++I)
      Values.remember({&I, 1}, [&] { return ++Made; });
  EXPECT_EQ(Made, 300);
}

TEST(Memo, OfNoEntriesMakesEachAnew) {
  Memo<int> Values(0);
  int Made = 0;
  const uint64_t Key = 1;
  for (int I = 1; I <= 3; ++I)
    EXPECT_EQ(Values.remember({&Key, 1}, [&] { return ++Made; }), I);
  EXPECT_EQ(Values.size(), 0u);
}
