// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Programs.h"

namespace blockmaestro::test {

static uint32_t blocksFor(int32_t Size, uint32_t Each) {
  return (uint32_t(Size) + Each - 1) / Each;
}

static constexpr AccessKind Read = AccessKind::Read, Write = AccessKind::Write;

Case vectorMap(uint64_t In, uint64_t Out, int32_t Size, uint32_t Threads) {
  const Poly I = bx * dimX + tx;
  const std::vector<Poly> Guard = {int0 - 1 - I};
  Case C;
  C.Accesses = {{Read, 0, 4, I, Guard, true}, {Write, 1, 4, I, Guard, true}};
  C.Grid = {blocksFor(Size, Threads), 1, 1};
  C.Block = {Threads, 1, 1};
  C.Pointers = {In, Out, 0, 0};
  C.Ints = {Size, 0, 0, 0};
  return C;
}

Case vectorAddInPlace(uint64_t In, uint64_t Out, int32_t Size,
                      uint32_t Threads) {
  Case C = vectorMap(In, Out, Size, Threads);
  C.Accesses.push_back(C.Accesses[0]);
  C.Accesses.back().Pointer = 1;
  return C;
}

Case stencil(uint64_t In, uint64_t Out, int32_t Width, int32_t Height,
             Dim3 Block) {
  const Poly Col = bx * dimX + tx, Row = by * dimY + ty;
  const std::vector<Poly> Inside = {Col - 1, int0 - 2 - Col, Row - 1,
                                    int1 - 2 - Row};
  auto At = [&](const Poly &DX, const Poly &DY) {
    return (Row + DY) * int0 + Col + DX;
  };
  Case C;
  for (auto [DX, DY] : {std::pair{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}})
    C.Accesses.push_back({Read, 0, 4, At(DX, DY), Inside, true});
  C.Accesses.push_back({Write, 1, 4, At(0, 0), Inside, true});
  C.Grid = {blocksFor(Width, Block.X), blocksFor(Height, Block.Y), 1};
  C.Block = Block;
  C.Pointers = {In, Out, 0, 0};
  C.Ints = {Width, Height, 0, 0};
  return C;
}

Case transpose(uint64_t In, uint64_t Out, int32_t Width, int32_t Height,
               int32_t Tile, int32_t Rows) {
  auto At = [&](const Poly &BlockX, const Poly &BlockY, const Poly &Pitch) {
    return (BlockY * Tile + ty + Rows * counter0) * Pitch + BlockX * Tile + tx;
  };
  auto Guards = [&](const Poly &BlockX, const Poly &BlockY, const Poly &W,
                    const Poly &H) {
    return std::vector<Poly>{W - 1 - BlockX * Tile - tx,
                             H - 1 - BlockY * Tile - ty - Rows * counter0};
  };
  Case C;
  C.Accesses = {
      {Read, 0, 4, At(bx, by, int0), Guards(bx, by, int0, int1), true},
      {Write, 1, 4, At(by, bx, int1), Guards(by, bx, int1, int0), true}};
  C.Extents[0] = Tile / Rows;
  C.Grid = {blocksFor(Width, uint32_t(Tile)), blocksFor(Height, uint32_t(Tile)),
            1};
  C.Block = {uint32_t(Tile), uint32_t(Rows), 1};
  C.Pointers = {In, Out, 0, 0};
  C.Ints = {Width, Height, 0, 0};
  return C;
}

Case matrixAdd(uint64_t In, uint64_t Other, uint64_t Out, int32_t Width,
               int32_t Height, Dim3 Block) {
  const Poly Col = bx * dimX + tx, Row = by * dimY + ty;
  const std::vector<Poly> Guards = {int0 - 1 - Col, int1 - 1 - Row};
  const Poly I = Row * int0 + Col;
  Case C;
  C.Accesses = {{Read, 0, 4, I, Guards, true},
                {Read, 1, 4, I, Guards, true},
                {Write, 2, 4, I, Guards, true}};
  C.Grid = {blocksFor(Width, Block.X), blocksFor(Height, Block.Y), 1};
  C.Block = Block;
  C.Pointers = {In, Other, Out, 0};
  C.Ints = {Width, Height, 0, 0};
  return C;
}

Case diagonalTiles(uint64_t Matrix, int32_t Pitch, int32_t Tile,
                   int32_t Diagonal, int32_t First, uint32_t Blocks) {
  const Poly TileRow = int2 + bx, TileColumn = int1 - int2 - bx;
  const Poly Corner = TileRow * Tile * int0 + TileColumn * Tile;
  Case C;
  C.Accesses = {
      {Read, 0, 4, Corner, {Poly(0) - tx}, true},
      {Read, 0, 4, Corner + tx + 1, {}, true},
      {Read, 0, 4, Corner + (tx + 1) * int0, {}, true},
      {Write, 0, 4, Corner + (counter0 + 1) * int0 + tx + 1, {}, true}};
  C.Extents[0] = Tile;
  C.Grid = {Blocks, 1, 1};
  C.Block = {uint32_t(Tile), 1, 1};
  C.Pointers = {Matrix, 0, 0, 0};
  C.Ints = {Pitch, Diagonal, First, 0};
  return C;
}

} // namespace blockmaestro::test
