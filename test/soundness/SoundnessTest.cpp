// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The property every footprint must have, on random CUDA kernels: what a block
// really touches is inside its footprint, and is all of it when that is exact.
// docs/soundness.md says how it is judged and how to run more of it.

#include "Campaign.h"
#include "Generate.h"
#include "Mutants.h"
#include "Shrink.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <iostream>

using namespace blockmaestro;
using namespace blockmaestro::soundness;

static uint32_t fromEnvironment(const char *Name, uint32_t Otherwise) {
  const char *Text = std::getenv(Name);
  return Text ? uint32_t(std::strtoul(Text, nullptr, 10)) : Otherwise;
}

static Result expectSound(const Settings &S) {
  Result R = runCampaign(S, &std::cout);
  std::cout << report(R);
  for (const Failure &F : R.Failures)
    ADD_FAILURE() << F.Text;
  return R;
}

/// A slice of every check; the seeds are fixed.
static void expectSlice(uint32_t FirstSeed) {
  Settings S;
  S.FirstSeed = FirstSeed;
  S.Kernels = 120;
  S.Batch = 60;
  S.BothLevels = false;
  Result R = expectSound(S);
  // Not by saying nothing: most launches are judged, and much of it exactly.
  const Tally &T = R.Counts;
  EXPECT_LT(T.Undefined + T.TooLong, T.Launches / 3);
  EXPECT_LT(T.Degraded * 6, T.Instances);
  EXPECT_GT(T.IslCompared, 100u);
}

// Bytes were lost here before divisors below zero and 1ull << 63 were thought
// of (1), masks below zero (2), and what is set or shrinks in a loop (2, 3).
TEST(Soundness, SliceOne) { expectSlice(200010); }
TEST(Soundness, SliceTwo) { expectSlice(200590); }
TEST(Soundness, SliceThree) { expectSlice(201900); }

/// What is said of a program does not depend on how it is optimised.
TEST(Soundness, SameRecordAtEveryLevel) {
  Settings S;
  S.FirstSeed = 80000;
  S.Kernels = 100;
  S.Launches = 1;
  expectSound(S);
}

/// As many kernels as the environment asks for, from the seed it names.
TEST(Soundness, Long) {
  uint32_t Kernels = fromEnvironment("BLOCKMAESTRO_SOUNDNESS_KERNELS", 0);
  if (Kernels == 0)
    GTEST_SKIP() << "set BLOCKMAESTRO_SOUNDNESS_KERNELS";
  Settings S;
  S.FirstSeed = fromEnvironment("BLOCKMAESTRO_SOUNDNESS_SEED", 1000000);
  S.Kernels = Kernels;
  if (Kernels == 1) {
    Kernel K = generate(S.FirstSeed);
    std::cout << print(K) << std::flush;
  }
  S.Batch = fromEnvironment("BLOCKMAESTRO_SOUNDNESS_BATCH", 100);
  S.BothLevels = fromEnvironment("BLOCKMAESTRO_SOUNDNESS_LEVELS", 1) != 0;
  S.MostFailures = fromEnvironment("BLOCKMAESTRO_SOUNDNESS_FAILURES", 20);
  expectSound(S);
}

namespace {

/// How often a mutant was made and noticed.
struct Score {
  unsigned Made = 0, Caught = 0;
};

} // namespace

static void tryMutant(const Mutant &M, const Kernel &K, const KernelRecord &R,
                      Score &Of) {
  constexpr unsigned Enough = 40, EnoughPerKernel = 3;
  unsigned Before = Of.Made;
  // Where any memory may be touched, nothing can be missing.
  for (const Access &A : R.Bytes.Accesses)
    if (A.How == Exactness::Unknown)
      return;
  for (size_t I = 0; I < R.Bytes.Accesses.size() && Of.Made < Enough &&
                     Of.Made - Before < EnoughPerKernel;
       ++I) {
    KernelRecord Changed = R;
    if (!M.Change(Changed, I))
      continue;
    ++Of.Made;
    Tally Ignored;
    for (const LaunchCase &L : launchesOf(K, 6))
      if (compare(K, Changed, L, Ignored, false)) {
        ++Of.Caught;
        break;
      }
  }
}

/// The comparison would notice what an analysis gets wrong.
TEST(Soundness, MutantsAreCaught) {
  std::vector<Kernel> Kernels;
  for (uint32_t Seed = 60000; Seed < 60300; ++Seed)
    Kernels.push_back(generate(Seed));
  Compiled C = compile(Kernels, 3);
  ASSERT_EQ(C.Failure, "");
  for (const Mutant &M : Mutants) {
    Score Of;
    for (const Kernel &K : Kernels)
      tryMutant(M, K, *findRecord(C, K), Of);
    std::cout << M.Name << ": " << Of.Caught << " of " << Of.Made
              << " caught\n";
    EXPECT_GT(Of.Caught, 0u) << M.Name;
  }
}

/// A failure comes with a kernel that is small enough to read.
TEST(Soundness, ShrinksWhatFails) {
  Kernel K = generate(12);
  size_t Before = print(K).size();
  Kernel Least = shrink(K, [](std::vector<Kernel> &Some) {
    for (size_t I = 0; I < Some.size(); ++I)
      if (print(Some[I]).find("threadIdx.x") != std::string::npos)
        return int(I);
    return -1;
  });
  std::string Text = print(Least);
  EXPECT_NE(Text.find("threadIdx.x"), std::string::npos);
  EXPECT_LT(Text.size(), Before);
  EXPECT_EQ(Least.Seed, 12u);
}

TEST(Soundness, SameSeedSameKernel) {
  for (uint32_t Seed = 0; Seed < 50; ++Seed) {
    Kernel A = generate(Seed), B = generate(Seed);
    EXPECT_EQ(print(A), print(B));
  }
}
