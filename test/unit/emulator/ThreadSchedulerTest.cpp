// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostBlock.h"

#include <bit>
#include <cmath>
#include <vector>

using namespace blockmaestro;

namespace {

using Outcome = ThreadScheduler::Outcome;

TEST(ThreadSchedulerTest, ThreadsThatDoNotWaitRunInOrderOnOneStack) {
  std::vector<uint32_t> Order;
  std::vector<uintptr_t> Frames;
  HostBlock B(100, [&](BlockContext *, uint32_t T) {
    Order.push_back(T);
    Frames.push_back(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  });
  B.runToEnd();
  ASSERT_EQ(Order.size(), 100u);
  for (uint32_t T = 0; T < 100; ++T) {
    EXPECT_EQ(Order[T], T);
    EXPECT_EQ(Frames[T], Frames[0]);
  }
}

TEST(ThreadSchedulerTest, ThreeDimensionsAreNumberedXFirst) {
  std::vector<uint32_t> Seen;
  HostBlock B(1, {});
  B.Context.Block[0] = 2;
  B.Context.Block[1] = 3;
  B.Context.Block[2] = 2;
  B.Context.Arguments = reinterpret_cast<const uint8_t *>(&Seen);
  B.Scheduler.begin(
      B.Context,
      [](BlockContext *C, uint32_t X, uint32_t Y, uint32_t Z) {
        auto &Out = *reinterpret_cast<std::vector<uint32_t> *>(
            const_cast<uint8_t *>(C->Arguments));
        Out.push_back(X + 10 * Y + 100 * Z);
      },
      B.Stacks);
  ASSERT_EQ(B.run(), Outcome::Ended);
  EXPECT_EQ(Seen, (std::vector<uint32_t>{0, 1, 10, 11, 20, 21, 100, 101, 110,
                                         111, 120, 121}));
}

TEST(ThreadSchedulerTest, ABarrierSeparatesWhatAThousandThreadsWrite) {
  std::vector<uint32_t> A(1024), Sum(1024);
  HostBlock B(1024, [&](BlockContext *C, uint32_t T) {
    for (uint32_t Round = 0; Round < 5; ++Round) {
      A[T] = T + Round;
      bm_barrier(C, 1, 0, 0);
      Sum[T] += A[1023 - T];
      bm_barrier(C, 2, 0, 0);
    }
  });
  B.runToEnd();
  for (uint32_t T = 0; T < 1024; ++T)
    ASSERT_EQ(Sum[T], 5 * (1023 - T) + 10);
  EXPECT_EQ(B.Scheduler.blockRound(), 10u);
}

TEST(ThreadSchedulerTest, ThreadsThatReturnedCountAsArrived) {
  uint32_t After = 0;
  HostBlock B(70, [&](BlockContext *C, uint32_t T) {
    if (T % 3 == 0)
      return;
    bm_barrier(C, 1, 0, 0);
    ++After;
    if (T % 3 == 1)
      bm_exit_thread(C);
    bm_barrier(C, 1, 0, 0);
    ++After;
  });
  B.runToEnd();
  EXPECT_EQ(After, 46u + 23u);
}

TEST(ThreadSchedulerTest, BarriersReducePredicates) {
  std::vector<uint32_t> Count(96), And(96), Or(96);
  HostBlock B(96, [&](BlockContext *C, uint32_t T) {
    auto Reduce = [&](BarrierReduction How, bool What) {
      return bm_barrier_reduce(C, 1, uint32_t(How), 0, 0, What);
    };
    Count[T] = Reduce(BarrierReduction::Count, T % 5 == 0);
    And[T] = Reduce(BarrierReduction::And, T < 96) * 2 +
             Reduce(BarrierReduction::And, T < 95);
    Or[T] = Reduce(BarrierReduction::Or, T == 95) * 2 +
            Reduce(BarrierReduction::Or, T == 96);
  });
  B.runToEnd();
  for (uint32_t T = 0; T < 96; ++T) {
    EXPECT_EQ(Count[T], 20u);
    EXPECT_EQ(And[T], 2u);
    EXPECT_EQ(Or[T], 2u);
  }
}

// Two warps fill, two warps take; neither group waits for more than its part.
TEST(ThreadSchedulerTest, NamedBarriersOfProducersAndConsumers) {
  std::vector<uint32_t> Buffer(64), Got;
  HostBlock B(128, [&](BlockContext *C, uint32_t T) {
    enum { Full = 1, Empty = 2 };
    for (uint32_t Round = 0; Round < 4; ++Round) {
      if (T < 64) {
        if (Round)
          bm_barrier(C, 1, Empty, 128);
        Buffer[T] = T + 100 * Round;
        bm_barrier_arrive(C, Full, 128);
      } else {
        bm_barrier(C, 2, Full, 128);
        Got.push_back(Buffer[T - 64]);
        if (Round < 3)
          bm_barrier_arrive(C, Empty, 128);
      }
    }
  });
  B.runToEnd();
  ASSERT_EQ(Got.size(), 256u);
  for (uint32_t I = 0; I < 256; ++I)
    EXPECT_EQ(Got[I], I % 64 + 100 * (I / 64));
}

TEST(ThreadSchedulerTest, AnIncompleteWarpCountsWholeAtABarrierWithACount) {
  uint32_t After = 0;
  HostBlock B(40, [&](BlockContext *C, uint32_t T) {
    if (T == 3)
      return;
    bm_barrier(C, 1, 3, 64);
    ++After;
  });
  B.runToEnd();
  EXPECT_EQ(After, 39u);
}

TEST(ThreadSchedulerTest, ShufflesMoveValuesBetweenLanes) {
  std::vector<uint32_t> Up(32), Down(32), Xor(32), Index(32), Half(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    Up[T] = shuffle(C, WarpOperation::ShuffleUp, FullMask, T, 3, 0);
    Down[T] = shuffle(C, WarpOperation::ShuffleDown, FullMask, T, 3);
    Xor[T] = shuffle(C, WarpOperation::ShuffleButterfly, FullMask, T, 5);
    Index[T] = shuffle(C, WarpOperation::ShuffleIndex, FullMask, T, 7 * T);
    // Segments of eight lanes.
    Half[T] = shuffle(C, WarpOperation::ShuffleDown, FullMask, T, 2,
                      (32 - 8) << 8 | 0x1f);
  });
  B.runToEnd();
  for (uint32_t T = 0; T < 32; ++T) {
    EXPECT_EQ(Up[T], T < 3 ? T : T - 3);
    EXPECT_EQ(Down[T], T + 3 > 31 ? T : T + 3);
    EXPECT_EQ(Xor[T], T ^ 5);
    EXPECT_EQ(Index[T], 7 * T % 32);
    EXPECT_EQ(Half[T], T % 8 + 2 > 7 ? T : T + 2);
  }
}

TEST(ThreadSchedulerTest, LanesThatDoNotTakePartGiveZero) {
  auto SumUp = [](BlockContext *C, uint32_t Mask, uint32_t Sum) {
    for (uint32_t By = 16; By > 0; By /= 2)
      Sum += shuffle(C, WarpOperation::ShuffleDown, Mask, Sum, By);
    return Sum;
  };
  uint32_t OfFour = 0, OfMask = 0;
  HostBlock Small(4, [&](BlockContext *C, uint32_t T) {
    uint32_t Sum = SumUp(C, FullMask, T + 1);
    if (T == 0)
      OfFour = Sum;
  });
  Small.runToEnd();
  HostBlock Whole(32, [&](BlockContext *C, uint32_t T) {
    uint32_t Sum = T < 5 ? SumUp(C, 0x1f, T + 1) : 0;
    if (T == 0)
      OfMask = Sum;
  });
  Whole.runToEnd();
  EXPECT_EQ(OfFour, 10u);
  EXPECT_EQ(OfMask, 15u);
}

TEST(ThreadSchedulerTest, HalvesOfAWarpShuffleEachAmongThemselves) {
  std::vector<uint32_t> Sum(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    uint32_t Mask = T < 10 ? 0x3ff : ~0x3ffu;
    uint32_t First = T < 10 ? 0 : 10, Last = T < 10 ? 9 : 31;
    for (uint32_t From = First; From <= Last; ++From)
      Sum[T] += shuffle(C, WarpOperation::ShuffleIndex, Mask, T, From);
  });
  B.runToEnd();
  for (uint32_t T = 0; T < 32; ++T)
    EXPECT_EQ(Sum[T], T < 10 ? 45u : 496u - 45u);
}

