// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host calls by which kernels read textures and read and write
// surfaces.
// On the data's way: from compiled code (TextureLowering) to TextureFilter; all
// that is touched is told to the observer, where there is one.
// Invariants: what no object's handle can be ends the block.
// Threads: the worker that runs the block.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_TEXTURECALLS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_TEXTURECALLS_H

#include "BlockContext.h"
#include "Texels.h"

#include <cstdint>

namespace blockmaestro {

/// The bytes of an access of a surface, the first ones lowest.
struct SurfaceBytes {
  uint64_t Low;
  uint64_t High;
};

} // namespace blockmaestro

extern "C" {

/// \p Packed is an ImageAccess; \p Site a number of CompiledKernel::Sites.
blockmaestro::Texel bm_texture(blockmaestro::BlockContext *Context,
                               uint32_t Thread, uint32_t Site, uint64_t Handle,
                               uint32_t Packed, uint32_t Layer, float X,
                               float Y, float Z, float Level);
/// The level is that of the slopes of the coordinates.
blockmaestro::Texel
bm_texture_grad(blockmaestro::BlockContext *Context, uint32_t Thread,
                uint32_t Site, uint64_t Handle, uint32_t Packed, uint32_t Layer,
                float X, float Y, float Z, float XAlongX, float YAlongX,
                float ZAlongX, float XAlongY, float YAlongY, float ZAlongY);
/// The texel of this number.
blockmaestro::Texel bm_texel(blockmaestro::BlockContext *Context,
                             uint32_t Thread, uint32_t Site, uint64_t Handle,
                             uint32_t Packed, uint32_t Layer, int32_t X,
                             int32_t Y, int32_t Z);
/// \p Packed is a SurfaceAccess; \p X counts bytes.
blockmaestro::SurfaceBytes bm_surface_read(blockmaestro::BlockContext *Context,
                                           uint32_t Thread, uint32_t Site,
                                           uint64_t Handle, uint32_t Packed,
                                           uint32_t Layer, int32_t X, int32_t Y,
                                           int32_t Z);
void bm_surface_write(blockmaestro::BlockContext *Context, uint32_t Thread,
                      uint32_t Site, uint64_t Handle, uint32_t Packed,
                      uint32_t Layer, int32_t X, int32_t Y, int32_t Z,
                      uint64_t Low, uint64_t High);
}

#endif
