// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// In which order, and in what chains, gathered launches are submitted.

#include "Chained.h"
#include "FakeGpu.h"

#include <gtest/gtest.h>

#include <string>

namespace blockmaestro {
namespace {

class ChainedTest : public testing::Test {
protected:
  ChainedTest() {
    Kernel.Parameters = {{0, 4, 4, false, false}, {8, 8, 8, true, false}};
  }

  /// Launches the next Count numbers, with arguments that are gone afterwards.
  void launch(unsigned Count, void *Stream = nullptr) {
    for (unsigned I = 0; I < Count; ++I) {
      int Number = Next++;
      void *Pointer = nullptr;
      void *Arguments[] = {&Number, &Pointer};
      GpuLaunch What;
      What.Kernel = &Kernel;
      What.Form = KernelVariant::Pdl;
      What.Stream = Stream;
      What.Arguments = Arguments;
      What.Programmatic = true;
      Result<bool> Held = Runs.gather(What);
      ASSERT_TRUE(Held.ok());
      if (!*Held) {
        ASSERT_TRUE(Gpu.launch(What).ok());
      }
      Number = -1;
    }
  }

  /// The lengths of what was submitted, after seeing that numbers are in order.
  std::string submitted() {
    std::string Out;
    unsigned Length = 0;
    for (size_t I = 0; I < Gpu.Earlies.size(); ++I) {
      EXPECT_EQ(Gpu.Earlies[I].Number, int(I));
      if (!Gpu.Earlies[I].Chained && Length != 0)
        Out += std::to_string(std::exchange(Length, 0)) + " ";
      ++Length;
    }
    return Length == 0 ? Out : Out + std::to_string(Length);
  }

  KernelRecord Kernel;
  FakeGpu Gpu{1};
  Chained Runs{Gpu};
  int Next = 0;
};

TEST_F(ChainedTest, ChainsGrow) {
  launch(1 + 4 + 8 + 16 + 32 + 32);
  EXPECT_EQ(submitted(), "1 4 8 16 32 32");
  EXPECT_EQ(Runs.gathered(), 0u);
  EXPECT_EQ(Gpu.ChainsMade, 4u) << "each is used again";
}

TEST_F(ChainedTest, AFenceSubmitsWhatIsHeldAndBeginsAnew) {
  launch(1 + 4 + 7);
  EXPECT_EQ(submitted(), "1 4");
  EXPECT_EQ(Runs.gathered(), 11u);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "1 4 4 2 1");
  EXPECT_EQ(Runs.gathered(), 0u);
  launch(2);
  EXPECT_EQ(submitted(), "1 4 4 2 1 1");
  ASSERT_TRUE(Runs.drain().ok());
  EXPECT_EQ(submitted(), "1 4 4 2 1 1 1");
}

TEST_F(ChainedTest, AnotherStreamComesAfterWhatIsHeld) {
  int Other = 0;
  launch(3);
  launch(3, &Other);
  EXPECT_EQ(submitted(), "1 2 1");
  ASSERT_TRUE(Runs.fence().ok());
  ASSERT_EQ(Gpu.Earlies.size(), 6u);
  for (int I = 0; I < 6; ++I) {
    EXPECT_EQ(Gpu.Earlies[I].Number, I);
    EXPECT_EQ(Gpu.Earlies[I].Stream, I < 3 ? nullptr : &Other);
  }
}

TEST_F(ChainedTest, LargeArgumentsAreNotHeld) {
  launch(3);
  Kernel.ArgumentBytes = 4097;
  launch(2);
  EXPECT_EQ(submitted(), "1 2 1 1");
  EXPECT_EQ(Runs.gathered(), 0u);
}

TEST_F(ChainedTest, TasksAreGatheredToo) {
  auto What = std::make_shared<Launch>();
  What->Kernel = &Kernel;
  What->Arguments.resize(16);
  for (int I = 0; I < 3; ++I) {
    auto Own = std::make_shared<Launch>(*What);
    *reinterpret_cast<int *>(Own->Arguments.data()) = I;
    Task Each;
    Each.What = Own;
    ASSERT_TRUE(Runs.submit(std::move(Each)).ok());
  }
  EXPECT_EQ(Runs.gathered(), 2u);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "1 2");
}

} // namespace
} // namespace blockmaestro
