// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names of policies, as the command line has them.

#include "PolicyNames.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

TEST(PolicyNames, SharesByHand) {
  Result<std::vector<ManagedPolicy>> Is = parsePolicies("fine:5,1+bypass:0,1");
  ASSERT_TRUE(Is.ok());
  EXPECT_EQ(Is->at(0).Limits, (Shares{{5, 0}, {1, 1}}));
}

TEST(PolicyNames, AllLeavesOutWhatIsDear) {
  Result<std::vector<ManagedPolicy>> Is = parsePolicies("all");
  ASSERT_TRUE(Is.ok());
  EXPECT_EQ(Is->size(), 10u);
  for (const ManagedPolicy &Each : *Is)
    EXPECT_NE(Each.Kind, PolicyKind::BestBypass);
}

TEST(PolicyNames, RefusesWhatIsNone) {
  for (const char *Each :
       {"", "fine", "fine:", "fine:1,", "fine:,1", "fine:1 2", "fine:-1,1",
        "fine:0,1", "fine:2,2+bypass:1", "fine:2,2+bypass:3,0",
        "fine:2,2+bypass:", "fine:4294967296,1", "best:", "ALL"})
    EXPECT_FALSE(parsePolicies(Each).ok()) << Each;
}

} // namespace
