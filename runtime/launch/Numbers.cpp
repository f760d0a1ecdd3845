// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Numbers.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro {

static constexpr const char *Overflows =
    "the index arithmetic leaves 64 bits with the numbers of this launch";
static constexpr const char *NotAffine =
    "two indices (thread, block or loop) are multiplied with each other";
static constexpr const char *NoArgument =
    "a scalar it depends on is not inside the kernel's arguments";
static constexpr const char *TooLarge =
    "an unsigned argument it depends on is 2^63 or more";
static constexpr const char *ManyLoops =
    "it is inside more loops than are followed";
static constexpr const char *NotFollowed =
    "it depends on a computed value that is not followed at launch";
static constexpr const char *NoTripCount =
    "a loop's number of iterations is not bounded by the numbers of this "
    "launch";

/// More iterations than this are not followed; keeps sums inside 128 bits.
static constexpr int64_t LargestExtent = int64_t(1) << 40;

WideInterval rangeOf(const Affine &Value, const IndexBox &Box) {
  WideInterval Sum{Value.Constant, Value.Constant};
  for (unsigned I = 0; I < MaxIndices; ++I) {
    if (Value.Of[I] == 0)
      continue;
    Wide Coefficient = Value.Of[I];
    bool Up = Coefficient >= 0;
    Sum.Low += Coefficient * (Up ? Box[I].Low : Box[I].High);
    Sum.High += Coefficient * (Up ? Box[I].High : Box[I].Low);
  }
  return Sum;
}

/// The argument's bits as an integer; false when they are not there.
static bool readArgument(const Symbol &What, const Launch &In, int64_t &Out) {
  const std::vector<Parameter> &Layout = In.Kernel->Parameters;
  if (What.Index >= Layout.size() || What.Bytes > 8 || What.Bytes == 0)
    return false;
  size_t At = size_t(Layout[What.Index].Offset) + What.Offset;
  if (At + What.Bytes > In.Arguments.size())
    return false;
  uint64_t Bits = 0;
  std::memcpy(&Bits, In.Arguments.data() + At, What.Bytes);
  unsigned Unused = 64 - 8 * What.Bytes;
  Out = What.Signed ? int64_t(Bits << Unused) >> Unused : int64_t(Bits);
  return true;
}

Numbers::Meaning Numbers::meaningOf(const Symbol &What,
                                    const Launch &In) const {
  unsigned Dimension = std::min<unsigned>(What.Dimension, 2);
  Meaning M;
  switch (What.Kind) {
  case SymbolKind::ThreadIdx:
    M.Index = int(Dimension);
    break;
  case SymbolKind::BlockIdx:
    M.Index = int(FirstBlock + Dimension);
    break;
  case SymbolKind::BlockDim:
    M.Number = In.Block[Dimension];
    break;
  case SymbolKind::GridDim:
    M.Number = In.Grid[Dimension];
    break;
  case SymbolKind::Argument:
    if (!readArgument(What, In, M.Number))
      M.Unknown = NoArgument;
    else if (!What.Signed && M.Number < 0)
      M.Unknown = TooLarge;
    break;
  case SymbolKind::Counter:
    if (FirstCounter + What.Index < MaxIndices)
      M.Index = int(FirstCounter + What.Index);
    else
      M.Unknown = ManyLoops;
    break;
  case SymbolKind::Quotient:
  case SymbolKind::Power:
  case SymbolKind::Value:
    M.Unknown = NotFollowed;
    break;
  }
  return M;
}

Numbers::Numbers(const Launch &What) {
  const Footprint &Bytes = What.Kernel->Bytes;
  for (const Symbol &S : Bytes.Symbols)
    Symbols.push_back(meaningOf(S, What));
  for (unsigned D = 0; D < 3; ++D) {
    Box[D] = {0, int64_t(What.Block[D]) - 1};
    Box[FirstBlock + D] = {0, int64_t(What.Grid[D]) - 1};
  }
  unsigned Count = unsigned(
      std::min<size_t>(Bytes.CounterExtents.size(), MaxIndices - FirstCounter));
  for (unsigned K = 0; K < MaxIndices - FirstCounter; ++K)
    Unresolved |= 1u << (FirstCounter + K);
  for (unsigned Round = 0, Before = ~0u; Round < Count && Before != Unresolved;
       ++Round) {
    Before = Unresolved;
    for (unsigned K = 0; K < Count; ++K)
      if (Unresolved >> (FirstCounter + K) & 1)
        resolveCounter(FirstCounter + K, Bytes.CounterExtents[K]);
  }
}

