// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace blockmaestro::random;

namespace {

/// The known answers of the generator's authors.
TEST(Random, PhiloxGivesTheAnswersOfItsAuthors) {
  EXPECT_EQ(philox(0, 0, 0), (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d,
                                                      0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(~0ull, ~0ull, ~0ull),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6,
                                     0x6d5451fd}));
}

template <typename Stream> void skipsAsItSteps() {
  Stream Steps(42), Skips(42);
  for (int I = 0; I < 1000; ++I)
    Steps.bits();
  Skips.skip(1000);
  for (int I = 0; I < 10; ++I)
    EXPECT_EQ(Steps.bits(), Skips.bits());
}

TEST(Random, SkippingIsStepping) {
  skipsAsItSteps<Xorwow>();
  skipsAsItSteps<Mrg32k3a>();
}

/// The first numbers of libcurand's own generators, seed 1234.
TEST(Random, TheFirstNumbersAreThoseOfCurand) {
  uint32_t Out[3] = {};
  Interleaved<Xorwow>(1234, 0, 4096).bits(Out, 3);
  EXPECT_EQ(Out[0], 624778773u);
  EXPECT_EQ(Out[1], 3522650202u);
  EXPECT_EQ(Out[2], 2363946744u);
  Interleaved<Mrg32k3a>(1234, 0, 64).bits(Out, 2);
  EXPECT_EQ(Out[0], 3379073520u);
  EXPECT_EQ(Out[1], 653317650u);
}

template <typename Source> void goesOn(Source Whole, Source Parts) {
  std::vector<double> A(1000), B(1000);
  Whole.uniform(A.data(), 1000);
  Parts.uniform(B.data(), 333);
  Parts.uniform(B.data() + 333, 667);
  EXPECT_EQ(A, B);
}

TEST(Random, TwoCallsGiveWhatOneGives) {
  goesOn(Interleaved<Xorwow>(1, 5, 64), Interleaved<Xorwow>(1, 5, 64));
  goesOn(PhiloxSource(1, 262142), PhiloxSource(1, 262142));
  goesOn(SobolSource(1, false, false, 9), SobolSource(1, false, false, 9));
}

TEST(Random, SobolsPointsFillEveryCellOnce) {
  SobolSource Of(SobolSource::MostDimensions, false, false, 0);
  const size_t Points = 256;
  std::vector<uint32_t> All(Points * Of.dimensions());
  Of.bits(All.data(), All.size());
  for (size_t D = 0; D < Of.dimensions(); ++D) {
    std::vector<bool> Seen(Points);
    for (size_t I = 0; I < Points; ++I)
      Seen[All[D * Points + I] >> 24] = true;
    EXPECT_EQ(std::count(Seen.begin(), Seen.end(), true), long(Points)) << D;
  }
}

TEST(Random, TheNormalDistributionsInverse) {
  EXPECT_EQ(normalInverse(0.5), 0);
  for (double X : {-8.0, -3.5, -1.0, -1e-3})
    EXPECT_NEAR(normalInverse(0.5 * std::erfc(-X / std::sqrt(2.0))), X, 1e-13);
  EXPECT_EQ(normalInverse(0.75), -normalInverse(0.25));
}

} // namespace