// One operation with one mask may be written at several places.
TEST(ThreadSchedulerTest, LanesMeetFromDifferentBranches) {
  std::vector<uint32_t> Got(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    if (T % 2)
      Got[T] = lanes(C, WarpOperation::Ballot, FullMask, T < 8, 1);
    else
      Got[T] = lanes(C, WarpOperation::Ballot, FullMask, T < 8, 2);
  });
  B.runToEnd();
  for (uint32_t T = 0; T < 32; ++T)
    EXPECT_EQ(Got[T], 0xffu);
}

TEST(ThreadSchedulerTest, NobodyWaitsForLanesThatReturned) {
  std::vector<uint32_t> Got(64);
  HostBlock B(50, [&](BlockContext *C, uint32_t T) {
    if (T % 32 == 31 || T == 0)
      return;
    Got[T] = lanes(C, WarpOperation::Ballot, FullMask, 1);
  });
  B.runToEnd();
  EXPECT_EQ(Got[1], 0x7ffffffeu);
  EXPECT_EQ(Got[40], 0x3ffffu);
}

TEST(ThreadSchedulerTest, VotesAndMatches) {
  std::vector<uint32_t> Any(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    EXPECT_EQ(lanes(C, WarpOperation::VoteAll, FullMask, T < 32), 1u);
    EXPECT_EQ(lanes(C, WarpOperation::VoteAll, FullMask, T != 7), 0u);
    EXPECT_EQ(lanes(C, WarpOperation::VoteAny, FullMask, T == 7), 1u);
    EXPECT_EQ(lanes(C, WarpOperation::VoteAny, FullMask, T == 32), 0u);
    EXPECT_EQ(lanes(C, WarpOperation::VoteUniform, FullMask, 0), 1u);
    EXPECT_EQ(lanes(C, WarpOperation::VoteUniform, FullMask, T & 1), 0u);
    Any[T] =
        lanes(C, WarpOperation::MatchAny, FullMask, uint64_t(T % 3) << 32 | 5);
    uint64_t All = bm_warp(C, uint32_t(WarpOperation::MatchAll), 1, FullMask,
                           uint64_t(9) << 40);
    EXPECT_EQ(All, uint64_t(1) << 32 | FullMask);
    EXPECT_EQ(lanes(C, WarpOperation::MatchAll, FullMask, T / 31), 0u);
  });
  B.runToEnd();
  for (uint32_t T = 0; T < 32; ++T)
    EXPECT_EQ(Any[T], 0x49249249u << T % 3);
}

