// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builders.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro::test {

Poly::Poly(int64_t Number) {
  if (Number != 0)
    Terms[{}] = Number;
}

Poly Poly::symbol(uint16_t Index) {
  Poly P;
  P.Terms[{Index}] = 1;
  return P;
}

Poly Poly::operator+(const Poly &O) const {
  Poly Sum = *this;
  for (const auto &[Factors, Coefficient] : O.Terms)
    if ((Sum.Terms[Factors] += Coefficient) == 0)
      Sum.Terms.erase(Factors);
  return Sum;
}

Poly Poly::operator-(const Poly &O) const { return *this + Poly(-1) * O; }

Poly Poly::operator*(const Poly &O) const {
  Poly Product;
  for (const auto &[FactorsA, A] : Terms)
    for (const auto &[FactorsB, B] : O.Terms) {
      std::vector<uint16_t> Factors = FactorsA;
      Factors.insert(Factors.end(), FactorsB.begin(), FactorsB.end());
      std::sort(Factors.begin(), Factors.end());
      Poly Term;
      Term.Terms[Factors] = A * B;
      Product = Product + Term;
    }
  return Product;
}

Polynomial Poly::build() const {
  Polynomial P;
  for (const auto &[Factors, Coefficient] : Terms)
    P.Terms.push_back({Coefficient, Factors});
  return P;
}

int64_t Poly::at(const std::vector<int64_t> &Values) const {
  uint64_t Sum = 0;
  for (const auto &[Factors, Coefficient] : Terms) {
    uint64_t Product = uint64_t(Coefficient);
    for (uint16_t F : Factors)
      Product *= uint64_t(Values[F]);
    Sum += Product;
  }
  return int64_t(Sum);
}

bool Poly::mentions(uint16_t Symbol) const {
  return std::any_of(Terms.begin(), Terms.end(), [&](const auto &Term) {
    return std::count(Term.first.begin(), Term.first.end(), Symbol) != 0;
  });
}

std::string Poly::text(const std::vector<std::string> &Names,
                       const std::vector<int64_t> &Values) const {
  std::string Sum = "0";
  for (const auto &[Factors, Coefficient] : Terms) {
    int64_t Number = Coefficient;
    std::string Variables;
    for (uint16_t F : Factors)
      if (Names[F].empty())
        Number *= Values[F];
      else
        Variables += "*" + Names[F];
    Sum += " + " + std::to_string(Number) + Variables;
  }
  return Sum;
}

const Poly tx = Poly::symbol(Tx), ty = Poly::symbol(Ty), tz = Poly::symbol(Tz),
           bx = Poly::symbol(Bx), by = Poly::symbol(By), bz = Poly::symbol(Bz),
           dimX = Poly::symbol(DimX), dimY = Poly::symbol(DimY),
           dimZ = Poly::symbol(DimZ), gridX = Poly::symbol(GridX),
           gridY = Poly::symbol(GridY), int0 = Poly::symbol(Int0),
           int1 = Poly::symbol(Int1), int2 = Poly::symbol(Int2),
           int3 = Poly::symbol(Int3), counter0 = Poly::symbol(Counter0),
           counter1 = Poly::symbol(Counter1);

static std::vector<Symbol> allSymbols() {
  std::vector<Symbol> All;
  for (SymbolKind Kind : {SymbolKind::ThreadIdx, SymbolKind::BlockIdx,
                          SymbolKind::BlockDim, SymbolKind::GridDim})
    for (uint8_t D = 0; D < 3; ++D)
      All.push_back({Kind, D, 0, 0, 4, true});
  for (uint16_t I = 0; I < 4; ++I)
    All.push_back({SymbolKind::Argument, 0, uint16_t(4 + I), 0, 4, true});
  for (uint16_t I = 0; I < 2; ++I)
    All.push_back({SymbolKind::Counter, 0, I, 0, 4, true});
  return All;
}

static Access build(const AccessSpec &Spec) {
  Access A;
  A.Kind = Spec.Kind;
  A.Base.Kind = RootKind::Argument;
  A.Base.Argument = Spec.Pointer;
  A.ElementBytes = Spec.ElementBytes;
  A.Offset = (int64_t(Spec.ElementBytes) * Spec.Index).build();
  A.How = Exactness::Exact;
  for (const Poly &Guard : Spec.Guards)
    A.Domain.push_back({Guard.build(), false});
  if (!Spec.Int32)
    return A;
  A.Assumptions.push_back({Spec.Index.build(), 32, true});
  for (const Poly &Guard : Spec.Guards)
    A.Assumptions.push_back({Guard.build(), 32, true});
  return A;
}

KernelRecord Case::kernel() const {
  KernelRecord K;
  for (uint32_t I = 0; I < 4; ++I)
    K.Parameters.push_back({8 * I, 8, 8, true, false});
  for (uint32_t I = 0; I < 4; ++I)
    K.Parameters.push_back({32 + 4 * I, 4, 4, false, false});
  K.ArgumentBytes = 48;
  K.Bytes.Symbols = allSymbols();
  for (const Poly &Extent : Extents)
    K.Bytes.CounterExtents.push_back(Extent.build());
  for (const AccessSpec &Spec : Accesses)
    K.Bytes.Accesses.push_back(build(Spec));
  return K;
}

std::vector<int64_t> Case::numbers() const {
  std::vector<int64_t> V(SymbolCount);
  for (unsigned D = 0; D < 3; ++D) {
    V[DimX + D] = Block[D];
    V[GridX + D] = Grid[D];
  }
  std::copy(Ints.begin(), Ints.end(), V.begin() + Int0);
  return V;
}

Launch Case::launch(const KernelRecord &Kernel, uint64_t Id) const {
  Launch L;
  L.Id = Id;
  L.Kernel = &Kernel;
  L.Grid = Grid;
  L.Block = Block;
  L.Arguments.resize(48);
  std::memcpy(L.Arguments.data(), Pointers.data(), 32);
  std::memcpy(L.Arguments.data() + 32, Ints.data(), 16);
  return L;
}

AllocationMap memory(uint64_t Bytes) {
  AllocationMap Known;
  for (uint64_t Base : {MemoryA, MemoryB, MemoryC, MemoryD})
    Known.add({Base, Bytes});
  return Known;
}

} // namespace blockmaestro::test
