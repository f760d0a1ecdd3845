// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emulated/memory/Pools.h"

#include <gtest/gtest.h>

using namespace blockmaestro::emulated;

namespace {

struct PoolTest : testing::Test {
  uint64_t ask(cudaMemPool_t Of, cudaMemPoolAttr What) {
    uint64_t Out = 77;
    EXPECT_EQ(All.get(Of, What, &Out), cudaSuccess);
    return Out;
  }
  Pools All;
};

} // namespace

TEST_F(PoolTest, CountsWhatIsTaken) {
  cudaMemPool_t Pool = All.create(1000);
  EXPECT_EQ(All.take(Pool, 600), cudaSuccess);
  EXPECT_EQ(All.take(Pool, 401), cudaErrorMemoryAllocation);
  EXPECT_EQ(All.take(Pool, 400), cudaSuccess);
  All.giveBack(Pool, 600);
  EXPECT_EQ(ask(Pool, cudaMemPoolAttrUsedMemCurrent), 400u);
  EXPECT_EQ(ask(Pool, cudaMemPoolAttrUsedMemHigh), 1000u);
  EXPECT_EQ(ask(Pool, cudaMemPoolAttrReservedMemCurrent), 400u);
}

TEST_F(PoolTest, HighMarksCanBeResetButNotSet) {
  cudaMemPool_t Pool = All.create(1000);
  ASSERT_EQ(All.take(Pool, 600), cudaSuccess);
  All.giveBack(Pool, 500);
  uint64_t Value = 5;
  EXPECT_EQ(All.set(Pool, cudaMemPoolAttrUsedMemHigh, &Value),
            cudaErrorInvalidValue);
  EXPECT_EQ(All.set(Pool, cudaMemPoolAttrUsedMemCurrent, &Value),
            cudaErrorInvalidValue);
  Value = 0;
  EXPECT_EQ(All.set(Pool, cudaMemPoolAttrUsedMemHigh, &Value), cudaSuccess);
  EXPECT_EQ(ask(Pool, cudaMemPoolAttrUsedMemHigh), 100u);
}

TEST_F(PoolTest, RulesOfReuseAreSwitches) {
  int Value = 0;
  cudaMemPool_t Pool = All.defaultPool();
  EXPECT_EQ(All.get(Pool, cudaMemPoolReuseAllowOpportunistic, &Value),
            cudaSuccess);
  EXPECT_EQ(Value, 1);
  Value = 0;
  EXPECT_EQ(All.set(Pool, cudaMemPoolReuseAllowOpportunistic, &Value),
            cudaSuccess);
  Value = 9;
  EXPECT_EQ(All.get(Pool, cudaMemPoolReuseAllowOpportunistic, &Value),
            cudaSuccess);
  EXPECT_EQ(Value, 0);
  EXPECT_EQ(All.get(Pool, static_cast<cudaMemPoolAttr>(99), &Value),
            cudaErrorInvalidValue);
  EXPECT_EQ(All.get(Pool, cudaMemPoolAttrUsedMemHigh, nullptr),
            cudaErrorInvalidValue);
}

TEST_F(PoolTest, ADestroyedPoolLivesUntilItsMemoryIsReleased) {
  cudaMemPool_t Pool = All.create(1000);
  ASSERT_TRUE(All.setCurrent(Pool));
  ASSERT_EQ(All.take(Pool, 10), cudaSuccess);
  EXPECT_TRUE(All.destroy(Pool));
  EXPECT_EQ(All.currentPool(), All.defaultPool());
  EXPECT_FALSE(All.exists(Pool));
  EXPECT_FALSE(All.destroy(Pool));
  EXPECT_FALSE(All.setCurrent(Pool));
  EXPECT_EQ(All.take(Pool, 1), cudaErrorInvalidValue);
  All.giveBack(Pool, 10);
  EXPECT_FALSE(All.exists(Pool));
}

TEST_F(PoolTest, TheDefaultPoolCannotBeDestroyed) {
  EXPECT_FALSE(All.destroy(All.defaultPool()));
  EXPECT_TRUE(All.exists(All.defaultPool()));
  EXPECT_FALSE(All.destroy(nullptr));
}
