// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which application's block goes where under the policies that need no profile,
// by runs that can be worked out by hand.

#include "Policies.h"
#include "HandmadeWarps.h"
#include "WarpModel.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

/// Ends of the blocks of each application, in the order of time.
std::vector<std::vector<uint64_t>> endsUnder(BlockPolicy &By,
                                             const std::vector<Recording> &Of,
                                             const Machine &On,
                                             uint64_t Instructions = 0) {
  std::vector<Application> Applications;
  for (const Recording &Each : Of)
    Applications.push_back(*applicationOf(Each, On));
  std::vector<WarpEnd> Ends;
  RunOptions How;
  How.Instructions = Instructions;
  How.Ends = &Ends;
  simulateTogether(Applications, On, By, How);
  std::vector<std::vector<uint64_t>> Out(Of.size());
  for (const WarpEnd &Each : Ends)
    Out[Each.Application].push_back(Each.Ended);
  for (std::vector<uint64_t> &Each : Out)
    std::sort(Each.begin(), Each.end());
  return Out;
}

using Ends = std::vector<std::vector<uint64_t>>;

TEST(Policies, SequentialBeginsWhenTheFirstHasEnded) {
  // The last launch ends in the cycle behind that of its last warp.
  const auto By = makeSequential();
  EXPECT_EQ(endsUnder(*By, {plainRecording(1, 10), plainRecording(1, 10)},
                      plainMachine(2)),
            (Ends{{10}, {21}}));
}

TEST(Policies, LeftoverGivesWhatRoomTheFirstLeaves) {
  // Four blocks of one warp fit: three of the first and one of the second, by
  // age. The other one of the second comes in the cycle behind the first end.
  const auto By = makeLeftover();
  EXPECT_EQ(endsUnder(*By, {plainRecording(3, 4), plainRecording(2, 4)},
                      plainMachine(1)),
            (Ends{{4, 8, 12}, {16, 20}}));
}

TEST(Policies, LeftoverGivesNothingWhileTheFirstHasBlocks) {
  // A block of two warps leaves no room for one more such block, but for the
  // second application's, which comes with the first one's last: 9 to 17, and
  // then 17 to 21, since it is younger.
  Machine On = plainMachine(1);
  On.ThreadsPerSm = 96;
  const auto By = makeLeftover();
  const Ends Is =
      endsUnder(*By, {plainRecording(2, 4, 2), plainRecording(1, 4)}, On);
  EXPECT_EQ(Is[1], (std::vector<uint64_t>{21}));
}

TEST(Policies, EvenPartsAreRunBesideEachOther) {
  const auto By = makePartition({}, {});
  EXPECT_EQ(endsUnder(*By, {plainRecording(2, 8), plainRecording(2, 4)},
                      plainMachine(2)),
            (Ends{{8, 16}, {4, 8}}));
}

TEST(Policies, AnApplicationWithFewBlocksLeavesItsSms) {
  // Of four SMs the first needs one: the second has three, a block on each.
  const auto By = makePartition({}, {});
  EXPECT_EQ(endsUnder(*By, {plainRecording(1, 8), plainRecording(3, 8)},
                      plainMachine(4)),
            (Ends{{8}, {8, 8, 8}}));
}

TEST(Policies, PartsGoToWhoIsLeft) {
  // Two SMs, a block on each at a time: from cycle 9 on the second has both.
  Machine On = plainMachine(2);
  On.BlocksPerSm = 1;
  const auto By = makePartition({}, {});
  const Ends Is =
      endsUnder(*By, {plainRecording(1, 8), plainRecording(4, 8)}, On);
  EXPECT_EQ(Is[1], (std::vector<uint64_t>{8, 17, 17, 26}));
}

TEST(Policies, SharesLimitEachApplication) {
  // One block of each at a time, in turns by age: the older one issues first.
  const auto By = makeShares({{1, 0}, {1, 0}});
  EXPECT_EQ(endsUnder(*By, {plainRecording(2, 4), plainRecording(2, 4)},
                      plainMachine(1)),
            (Ends{{4, 12}, {8, 16}}));
}

TEST(Policies, WhoIsLeftAloneHasNoLimit) {
  // Blocks one at a time would take a cycle to follow each other; from cycle 5
  // on there are always others to issue.
  const auto By = makeShares({{1, 0}, {1, 0}});
  std::vector<Recording> Of = {plainRecording(1, 4), plainRecording(9, 4)};
  const Ends Is = endsUnder(*By, Of, plainMachine(1));
  EXPECT_EQ(Is[1].back(), 40u);
}

TEST(Policies, CutApplicationsBeginNoMoreBlocks) {
  // The first has issued eight when its second block ends in cycle 12. The
  // second has issued four then and runs its second block; being alone it gets
  // three more.
  const auto By = makeShares({{1, 0}, {1, 0}});
  const Ends Is = endsUnder(*By, {plainRecording(9, 4), plainRecording(9, 4)},
                            plainMachine(1), 8);
  EXPECT_EQ(Is[0].size(), 2u);
  EXPECT_EQ(Is[1].size(), 5u);
}

} // namespace
