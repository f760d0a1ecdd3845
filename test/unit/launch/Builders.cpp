// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builders.h"

#include <algorithm>
#include <cstring>
#include <utility>

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

static std::vector<Symbol> allSymbols() {
  std::vector<Symbol> All;
  for (SymbolKind Kind : {SymbolKind::ThreadIdx, SymbolKind::BlockIdx,
                          SymbolKind::BlockDim, SymbolKind::GridDim})
    for (uint8_t D = 0; D < 3; ++D)
      All.push_back({Kind, D, 0, 0, 4, true});
  for (uint16_t I = 0; I < 4; ++I)
    All.push_back({SymbolKind::Argument, 0, uint16_t(4 + I), 0, 4, true});
  const std::pair<SymbolKind, uint16_t> Lists[] = {{SymbolKind::Counter, 2},
                                                   {SymbolKind::Quotient, 4},
                                                   {SymbolKind::Power, 2},
                                                   {SymbolKind::Value, 2}};
  for (auto [Kind, Count] : Lists)
    for (uint16_t I = 0; I < Count; ++I)
      All.push_back({Kind, 0, I, 0, 4, true});
  return All;
}

/// The symbols a polynomial is made of, for those that are.
static std::vector<Poly> partsOf(const Case &Of, uint16_t Symbol) {
  if (Symbol >= Counter0 && Symbol <= Counter1)
    return {Of.Extents[Symbol - Counter0]};
  if (Symbol >= Quotient0 && Symbol <= Quotient3)
    return {Of.Quotients[Symbol - Quotient0].Above,
            Of.Quotients[Symbol - Quotient0].Below};
  if (Symbol == Power0 || Symbol == Power1)
    return {Of.Powers[Symbol - Power0]};
  if (Symbol == Value0 || Symbol == Value1)
    return {Of.Values[Symbol - Value0].Low, Of.Values[Symbol - Value0].High};
  return {};
}

bool Case::uses(const Poly &What, uint16_t Symbol) const {
  if (What.mentions(Symbol))
    return true;
  for (uint16_t S = Counter0; S < SymbolCount; ++S)
    if (S != Symbol && What.mentions(S))
      for (const Poly &Part : partsOf(*this, S))
        if (uses(Part, Symbol))
          return true;
  return false;
}

bool Case::uses(const AccessSpec &What, uint16_t Symbol) const {
  return uses(What.Index, Symbol) ||
         std::any_of(What.Guards.begin(), What.Guards.end(),
                     [&](const Poly &P) { return uses(P, Symbol); });
}

