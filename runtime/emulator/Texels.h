// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one texel as four values, and how it is read from memory.
// On the data's way: memory of an ImageView -> here -> TextureFilter.
// Threads: stateless.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_TEXELS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_TEXELS_H

#include "Texture.h"

#include <cstring>

namespace blockmaestro {

/// The bits of four components, in one register: of floats where the view gives
/// floats.
using Texel = uint32_t __attribute__((vector_size(16)));

/// Whether reads of \p View give floats.
bool givesFloats(const ImageView &View);

/// What is read of components that are not stored: 0, and the fourth 1.
Texel emptyTexel(const ImageView &View);

/// texelAt() of any format.
Texel anyTexelAt(const ImageView &View, const uint8_t *Address);

/// The texel stored at \p Address as \p View reads it.
inline Texel texelAt(const ImageView &View, const uint8_t *Address) {
  constexpr uint32_t FloatOne = 0x3f800000;
  if (View.Format != TexelFormat{ComponentKind::Float, 32, 1})
    return anyTexelAt(View, Address);
  uint32_t Only;
  std::memcpy(&Only, Address, sizeof Only);
  return {Only, 0, 0, FloatOne};
}

/// What is read where there is no texel.
Texel borderOf(const ImageView &View);

} // namespace blockmaestro

#endif
