// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emulated/memory/ManagedRanges.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

using namespace blockmaestro::emulated;

namespace {

constexpr size_t Page = 4096;

const void *page(size_t Number) {
  return reinterpret_cast<const void *>((Number + 1) * Page);
}

std::vector<int> preferred(const ManagedRanges &Of, size_t First,
                           size_t Count) {
  std::vector<int> Out;
  Of.visit(page(First), Count * Page,
           [&](const Advice &Each) { Out.push_back(Each.Preferred); });
  return Out;
}

} // namespace

TEST(ManagedRanges, ArePagesOfTheBytesNamed) {
  ManagedRanges Ranges;
  Ranges.update(static_cast<const char *>(page(3)) + 100, 1,
                [](Advice &Said) { Said.Preferred = 0; });
  constexpr int None = cudaInvalidDeviceId;
  EXPECT_EQ(preferred(Ranges, 0, 3), (std::vector<int>{None}));
  EXPECT_EQ(preferred(Ranges, 2, 3), (std::vector<int>{None, 0, None}));
  EXPECT_EQ(preferred(Ranges, 3, 1), (std::vector<int>{0}));
  Ranges.forget(page(3), Page);
  EXPECT_EQ(preferred(Ranges, 2, 3), (std::vector<int>{None}));
}

/// Any order of changes gives for every page what was said of it last.
TEST(ManagedRanges, AgreeWithAnArrayOfPages) {
  constexpr size_t Pages = 40;
  std::mt19937 Random(7);
  for (int Run = 0; Run < 200; ++Run) {
    ManagedRanges Ranges;
    std::array<int, Pages> Model;
    Model.fill(cudaInvalidDeviceId);
    for (int Step = 0; Step < 20; ++Step) {
      size_t First = Random() % Pages, Count = 1 + Random() % (Pages - First);
      int Value = static_cast<int>(Random() % 100);
      bool Forgets = Value < 20;
      if (Forgets)
        Ranges.forget(page(First), Count * Page);
      else
        Ranges.update(page(First), Count * Page,
                      [&](Advice &Said) { Said.Preferred = Value; });
      for (size_t I = First; I < First + Count; ++I)
        Model[I] = Forgets ? cudaInvalidDeviceId : Value;
    }
    for (size_t I = 0; I < Pages; ++I)
      ASSERT_EQ(preferred(Ranges, I, 1), std::vector<int>{Model[I]});
  }
}