static Access build(const Case &Of, const AccessSpec &Spec) {
  Access A;
  A.Kind = Spec.Kind;
  A.Base.Kind = RootKind::Argument;
  A.Base.Argument = Spec.Pointer;
  A.ElementBytes = Spec.ElementBytes;
  A.Offset = (int64_t(Spec.ElementBytes) * Spec.Index).build();
  A.How = Exactness::Exact;
  if (Of.uses(Spec, Value0) || Of.uses(Spec, Value1)) {
    A.How = Exactness::Bounded;
    A.Reason = "a value";
  }
  for (const Poly &Guard : Spec.Guards)
    A.Domain.push_back({Guard.build(), false});
  for (uint16_t K : {0, 1}) {
    const Poly &Extent = Of.Extents[K];
    bool Varies = false;
    for (uint16_t S = 0; S < SymbolCount; ++S)
      Varies |= (S < DimX || S >= Counter0) && Of.uses(Extent, S);
    if (Varies && Of.uses(Spec, uint16_t(Counter0 + K)))
      A.Domain.push_back(
          {(Extent - 1 - Poly::symbol(uint16_t(Counter0 + K))).build(), false});
  }
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
  for (const QuotientSpec &Q : Quotients)
    K.Bytes.Quotients.push_back({Q.Above.build(), Q.Below.build()});
  for (const Poly &Exponent : Powers)
    K.Bytes.Powers.push_back(Exponent.build());
  for (const ValueSpec &V : Values)
    K.Bytes.Values.push_back({V.Low.build(), V.High.build()});
  for (const AccessSpec &Spec : Accesses)
    K.Bytes.Accesses.push_back(build(*this, Spec));
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

/// Counts down for negative numbers, knows nothing of the code under test.
static int64_t roundedDown(int64_t Above, int64_t Below) {
  int64_t Result = Above / Below;
  while (Result * Below > Above)
    --Result;
  return Result;
}

uint32_t Case::compute(std::vector<int64_t> &V) const {
  uint32_t Without = 0;
  std::fill(V.begin() + Quotient0, V.end(), 0);
  auto Divide = [&](unsigned I) {
    int64_t Below = Quotients[I].Below.at(V);
    if (Below < 1)
      Without |= 1u << (Quotient0 + I);
    else
      V[Quotient0 + I] = roundedDown(Quotients[I].Above.at(V), Below);
  };
  for (unsigned I = 0; I < Powers.size(); ++I) {
    int64_t Exponent = Powers[I].at(V);
    if (Exponent < 0 || Exponent > 62)
      Without |= 1u << (Power0 + I);
    else
      V[Power0 + I] = int64_t(1) << Exponent;
  }
  Divide(0);
  Divide(1);
  uint64_t Hash = 0;
  for (unsigned I = 0; I < Values.size(); ++I) {
    int64_t Low = Values[I].Low.at(V), High = Values[I].High.at(V);
    for (int64_t Of : V)
      Hash = (Hash ^ uint64_t(Of)) * 0x9e3779b97f4a7c15 + (Hash >> 29);
    if (Low > High)
      Without |= 1u << (Value0 + I);
    else
      V[Value0 + I] = Low + int64_t((Hash >> 11) % uint64_t(High - Low + 1));
  }
  Divide(2);
  Divide(3);
  return Without;
}

uint32_t Case::used(const AccessSpec &What) const {
  uint32_t Bits = 0;
  for (uint16_t S = 0; S < SymbolCount; ++S)
    if (uses(What, S))
      Bits |= 1u << S;
  return Bits;
}

std::string Case::text() const {
  const std::vector<std::string> Names = {
      "tx", "ty", "tz", "bx", "by", "bz", "Dx", "Dy", "Dz",
      "Gx", "Gy", "Gz", "n0", "n1", "n2", "n3", "i0", "i1",
      "q0", "q1", "q2", "q3", "p0", "p1", "v0", "v1"};
  const std::vector<int64_t> Numbers = numbers();
  auto Of = [&](const Poly &P) { return P.text(Names, Numbers); };
  std::string Text;
  for (unsigned S = DimX; S < Counter0; ++S)
    Text += Names[S] + " = " + std::to_string(Numbers[S]) + " ";
  Text += "\ni0 < " + Of(Extents[0]) + ", i1 < " + Of(Extents[1]);
  for (unsigned K = 0; K < 4; ++K)
    Text += "\n" + Names[Quotient0 + K] + " = (" + Of(Quotients[K].Above) +
            ") / (" + Of(Quotients[K].Below) + ")";
  for (unsigned K = 0; K < 2; ++K)
    Text += "\n" + Names[Power0 + K] + " = 2^(" + Of(Powers[K]) + "), " +
            Names[Value0 + K] + " = " + Of(Values[K].Low) + " .. " +
            Of(Values[K].High);
  for (const AccessSpec &A : Accesses) {
    Text += "\n" + std::to_string(A.Pointer) + "[" + Of(A.Index) + "] of " +
            std::to_string(A.ElementBytes);
    for (const Poly &Guard : A.Guards)
      Text += " if " + Of(Guard) + " >= 0";
  }
  return Text;
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

Case one(AccessSpec What, Dim3 Grid, Dim3 Block) {
  Case C;
  C.Accesses = {std::move(What)};
  C.Grid = Grid;
  C.Block = Block;
  C.Pointers = {MemoryA, MemoryB, MemoryC, MemoryD};
  return C;
}

Case one(const Poly &Index, Dim3 Grid, Dim3 Block) {
  return one(AccessSpec{AccessKind::Read, 0, 4, Index, {}, false}, Grid, Block);
}

LaunchAccesses ranges(const std::vector<std::pair<Allocation, bool>> &Of) {
  LaunchAccesses Out;
  for (const auto &[Where, Written] : Of) {
    BlockAccess &Each = Out.Accesses.emplace_back();
    Each.Kind = Written ? AccessKind::Write : AccessKind::Read;
    Each.How = Reach::Range;
    Each.Where = Where;
    Each.Reason = "declared";
  }
  return Out;
}

} // namespace blockmaestro::test