TEST(ThreadSchedulerTest, TheLowestLaneIsElected) {
  std::vector<uint64_t> Got(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    if (T < 5)
      return;
    Got[T] = bm_warp(C, uint32_t(WarpOperation::Elect), 1, FullMask, 0);
  });
  B.runToEnd();
  EXPECT_EQ(Got[5], uint64_t(1) << 32 | 5);
  EXPECT_EQ(Got[6], 5u);
}

TEST(ThreadSchedulerTest, ReductionsOfIntegersAndFloats) {
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    auto Reduce = [&](WarpOperation How, uint32_t Value) {
      return lanes(C, How, FullMask, Value);
    };
    auto Float = [&](WarpOperation How, float Value) {
      return std::bit_cast<float>(Reduce(How, std::bit_cast<uint32_t>(Value)));
    };
    EXPECT_EQ(Reduce(WarpOperation::Add, T), 496u);
    EXPECT_EQ(Reduce(WarpOperation::And, ~(1u << T)), 0u);
    EXPECT_EQ(Reduce(WarpOperation::Or, 1u << T), FullMask);
    EXPECT_EQ(Reduce(WarpOperation::Xor, T), 0u);
    EXPECT_EQ(Reduce(WarpOperation::Minimum, T - 9), uint32_t(-9));
    EXPECT_EQ(Reduce(WarpOperation::Maximum, T - 9), 22u);
    EXPECT_EQ(Reduce(WarpOperation::UnsignedMinimum, T - 9), 0u);
    EXPECT_EQ(Reduce(WarpOperation::UnsignedMaximum, T - 9), uint32_t(-1));
    float X = T == 4 ? NAN : float(T) - 20;
    EXPECT_EQ(Float(WarpOperation::FloatMinimum, X), -20.f);
    EXPECT_EQ(Float(WarpOperation::FloatMaximum, X), 11.f);
    EXPECT_EQ(Float(WarpOperation::FloatMaximumAbsolute, X), 20.f);
    EXPECT_TRUE(std::isnan(Float(WarpOperation::FloatMinimumNaN, X)));
    EXPECT_TRUE(std::isnan(Float(WarpOperation::FloatMaximum, NAN)));
  });
  B.runToEnd();
}

