// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CubeFaces.h"

#include <cmath>

namespace blockmaestro {

namespace {

/// An axis of a face: which of x, y and z, and its sign.
struct Axis {
  unsigned Number;
  int Sign;
};

/// The table of the guide's section about cubemap textures.
struct FaceRow {
  Axis M, S, T;
};
constexpr FaceRow Faces[FacesOfCube] = {
    {{0, 1}, {2, -1}, {1, -1}}, {{0, -1}, {2, 1}, {1, -1}},
    {{1, 1}, {0, 1}, {2, 1}},   {{1, -1}, {0, 1}, {2, -1}},
    {{2, 1}, {0, 1}, {1, -1}},  {{2, -1}, {0, -1}, {1, -1}},
};

double along(const std::array<double, 3> &Where, Axis A) {
  return Where[A.Number] * A.Sign;
}

} // namespace

uint32_t faceOf(const std::array<double, 3> &Where) {
  unsigned Longest = 2;
  for (unsigned N : {1u, 0u})
    if (std::fabs(Where[N]) > std::fabs(Where[Longest]))
      Longest = N;
  return 2 * Longest + (Where[Longest] < 0 ? 1 : 0);
}

FaceDirection seenBy(uint32_t Face, const std::array<double, 3> &Where) {
  const FaceRow &Row = Faces[Face];
  return {Face, along(Where, Row.S), along(Where, Row.T), along(Where, Row.M)};
}

std::array<double, 3> directionTo(uint32_t Face, double S, double T) {
  const FaceRow &Row = Faces[Face];
  std::array<double, 3> Out = {};
  Out[Row.M.Number] = Row.M.Sign;
  Out[Row.S.Number] = S * Row.S.Sign;
  Out[Row.T.Number] = T * Row.T.Sign;
  return Out;
}

} // namespace blockmaestro
