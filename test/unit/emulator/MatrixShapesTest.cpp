// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixShapes.h"

#include <gtest/gtest.h>

#include <vector>

namespace blockmaestro {
namespace {

/// How often each number of a matrix is in some lane's distinct registers.
std::vector<unsigned> held(MatrixPart Part, MatrixShape S,
                           MatrixNumber Number) {
  std::vector<unsigned> Times(rowsOf(Part, S) * columnsOf(Part, S));
  for (unsigned R = 0; R < distinctRegisters(Part, S, Number); ++R) {
    MatrixPlace Place = placeOf(Part, S, Number, R);
    for (unsigned Lane = 0; Lane < 32; ++Lane)
      for (unsigned E = 0; E < perRegister(Number); ++E)
        ++Times.at(Place.Row.at(Lane, E) * columnsOf(Part, S) +
                   Place.Column.at(Lane, E));
  }
  return Times;
}

TEST(MatrixShapesTest, EveryNumberIsHeldOnce) {
  const struct {
    MatrixShape Shape;
    MatrixNumber Factor;
    MatrixNumber Sum;
  } Cases[] = {
      {{16, 8, 16}, MatrixNumber::F16, MatrixNumber::F32},
      {{16, 8, 8}, MatrixNumber::BF16, MatrixNumber::F16},
      {{16, 8, 4}, MatrixNumber::TF32, MatrixNumber::F32},
      {{16, 8, 16}, MatrixNumber::F64, MatrixNumber::F64},
      {{8, 8, 4}, MatrixNumber::F64, MatrixNumber::F64},
      {{16, 8, 32}, MatrixNumber::S8, MatrixNumber::S32},
      {{8, 8, 32}, MatrixNumber::U4, MatrixNumber::S32},
      {{16, 8, 256}, MatrixNumber::B1, MatrixNumber::S32},
      {{32, 8, 16}, MatrixNumber::F16, MatrixNumber::F16},
      {{8, 32, 16}, MatrixNumber::U8, MatrixNumber::S32},
      {{16, 16, 8}, MatrixNumber::TF32, MatrixNumber::F32},
  };
  for (const auto &Case : Cases) {
    std::vector<unsigned> Once(Case.Shape.M * Case.Shape.K, 1);
    EXPECT_EQ(held(MatrixPart::A, Case.Shape, Case.Factor), Once);
    Once.assign(Case.Shape.K * Case.Shape.N, 1);
    EXPECT_EQ(held(MatrixPart::B, Case.Shape, Case.Factor), Once);
    Once.assign(Case.Shape.M * Case.Shape.N, 1);
    EXPECT_EQ(held(MatrixPart::Accumulator, Case.Shape, Case.Sum), Once);
  }
}

TEST(MatrixShapesTest, PackedProductsComeBack) {
  MatrixProduct P{{16, 8, 256},
                  MatrixNumber::B1,
                  MatrixNumber::B1,
                  MatrixNumber::S32,
                  MatrixNumber::S32,
                  false,
                  true,
                  true,
                  false};
  EXPECT_EQ(unpackProduct(packProduct(P)), P);
}

/// D = A * B + C of doubles, one of whose lanes is missing.
TEST(MatrixShapesTest, AMissingLaneCountsAsZeros) {
  MatrixProduct P{{8, 8, 4},
                  MatrixNumber::F64,
                  MatrixNumber::F64,
                  MatrixNumber::F64,
                  MatrixNumber::F64};
  const MatrixMemory At(P);
  std::vector<std::vector<double>> Lanes(32, std::vector<double>(At.Bytes / 8));
  uint8_t *Memories[32] = {};
  for (unsigned Lane = 0; Lane < 32; ++Lane) {
    double *Words = Lanes[Lane].data();
    reinterpret_cast<uint64_t *>(Words)[0] = packProduct(P);
    Words[At.A / 8] = 2;
    Words[At.B / 8] = 3;
    Words[At.C / 8] = Words[At.C / 8 + 1] = 1;
    if (Lane != 5)
      Memories[Lane] = reinterpret_cast<uint8_t *>(Words);
  }
  multiplyMatrices(Memories);
  EXPECT_EQ(Lanes[0][At.D / 8], 25);
  // Lane 5 has A[1][1], B[1][1] and the accumulators [1][2] and [1][3].
  EXPECT_EQ(Lanes[4][At.D / 8], 19);
  EXPECT_EQ(Lanes[4][At.D / 8 + 1], 19);
  EXPECT_EQ(Lanes[0][At.D / 8 + 1], 19);
  EXPECT_EQ(Lanes[5][At.D / 8], 0);
}

} // namespace
} // namespace blockmaestro
