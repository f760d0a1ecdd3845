// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: footprints and launches written as formulas, for the tests of
// runtime/launch. Every kernel built here has the same symbols: the indices and
// sizes, four pointers (arguments 0 to 3), four ints (arguments 4 to 7), two
// loop counters, four quotients, two powers and two values.

#ifndef BLOCKMAESTRO_TEST_UNIT_LAUNCH_BUILDERS_H
#define BLOCKMAESTRO_TEST_UNIT_LAUNCH_BUILDERS_H

#include "Allocations.h"

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/Launch.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro::test {

/// A polynomial under construction; also evaluates itself.
class Poly {
public:
  Poly(int64_t Number = 0);
  static Poly symbol(uint16_t Index);

  Poly operator+(const Poly &O) const;
  Poly operator-(const Poly &O) const;
  Poly operator*(const Poly &O) const;

  Polynomial build() const;
  /// Modulo 2^64, with Values[i] for symbol i.
  int64_t at(const std::vector<int64_t> &Values) const;
  bool mentions(uint16_t Symbol) const;
  /// As text: Names[i] for symbol i, or Values[i] where the name is empty.
  std::string text(const std::vector<std::string> &Names,
                   const std::vector<int64_t> &Values) const;

private:
  std::map<std::vector<uint16_t>, int64_t> Terms;
};

inline Poly operator+(int64_t A, const Poly &B) { return Poly(A) + B; }
inline Poly operator-(int64_t A, const Poly &B) { return Poly(A) - B; }
inline Poly operator*(int64_t A, const Poly &B) { return Poly(A) * B; }

/// Symbols of every kernel built here, in this order.
enum SymbolIndex : uint16_t {
  Tx,
  Ty,
  Tz,
  Bx,
  By,
  Bz,
  DimX,
  DimY,
  DimZ,
  GridX,
  GridY,
  GridZ,
  Int0,
  Int1,
  Int2,
  Int3,
  Counter0,
  Counter1,
  Quotient0,
  Quotient1,
  Quotient2,
  Quotient3,
  Power0,
  Power1,
  Value0,
  Value1,
  SymbolCount,
};

inline const Poly tx = Poly::symbol(Tx), ty = Poly::symbol(Ty),
                  tz = Poly::symbol(Tz), bx = Poly::symbol(Bx),
                  by = Poly::symbol(By), bz = Poly::symbol(Bz),
                  dimX = Poly::symbol(DimX), dimY = Poly::symbol(DimY),
                  dimZ = Poly::symbol(DimZ), gridX = Poly::symbol(GridX),
                  gridY = Poly::symbol(GridY), int0 = Poly::symbol(Int0),
                  int1 = Poly::symbol(Int1), int2 = Poly::symbol(Int2),
                  int3 = Poly::symbol(Int3), counter0 = Poly::symbol(Counter0),
                  counter1 = Poly::symbol(Counter1),
                  quotient0 = Poly::symbol(Quotient0),
                  quotient1 = Poly::symbol(Quotient1),
                  quotient2 = Poly::symbol(Quotient2),
                  quotient3 = Poly::symbol(Quotient3),
                  power0 = Poly::symbol(Power0), power1 = Poly::symbol(Power1),
                  value0 = Poly::symbol(Value0), value1 = Poly::symbol(Value1);

/// One access: pointer argument, element size, index in elements, guards
/// (each >= 0).
struct AccessSpec {
  AccessKind Kind = AccessKind::Read;
  uint16_t Pointer = 0;
  uint32_t ElementBytes = 4;
  Poly Index;
  std::vector<Poly> Guards;
  /// The program computes Index (and the guards) in 32-bit ints.
  bool Int32 = false;
};

/// Above / Below, rounded down.
struct QuotientSpec {
  Poly Above;
  Poly Below = Poly(1);
};

struct ValueSpec {
  Poly Low;
  Poly High;
};

/// A kernel, a launch of it, and the memory it runs in. The powers, quotients 0
/// and 1, the values, quotients 2 and 3 use earlier ones only. An access inside
/// a loop whose extent is not one number at the launch gets the condition of
/// the loop.
struct Case {
  std::vector<AccessSpec> Accesses;
  std::array<Poly, 2> Extents = {Poly(1), Poly(1)}; ///< Of the counters.
  std::array<QuotientSpec, 4> Quotients;
  std::array<Poly, 2> Powers; ///< The exponents.
  std::array<ValueSpec, 2> Values;
  Dim3 Grid;
  Dim3 Block;
  std::array<uint64_t, 4> Pointers = {0, 0, 0, 0};
  std::array<int32_t, 4> Ints = {0, 0, 0, 0};

  KernelRecord kernel() const;
  /// Sizes and arguments by symbol; the indices are 0.
  std::vector<int64_t> numbers() const;
  /// Fills in quotients, powers and values from the rest of V. A value is some
  /// number of its range, always the same for the same V. Bit s is set when
  /// symbol s has no value: a divisor below 1, an exponent outside 0 to 62, an
  /// empty range.
  uint32_t compute(std::vector<int64_t> &V) const;
  /// Bit s is set when What uses symbol s.
  uint32_t used(const AccessSpec &What) const;
  /// Whether What mentions Symbol, through other symbols too.
  bool uses(const Poly &What, uint16_t Symbol) const;
  bool uses(const AccessSpec &What, uint16_t Symbol) const;
  /// All of it, for failing tests.
  std::string text() const;
  /// Keeps a pointer to Kernel.
  Launch launch(const KernelRecord &Kernel, uint64_t Id = 0) const;
};

/// Four allocations, one per name, far from each other.
inline constexpr uint64_t MemoryA = 0x100000000000;
inline constexpr uint64_t MemoryB = 0x200000000000;
inline constexpr uint64_t MemoryC = 0x300000000000;
inline constexpr uint64_t MemoryD = 0x400000000000;

/// Their names in tests that use them in every line.
namespace short_names {
inline constexpr uint64_t A = MemoryA, B = MemoryB, C = MemoryC;
}

/// A, B, C and D, each of Bytes bytes.
AllocationMap memory(uint64_t Bytes);

/// A kernel of one access; its four pointers are A, B, C and D.
Case one(AccessSpec What, Dim3 Grid, Dim3 Block);
/// One that reads floats of A.
Case one(const Poly &Index, Dim3 Grid, Dim3 Block);

/// One block that touches each allocation anywhere, and writes where true.
LaunchAccesses ranges(const std::vector<std::pair<Allocation, bool>> &Of);

} // namespace blockmaestro::test

#endif
