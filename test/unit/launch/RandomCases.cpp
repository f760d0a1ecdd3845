// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomCases.h"

namespace blockmaestro::test {

static constexpr uint64_t Middle = uint64_t(1) << 39;

AllocationMap randomMemory() {
  AllocationMap Known;
  Known.add({MemoryA, uint64_t(1) << 40});
  Known.add({MemoryB, uint64_t(1) << 40});
  return Known;
}

int64_t RandomCases::pick(int64_t Low, int64_t High) {
  return Low + int64_t(Engine() % uint64_t(High - Low + 1));
}

Poly RandomCases::smallNumber(int64_t Low, int64_t High) {
  return Poly(pick(Low, High));
}

Poly RandomCases::anyIndex() {
  const Poly All[] = {tx, ty, tz, bx, by, bz, counter0, counter1};
  return All[pick(0, 7)];
}

/// Rows of a pitch near what the grid needs: sometimes the rows overlap.
Poly RandomCases::rowMajor() {
  Poly Index = (Row + smallNumber(-1, 1)) * Pitch + Column + smallNumber(-1, 1);
  if (chance(20))
    Index = Index + bz * Pitch * smallNumber(3, 12);
  if (chance(20))
    Index = Index * 2 + counter0;
  return Index;
}

/// One dimension, forwards, backwards, strided, in loops.
Poly RandomCases::linear() {
  const Poly I = bx * dimX + tx;
  switch (pick(0, 5)) {
  case 0:
    return I + smallNumber(-3, 3);
  case 1:
    return 50 - I;
  case 2:
    return I * pick(2, 3) + smallNumber(0, 1);
  case 3:
    return I + counter0 * dimX * gridX;
  case 4:
    return tx * gridX + bx;
  default:
    return (by * gridX + bx) * dimX + tx;
  }
}

/// A sum of anything, now and then a product of two indices.
Poly RandomCases::scattered() {
  Poly Sum = smallNumber(-10, 10);
  for (int64_t N = pick(1, 4); N > 0; --N)
    Sum = Sum + pick(-9, 9) * anyIndex();
  if (chance(15))
    Sum = Sum + anyIndex() * anyIndex();
  return Sum;
}

Poly RandomCases::guard() {
  switch (pick(0, 9)) {
  case 0:
    return int0 - 1 - Column;
  case 1:
    return int1 - 1 - Row;
  case 2:
    return Column - 1;
  case 3:
    return Row - 1;
  case 4:
    return smallNumber(0, 2) - tx;
  case 5:
    return bx - smallNumber(0, 2);
  case 6:
    return smallNumber(0, 2) - by;
  case 7:
    return int2 - 1 - bx * dimX - tx;
  case 8:
    return int0 * int1 - 1 - Row * Pitch - Column;
  default:
    return smallNumber(-4, 12) + pick(-3, 3) * anyIndex() +
           pick(-3, 3) * anyIndex();
  }
}

AccessSpec RandomCases::access() {
  AccessSpec A;
  A.Kind = chance(45)   ? AccessKind::Write
           : chance(85) ? AccessKind::Read
                        : AccessKind::Atomic;
  A.Pointer = uint16_t(pick(0, 2));
  A.ElementBytes = chance(75) ? 4 : uint32_t(1) << pick(0, 4);
  A.Index = chance(50) ? rowMajor() : chance(60) ? linear() : scattered();
  for (int64_t N = pick(0, 3); N > 0; --N)
    A.Guards.push_back(guard());
  A.Int32 = chance(30);
  if (A.Int32 && chance(30))
    A.Index = A.Index + int3;
  return A;
}

Case RandomCases::next() {
  Case C;
  const bool Loops = chance(40);
  C.Extents[0] = Loops ? smallNumber(0, 3) : Poly(1);
  C.Extents[1] = chance(80) ? Poly(1) : counter0 + smallNumber(0, 1);
  const int64_t Dimensions = pick(1, 3);
  C.Grid = {uint32_t(pick(1, Dimensions == 1 ? 9 : 4)),
            uint32_t(Dimensions > 1 ? pick(1, 4) : 1),
            uint32_t(Dimensions > 2 ? pick(1, 2) : 1)};
  C.Block = {uint32_t(pick(1, 6)), uint32_t(Dimensions > 1 ? pick(1, 3) : 1),
             uint32_t(Dimensions > 2 ? pick(1, 2) : 1)};
  const int32_t Width = int32_t(C.Grid.X * C.Block.X - pick(0, 3));
  const int32_t Height = int32_t(C.Grid.Y * C.Block.Y - pick(0, 2));
  C.Ints = {Width, Height, int32_t(pick(1, 40)),
            int32_t(INT32_MAX - pick(0, 40))};
  const bool Swapped = chance(20);
  Column = (Swapped ? by : bx) * dimX + tx;
  Row = (Swapped ? bx : by) * dimY + ty;
  Pitch = chance(60) ? int0 : Poly(pick(std::max(1, Width - 2), Width + 8));
  for (int64_t N = pick(1, 3); N > 0; --N)
    C.Accesses.push_back(access());
  C.Pointers = {MemoryA + Middle, MemoryB + Middle,
                MemoryA + Middle + uint64_t(pick(0, 12) * (chance(80) ? 4 : 1)),
                0};
  return C;
}

} // namespace blockmaestro::test
