// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sequences of launches as nested repeats, by hand and at random.

#include "Motifs.h"

#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <string>
#include <string_view>

using namespace blockmaestro;

namespace {

using Sequence = std::vector<uint32_t>;

/// A launch for each letter.
Sequence launches(std::string_view Letters) {
  return Sequence(Letters.begin(), Letters.end());
}

/// The node at Next as text: a letter, or "3(ab)".
std::string textOf(const std::vector<MotifNode> &Nodes, const Sequence &Kinds,
                   size_t &Next) {
  const MotifNode &Of = Nodes[Next++];
  std::string Inner;
  for (uint32_t I = 0; I < Of.Children; ++I)
    Inner += textOf(Nodes, Kinds, Next);
  if (Of.Children == 0)
    return std::string(1, char(Kinds[Of.First]));
  return std::to_string(Of.Count) + "(" + Inner + ")";
}

std::string motifsOf(std::string_view Letters) {
  const Sequence Kinds = launches(Letters);
  size_t Next = 0;
  return textOf(findMotifs(Kinds), Kinds, Next);
}

std::string repeated(const std::string &Text, unsigned Times) {
  std::string Out;
  for (unsigned I = 0; I < Times; ++I)
    Out += Text;
  return Out;
}

/// The launches that the nodes stand for, each as its kind.
Sequence expanded(const Sequence &Kinds) {
  const std::vector<MotifNode> Nodes = findMotifs(Kinds);
  Sequence Out;
  for (uint32_t Position : motifPositions(Nodes))
    Out.push_back(Kinds[Nodes[Position].First]);
  return Out;
}

} // namespace

TEST(Motifs, ALoopIsOneRoundAndItsCount) {
  EXPECT_EQ(motifsOf("xabababy"), "1(x3(ab)y)");
  EXPECT_EQ(motifsOf(repeated("a", 1000)), "1(1000(a))");
}

TEST(Motifs, LoopsAreInsideLoops) {
  EXPECT_EQ(motifsOf(repeated("aab", 5) + "c"), "1(5(2(a)b)c)");
  EXPECT_EQ(motifsOf(repeated(repeated("ab", 3) + "c", 4)), "1(4(3(ab)c))");
}

TEST(Motifs, WhatRepeatsNothingIsThereAsItIs) {
  EXPECT_EQ(motifsOf("abcd"), "1(abcd)");
  EXPECT_EQ(findMotifs({}).size(), 1u);
}

TEST(Motifs, RoundsOfDifferentLengthAreNoLoop) {
  EXPECT_EQ(motifsOf("abbcabbbc"), "1(a2(b)ca3(b)c)");
}

TEST(Motifs, ANodeBeginsAtTheLaunchOfItsFirstRound) {
  const auto Nodes = findMotifs(launches("xababc"));
  const std::vector<uint32_t> First = {0, 0, 1, 1, 2, 5};
  ASSERT_EQ(Nodes.size(), First.size());
  for (size_t I = 0; I < First.size(); ++I)
    EXPECT_EQ(Nodes[I].First, First[I]) << I;
}

TEST(Motifs, LaunchesOfOneRoundHaveThePositionsOfTheOthers) {
  const Sequence Positions = {1, 3, 4, 3, 4, 5};
  EXPECT_EQ(motifPositions(findMotifs(launches("xababc"))), Positions);
}

TEST(Motifs, TheNodesStandForTheSequence) {
  std::mt19937 Roll(1);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    Sequence Kinds;
    while (Kinds.size() < 60) {
      const Sequence Before = Kinds;
      for (unsigned I = Roll() % 4; I > 0; --I)
        Kinds.push_back('a' + Roll() % 3);
      if (Roll() % 3 == 0)
        Kinds.insert(Kinds.end(), Before.begin(), Before.end());
    }
    ASSERT_EQ(expanded(Kinds), Kinds) << Round;
  }
}

TEST(Motifs, AHundredThousandStepsAreFoldedAsTheyCome) {
  const std::string Step = "abcdefghij";
  const Sequence Kinds = launches(repeated(Step, 10000));
  const auto Nodes = findMotifs(Kinds);
  ASSERT_EQ(Nodes.size(), 12u);
  EXPECT_EQ(Nodes[1].Count, 10000u);
}
