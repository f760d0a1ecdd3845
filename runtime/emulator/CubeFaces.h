// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where on the faces of a cube a direction points.
// On the data's way: used by TextureFilter. Threads: stateless.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_CUBEFACES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_CUBEFACES_H

#include <array>
#include <cstdint>

namespace blockmaestro {

inline constexpr uint32_t FacesOfCube = 6;

/// A direction as seen by a face of the cube: along its rows, its columns, and
/// away from its middle.
struct FaceDirection {
  uint32_t Face = 0;
  double S = 0;
  double T = 0;
  double M = 0;

  /// From 0 to 1 along rows and columns; the middle for the direction 0.
  double u() const { return M == 0 ? 0.5 : (S / M + 1) / 2; }
  double v() const { return M == 0 ? 0.5 : (T / M + 1) / 2; }
};

/// The face that \p Where points to. Of axes that are equally long z counts
/// before y and y before x.
uint32_t faceOf(const std::array<double, 3> &Where);

/// \p Where as \p Face sees it.
FaceDirection seenBy(uint32_t Face, const std::array<double, 3> &Where);

/// The direction to a place of a face's plane, which may lie beside the face.
std::array<double, 3> directionTo(uint32_t Face, double S, double T);

} // namespace blockmaestro

#endif