/// Gives the counter its bounds once those of the outer counters are known.
bool Numbers::resolveCounter(unsigned Counter, const Polynomial &Extent) {
  uint32_t Outer = mentioned(Extent);
  if (Outer & Unresolved)
    return false;
  WideInterval Iterations;
  if (range(Extent, Iterations) || Iterations.High > LargestExtent)
    return false;
  Box[Counter] = {0, int64_t(std::max<Wide>(Iterations.High, 0)) - 1};
  DependsOn[Counter] = Outer;
  if (Iterations.Low != Iterations.High)
    Inexact |= 1u << Counter;
  Unresolved &= ~(1u << Counter);
  return true;
}

uint32_t Numbers::mentioned(const Polynomial &Value) const {
  uint32_t Bits = 0;
  for (const Monomial &Term : Value.Terms)
    for (uint16_t Factor : Term.Factors)
      if (Factor < Symbols.size() && Symbols[Factor].Index >= 0)
        Bits |= 1u << Symbols[Factor].Index |
                DependsOn[unsigned(Symbols[Factor].Index)];
  return Bits;
}

const char *Numbers::substitute(const Polynomial &Value, const IndexBox &Within,
                                Affine &Out) const {
  Out = Affine();
  for (const Monomial &Term : Value.Terms) {
    int64_t Coefficient = Term.Coefficient;
    int Index = -1;
    bool Product = false;
    for (uint16_t Factor : Term.Factors) {
      if (Factor >= Symbols.size())
        return NoArgument;
      const Meaning &M = Symbols[Factor];
      if (M.Unknown)
        return M.Unknown;
      if (M.Index >= 0 && (Unresolved >> M.Index & 1))
        return NoTripCount;
      bool Varies = M.Index >= 0 && !Within[unsigned(M.Index)].single();
      Product |= Varies && Index >= 0;
      if (Varies)
        Index = M.Index;
      int64_t Number = Varies         ? 1
                       : M.Index >= 0 ? Within[unsigned(M.Index)].Low
                                      : M.Number;
      if (__builtin_mul_overflow(Coefficient, Number, &Coefficient))
        return Overflows;
    }
    if (Coefficient == 0)
      continue;
    if (Product)
      return NotAffine;
    int64_t &Place = Index < 0 ? Out.Constant : Out.Of[unsigned(Index)];
    if (__builtin_add_overflow(Place, Coefficient, &Place))
      return Overflows;
  }
  return nullptr;
}

/// Products and sums of intervals, each kept below 2^62.
static bool multiply(WideInterval &By, Wide Low, Wide High) {
  Wide Corners[] = {By.Low * Low, By.Low * High, By.High * Low, By.High * High};
  By.Low = *std::min_element(Corners, Corners + 4);
  By.High = *std::max_element(Corners, Corners + 4);
  return By.usable();
}

/// Box with one iteration where a counter has none.
static IndexBox ranOnce(IndexBox Box) {
  for (Interval &Of : Box)
    Of.High = std::max(Of.Low, Of.High);
  return Box;
}

const char *Numbers::range(const Polynomial &Value, WideInterval &Out) const {
  const IndexBox Ran = ranOnce(Box);
  Affine Simple;
  const char *Why = substitute(Value, Ran, Simple);
  if (!Why) {
    Out = rangeOf(Simple, Ran);
    return nullptr;
  }
  if (Why != NotAffine)
    return Why;
  Out = WideInterval();
  for (const Monomial &Term : Value.Terms) {
    WideInterval Product{Term.Coefficient, Term.Coefficient};
    for (uint16_t Factor : Term.Factors) {
      const Meaning &M = Symbols[Factor];
      Interval Of =
          M.Index >= 0 ? Ran[unsigned(M.Index)] : Interval{M.Number, M.Number};
      if (!multiply(Product, Of.Low, Of.High))
        return Overflows;
    }
    Out.Low += Product.Low;
    Out.High += Product.High;
  }
  return nullptr;
}

} // namespace blockmaestro
