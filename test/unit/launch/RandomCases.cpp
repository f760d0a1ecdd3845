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

/// What kernels divide: threads, linear ids, counters, earlier results.
Poly RandomCases::dividend(uint16_t Number) {
  const Poly Linear = tx + dimX * ty, Global = bx * dimX + tx;
  const Poly Some[] = {tx,
                       tx,
                       Linear,
                       Linear,
                       Linear + dimX * dimY * tz,
                       Global,
                       Global,
                       bx,
                       by * gridX + bx,
                       counter0,
                       dimX - 1 - tx,
                       tx + smallNumber(-3, 5),
                       2 * tx + 3 * ty,
                       int2 - 1 - Global,
                       Global + counter0 * dimX * gridX,
                       tx * ty + bx};
  const bool Chain = Number > 0 && chance(40);
  if (Chain && Number >= 2 && chance(30))
    return value0;
  return Chain ? Poly::symbol(uint16_t(Quotient0 + pick(0, Number - 1)))
               : Some[pick(0, 15)];
}

Poly RandomCases::divisor() {
  const Poly Some[] = {Poly(2), Poly(3), Poly(4), Poly(8), dimX,
                       gridX,   int0,    power0,  power1,  int1 - 2};
  return Some[pick(0, chance(90) ? 8 : 9)];
}

/// A quotient, a remainder, a value, or an index.
Poly RandomCases::computedTerm(const Case &C) {
  const int64_t K = pick(0, 3);
  const Poly Q = Poly::symbol(uint16_t(Quotient0 + K));
  switch (pick(0, 5)) {
  case 0:
  case 1:
    return Q;
  case 2:
  case 3:
    return C.Quotients[size_t(K)].Above - C.Quotients[size_t(K)].Below * Q;
  case 4:
    return chance(30) ? Poly::symbol(uint16_t(Value0 + pick(0, 1))) : Q;
  default:
    return anyIndex();
  }
}

Poly RandomCases::computedGuard(const Case &C) {
  const Poly Term = computedTerm(C);
  switch (pick(0, 3)) {
  case 0:
    return 0 - Term;
  case 1:
    return smallNumber(0, 5) - Term;
  case 2:
    return Term - smallNumber(0, 3);
  default:
    return Term - computedTerm(C);
  }
}

/// A bound that follows the threads or blocks, or does not.
Poly RandomCases::lowerBound() {
  const Poly Some[] = {Poly(0), tx, bx * dimX, quotient0};
  return Some[pick(0, 3)];
}

Case RandomCases::nextComputed() {
  Case C = next();
  C.Block.X = uint32_t(pick(1, 16));
  C.Grid.Z = 1;
  C.Powers = {smallNumber(chance(5) ? -1 : 0, 3), int1 - smallNumber(0, 2)};
  C.Ints[1] = int32_t(pick(1, 6));
  for (uint16_t K = 0; K < 4; ++K)
    C.Quotients[K] = {dividend(K), divisor()};
  for (ValueSpec &V : C.Values) {
    V.Low = chance(50) ? Poly(0) : lowerBound();
    V.High = V.Low + (chance(50) ? smallNumber(0, 6) : int0);
  }
  const bool InLoop =
      C.uses(quotient0, Counter0) || C.uses(quotient0, Counter1);
  if (chance(30))
    C.Extents[0] = chance(50) && !InLoop ? quotient0 + 1 : smallNumber(0, 3);
  for (AccessSpec &A : C.Accesses) {
    if (chance(60))
      A.Index = smallNumber(-5, 5);
    const int64_t Scale[] = {1, 1, 2, 4, -1, 8, 16, 100};
    for (int64_t N = pick(1, 3); N > 0; --N)
      A.Index = A.Index + Scale[pick(0, 7)] * computedTerm(C);
    if (chance(20))
      A.Index = A.Index + int0 * computedTerm(C);
    for (int64_t N = pick(0, 2); N > 0; --N)
      A.Guards.push_back(computedGuard(C));
  }
  return C;
}

} // namespace blockmaestro::test
