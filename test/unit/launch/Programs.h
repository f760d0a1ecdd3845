// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the three example programs' kernels as formulas, for any size.

#ifndef BLOCKMAESTRO_TEST_UNIT_LAUNCH_PROGRAMS_H
#define BLOCKMAESTRO_TEST_UNIT_LAUNCH_PROGRAMS_H

#include "Builders.h"

namespace blockmaestro::test {

/// Out[i] = f(In[i]) for i < Size, one thread each.
Case vectorMap(uint64_t In, uint64_t Out, int32_t Size, uint32_t Threads);

/// Out[i] += In[i].
Case vectorAddInPlace(uint64_t In, uint64_t Out, int32_t Size,
                      uint32_t Threads);

/// Out = five points of In, the inside of Width x Height only.
Case stencil(uint64_t In, uint64_t Out, int32_t Width, int32_t Height,
             Dim3 Block);

/// Out (Height wide) = transposed In (Width wide), Tile x Tile by Tile x Rows
/// threads through shared memory.
Case transpose(uint64_t In, uint64_t Out, int32_t Width, int32_t Height,
               int32_t Tile, int32_t Rows);

/// Out[y*Width+x] = In[..] + Other[..], over 2-D blocks.
Case matrixAdd(uint64_t In, uint64_t Other, uint64_t Out, int32_t Width,
               int32_t Height, Dim3 Block);

/// Blocks tiles of Tile x Tile on an anti-diagonal of a matrix Pitch wide, in
/// place: each reads the row above, the column to the left and the corner of
/// both. The first is at tile row First.
Case diagonalTiles(uint64_t Matrix, int32_t Pitch, int32_t Tile,
                   int32_t Diagonal, int32_t First, uint32_t Blocks);

} // namespace blockmaestro::test

#endif
