// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the value of a texture at coordinates, as the appendix "Texture
// Fetching" of the CUDA programming guide defines it.
// On the data's way: TextureCalls -> here -> Texels.
// Invariants: no read is outside the view's levels, whatever the coordinates.
// Threads: stateless.
//
// Note [Weights]
// The guide keeps the weights of linear filtering, and of what lies between two
// levels, in fixed point with 8 bits of fraction, so that 1 is among them. A
// coordinate is rounded to the nearest 1/256; where that carries, the lower
// texel is the next one and the weight 0, which is the same value. For gathers
// the guide says that it is so. Sums are rounded once, at the end.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_TEXTUREFILTER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_TEXTUREFILTER_H

#include "Texels.h"

#include <array>

namespace blockmaestro {

/// The texels that one read touches.
struct TouchedTexels {
  /// Of two levels four texels, for each of which three may stand.
  static constexpr unsigned Most = 24;

  const uint8_t *Address[Most];
  unsigned Count = 0;
};

/// Along x, y and z; those that the shape lacks do not count.
using Coordinates = std::array<float, 3>;

struct TextureRead {
  const ImageView &View;
  ImageAccess How;
  uint32_t Layer = 0;               ///< Beyond the last one is the last one.
  TouchedTexels *Touched = nullptr; ///< Null when nobody asks.
};

/// The value at \p Where; \p Level counts only when How.hasLevel().
Texel sampleTexture(const TextureRead &Read, const Coordinates &Where,
                    float Level);

/// The level that the slopes of the coordinates along x and y of a picture ask
/// for.
float levelOfSlopes(const TextureRead &Read, const Coordinates &Where,
                    const Coordinates &AlongX, const Coordinates &AlongY);

/// The texel of this number along each axis, unfiltered.
Texel texelOf(const TextureRead &Read, const std::array<int32_t, 3> &Where);

} // namespace blockmaestro

#endif