TEST(ThreadSchedulerTest, TheActiveMaskIsThatOfTheBranch) {
  std::vector<uint32_t> Got(32), Later(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    if (T % 4 == 0)
      Got[T] = bm_warp_active(C, 1, 0);
    else
      Got[T] = bm_warp_active(C, 1, 1);
    if (T < 6)
      return;
    Later[T] = bm_warp_active(C, 1, 2);
  });
  B.runToEnd();
  for (uint32_t T = 0; T < 32; ++T) {
    EXPECT_EQ(Got[T], T % 4 == 0 ? 0x11111111u : ~0x11111111u);
    EXPECT_EQ(Later[T], T < 6 ? 0u : ~0x3fu);
  }
}

// Those that took the branch come out of it before the others are answered.
TEST(ThreadSchedulerTest, BehindABranchAllLanesAreActive) {
  std::vector<uint32_t> Inside(32), Behind(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    for (uint32_t Round = 0; Round < T % 4; ++Round)
      Inside[T] = bm_warp_active(C, 1, 0);
    Behind[T] = bm_warp_active(C, 1, 1);
  });
  B.runToEnd();
  const uint32_t Last[] = {0, 0xeeeeeeeeu, 0xccccccccu, 0x88888888u};
  for (uint32_t T = 0; T < 32; ++T) {
    EXPECT_EQ(Inside[T], Last[T % 4]);
    EXPECT_EQ(Behind[T], FullMask);
  }
}

/// Asks at one place in the code, for lanes that come to it by two ways.
BM_SWITCHES __attribute__((noinline)) uint32_t askBelow(BlockContext *C,
                                                        int Depth) {
  volatile int Frame[8] = {Depth};
  if (Frame[0] == 0)
    return bm_warp_active(C, 1, 0);
  return askBelow(C, Frame[0] - 1) | uint32_t(Frame[1]);
}

TEST(ThreadSchedulerTest, LanesAtDifferentDepthsAreApart) {
  std::vector<uint32_t> Got(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    Got[T] = askBelow(C, T < 7 ? 1 : 3);
  });
  B.runToEnd();
  for (uint32_t T = 0; T < 32; ++T)
    EXPECT_EQ(Got[T], T < 7 ? 0x7fu : ~0x7fu);
}

TEST(ThreadSchedulerTest, TheActiveMaskLeavesOutLanesThatWaitElsewhere) {
  std::vector<uint32_t> Got(32);
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    if (T >= 20)
      Got[T] = bm_warp_active(C, 1, 0);
    bm_warp(C, uint32_t(WarpOperation::Sync), 2, FullMask, 0);
  });
  B.runToEnd();
  EXPECT_EQ(Got[20], 0xfff00000u);
}

TEST(ThreadSchedulerTest, ASpinningThreadSeesWhatALaterOneWrites) {
  volatile uint32_t Turn = 0;
  HostBlock B(64, [&](BlockContext *C, uint32_t T) {
    for (uint32_t Iteration = 0; Turn != 63 - T; ++Iteration)
      bm_yield(C, 1, Iteration);
    Turn = Turn + 1;
  });
  Outcome Last;
  int Runs = 0;
  while ((Last = B.run()) == Outcome::Moved)
    ++Runs;
  EXPECT_EQ(Last, Outcome::Ended);
  EXPECT_LE(Runs, 64);
}

