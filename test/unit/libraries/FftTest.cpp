// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transform.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::fft;

namespace {

TransformShape plane(cufftType Type, long long Rows, long long Columns) {
  TransformShape Out;
  Out.Type = Type;
  Out.Rank = 2;
  Out.Sizes = {Rows, Columns, 1};
  return Out;
}

TEST(Fft, TheDefaultLayoutOfRealNumbersIsPaddedInPlace) {
  const TransformShape Shape = plane(CUFFT_R2C, 4, 7);
  const TransformLoops Apart(Shape, false), InPlace(Shape, true);
  EXPECT_EQ(Apart.Inner[0].StepIn, 7);
  EXPECT_EQ(Apart.Inner[0].StepOut, 4); // 7 / 2 + 1
  EXPECT_EQ(InPlace.Inner[0].StepIn, 8);
  EXPECT_EQ(InPlace.Inner[0].StepOut, 4);
}

TEST(Fft, WhatTransformsTouch) {
  const TransformShape Shape = plane(CUFFT_D2Z, 4, 7);
  EXPECT_EQ(touchedIn(Shape, nullptr, false).bytes(), 4 * 7 * 8u);
  EXPECT_EQ(touchedOut(Shape, nullptr, false).bytes(), 4 * 4 * 16u);
  EXPECT_EQ(touchedIn(Shape, nullptr, true).bytes(), (3 * 8 + 7) * 8u);
}

TEST(Fft, ColumnsOfAMatrixLieInOneAnother) {
  TransformShape Shape; // 4 transforms of 6 numbers, 4 apart.
  Shape.Sizes = {6, 1, 1};
  Shape.Batch = 4;
  Shape.Advanced = true;
  Shape.In = {{6, 0, 0}, 4, 1};
  Shape.Out = {{6, 0, 0}, 1, 8};
  EXPECT_EQ(touchedIn(Shape, nullptr, false).span(), 24 * 8u);
  const TouchedBox Out = touchedOut(Shape, nullptr, false);
  EXPECT_EQ(Out.Rows, 4u);
  EXPECT_EQ(Out.Pitch, 64u);
  EXPECT_EQ(Out.Width, 48u);
}

} // namespace
