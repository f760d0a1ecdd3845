// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MachineNumbers.h"

#include <gtest/gtest.h>

#include <set>

namespace blockmaestro::sim {
namespace {

/// Of the number of this name; 0 where there is none.
uint64_t valueOf(const Machine &Of, const std::string &Name) {
  for (const MachineNumber &Each : machineNumbers(Of))
    if (Each.Name == Name)
      return Each.Value;
  return 0;
}

TEST(MachineNumbers, AWordAndALongNumberAreSetByName) {
  Machine M;
  EXPECT_TRUE(setMachineNumber(M, "sms", 132).ok());
  EXPECT_TRUE(setMachineNumber(M, "launch_overhead_ns", 7500).ok());
  EXPECT_EQ(M.Sms, 132u);
  EXPECT_EQ(M.LaunchOverheadNs, 7500u);
  EXPECT_EQ(valueOf(M, "sms"), 132u);
  EXPECT_EQ(valueOf(M, "launch_overhead_ns"), 7500u);
}

TEST(MachineNumbers, ANumberOutOfItsRangeChangesNothing) {
  Machine M;
  EXPECT_EQ(setMachineNumber(M, "sms", 0).message(),
            "'sms' must be a number from 1 to 4096");
  EXPECT_EQ(setMachineNumber(M, "sms", std::nullopt).message(),
            "'sms' must be a number from 1 to 4096");
  EXPECT_EQ(M.Sms, Machine().Sms);
}

TEST(MachineNumbers, AnUnknownNameIsAnError) {
  Machine M;
  EXPECT_EQ(setMachineNumber(M, "speed", 3).message(), "unknown key 'speed'");
  EXPECT_EQ(checkMachineNumber("speed").message(), "unknown key 'speed'");
  EXPECT_TRUE(checkMachineNumber("clock_mhz").ok());
}

/// Each name stands for a field of its own, and takes both ends of its range.
TEST(MachineNumbers, EveryNumberTakesItsRangeAndNoOther) {
  std::set<std::string> Names;
  for (const MachineNumber &Each : machineNumbers(Machine())) {
    EXPECT_TRUE(Names.insert(Each.Name).second) << Each.Name;
    for (uint64_t Value : {Each.Least, Each.Most}) {
      Machine M;
      EXPECT_TRUE(setMachineNumber(M, Each.Name, Value).ok()) << Each.Name;
      for (const MachineNumber &Now : machineNumbers(M))
        EXPECT_EQ(Now.Value,
                  Now.Name == Each.Name ? Value : valueOf({}, Now.Name))
            << Now.Name;
    }
  }
}

} // namespace
} // namespace blockmaestro::sim