TEST(ThreadSchedulerTest, OnlySpinningIsNoMovement) {
  volatile uint32_t Flag = 0;
  bool Ended = false;
  HostBlock B(40, [&](BlockContext *C, uint32_t T) {
    if (T == 35) {
      for (uint32_t I = 0; !Flag; ++I) {
        bm_sleep(C, 3);
        bm_yield(C, 1, I);
      }
    }
    bm_barrier(C, 2, 0, 0);
    Ended = true;
  });
  Outcome Last = B.run();
  EXPECT_EQ(Last, Outcome::Moved);
  for (int I = 0; I < 3; ++I)
    Last = B.run();
  for (int I = 0; I < 5; ++I)
    EXPECT_EQ(B.run(), Outcome::Waits);
  Fault Where = B.Scheduler.describeWait();
  EXPECT_EQ(Where.Thread, 35u);
  EXPECT_FALSE(Ended);
  Flag = 1;
  while ((Last = B.run()) != Outcome::Ended)
    ASSERT_NE(Last, Outcome::Failed);
  EXPECT_TRUE(Ended);
}

// The whole warp looks whether anybody still waits, as a look-back does.
TEST(ThreadSchedulerTest, AVoteInASpinLoopIsNoMovement) {
  volatile uint32_t Flag = 0;
  HostBlock B(32, [&](BlockContext *C, uint32_t) {
    for (uint32_t I = 0; lanes(C, WarpOperation::VoteAny, FullMask, Flag == 0);
         ++I)
      bm_yield(C, 1, I);
  });
  EXPECT_EQ(B.run(), Outcome::Moved);
  EXPECT_EQ(B.run(), Outcome::Waits);
  EXPECT_EQ(B.run(), Outcome::Waits);
  Flag = 1;
  EXPECT_EQ(B.run(), Outcome::Ended);
}

TEST(ThreadSchedulerTest, ABarrierNotAllReachIsSaidAtOnce) {
  HostBlock B(64, [&](BlockContext *C, uint32_t T) {
    if (T < 12)
      bm_barrier(C, 2, 0, 0);
    else
      bm_barrier(C, 3, 4, 64);
  });
  ASSERT_EQ(B.run(), Outcome::Failed);
  EXPECT_EQ(B.status().code(), StatusCode::Stuck);
  EXPECT_EQ(B.sentence(),
            "kernel 'k' is stuck: 12 of 64 threads wait at a barrier that the "
            "others do not reach: block (0,0,0), thread (0,0,0), at a.cu:2");
}

TEST(ThreadSchedulerTest, AShuffleWithLanesThatDoNotComeIsSaidAtOnce) {
  HostBlock B(32, [&](BlockContext *C, uint32_t T) {
    if (T == 9)
      shuffle(C, WarpOperation::ShuffleIndex, FullMask, T, 0);
    else
      lanes(C, WarpOperation::Ballot, FullMask, T, 3);
  });
  ASSERT_EQ(B.run(), Outcome::Failed);
  EXPECT_EQ(B.sentence(),
            "kernel 'k' is stuck: 31 of 32 threads wait in a vote for lanes "
            "that do not come: block (0,0,0), thread (0,0,0), at a.cu:3");
}

TEST(ThreadSchedulerTest, ABlockGivenUpLeavesItsStacksToTheNext) {
  HostBlock B(64, [&](BlockContext *C, uint32_t) { bm_barrier(C, 1, 1, 128); });
  for (int I = 0; I < 200; ++I) {
    ASSERT_EQ(B.run(), Outcome::Failed);
    B.Scheduler.release();
    Stack *Taken = B.Stacks.take();
    B.Stacks.give(Taken);
    B.Scheduler.begin(
        B.Context,
        [](BlockContext *C, uint32_t, uint32_t, uint32_t) {
          bm_barrier(C, 1, 1, 128);
        },
        B.Stacks);
  }
}

} // namespace
