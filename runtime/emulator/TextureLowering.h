// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: reads of textures and accesses of surfaces, from the markers that
// PTX became to host calls (TextureCalls) and, for a row of texels in plain
// memory that is read by number, to loads.
// On the data's way: PtxTextures makes the markers; lowered after Instrument,
// in every form.
// Invariants: afterwards no marker is left. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_TEXTURELOWERING_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_TEXTURELOWERING_H

#include "Texture.h"

#include "llvm/ADT/StringRef.h"

namespace blockmaestro {

struct ThreadCode;

// Each is called with the operands of the host call but the first three. Where
// that returns a vector, a marker returns a structure, which is not cast.
inline constexpr const char *TextureMarker = "bm.texture";
inline constexpr const char *TextureGradMarker = "bm.texture.grad";
inline constexpr const char *TexelMarker = "bm.texel";
inline constexpr const char *SurfaceReadMarker = "bm.surface.read";
inline constexpr const char *SurfaceWriteMarker = "bm.surface.write";

bool isImageMarker(llvm::StringRef Name);

/// When \p Observed, every read is a call, which tells the observer.
void lowerTextures(ThreadCode &T, bool Observed);

} // namespace blockmaestro

#endif
