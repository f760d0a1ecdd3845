// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SymbolValues.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace blockmaestro {

static constexpr const char *ArgumentTooLarge =
    "an unsigned argument it depends on is 2^63 or more";
static constexpr const char *NoTripCount =
    "a loop's number of iterations is not bounded by the numbers of this "
    "launch";
static constexpr const char *BadDivisor =
    "it divides by a number that is less than 1 at this launch";
static constexpr const char *BadShift =
    "it shifts by a number that is not 0 to 62 at this launch";
static constexpr const char *EmptyRange =
    "a number it depends on has no possible value at this launch";
static constexpr const char *Circular =
    "the numbers it depends on refer to each other in too long a chain";

/// More iterations than this are not followed; keeps sums inside 128 bits.
static constexpr int64_t LargestExtent = int64_t(1) << 40;

/// Symbols that use symbols are followed this far.
static constexpr unsigned LongestChain = 64;

/// Sums stay below this, so that one more product fits 128 bits.
static constexpr Wide LargestSum = Wide(1) << 124;
static constexpr Wide LargestCoefficient = Wide(1) << 63;

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

static SymbolUse number(int64_t Value) { return {{Value, Value}}; }

static SymbolUse unknown(const char *Why) {
  SymbolUse M;
  M.Unknown = Why;
  return M;
}

static SymbolUse invalid(const char *Why) {
  SymbolUse M = unknown(Why);
  M.Invalid = true;
  return M;
}

static SymbolUse argument(const Symbol &What, const Launch &In) {
  int64_t Value = 0;
  if (!readArgument(What, In, Value))
    return unknown(reasons::NoSymbol);
  if (!What.Signed && Value < 0)
    return unknown(ArgumentTooLarge);
  return number(Value);
}

/// Products of intervals, each kept below LargestValue.
static bool multiply(WideInterval &By, const Interval &With) {
  Wide Corners[] = {By.Low * With.Low, By.Low * With.High, By.High * With.Low,
                    By.High * With.High};
  By.Low = *std::min_element(Corners, Corners + 4);
  By.High = *std::max_element(Corners, Corners + 4);
  return By.usable();
}

namespace {

/// The bounds of a polynomial, term by term: terms of the same varying symbol
/// are summed before they are bounded.
class Bounds {
public:
  /// Null when it worked.
  const char *add(const Monomial &Term, const std::vector<SymbolUse> &Symbols);
  /// False when it leaves 128 bits.
  bool sum(WideInterval &Out);

private:
  struct Linear {
    uint16_t Symbol;
    int64_t Low, High; ///< What it ranges over.
    Wide Coefficient;
  };
  bool keep(const WideInterval &Product);
  bool has(uint16_t Symbol) const;

  /// Terms of more symbols than this are bounded one by one.
  static constexpr size_t MostTerms = 16;

  WideInterval Rest;
  std::array<Linear, MostTerms> Terms; ///< The first Used have a value.
  size_t Used = 0;
};

} // namespace

bool Bounds::keep(const WideInterval &Product) {
  Rest.Low += Product.Low;
  Rest.High += Product.High;
  return Rest.Low > -LargestSum && Rest.High < LargestSum;
}

bool Bounds::has(uint16_t Symbol) const {
  for (size_t I = 0; I < Used; ++I)
    if (Terms[I].Symbol == Symbol)
      return true;
  return false;
}

const char *Bounds::add(const Monomial &Term,
                        const std::vector<SymbolUse> &Symbols) {
  int64_t Coefficient = Term.Coefficient;
  WideInterval Product{1, 1};
  unsigned Varying = 0;
  uint16_t Which = 0;
  for (uint16_t Factor : Term.Factors) {
    if (Factor >= Symbols.size())
      return reasons::NoSymbol;
    const SymbolUse &M = Symbols[Factor];
    if (M.Unknown)
      return M.Unknown;
    if (M.number()) {
      if (__builtin_mul_overflow(Coefficient, M.Range.Low, &Coefficient))
        return reasons::Overflows;
      continue;
    }
    if (Varying == 0)
      Product = {M.Range.Low, M.Range.High};
    if (Varying == 0 ? !Product.usable() : !multiply(Product, M.Range))
      return reasons::Overflows;
    Which = Factor;
    ++Varying;
  }
  if (Varying != 1 || (Used == MostTerms && !has(Which))) {
    WideInterval All{Product.Low * Coefficient, Product.High * Coefficient};
    if (All.Low > All.High)
      std::swap(All.Low, All.High);
    return keep(All) ? nullptr : reasons::Overflows;
  }
  for (Linear &Of : std::span(Terms.data(), Used))
    if (Of.Symbol == Which) {
      Of.Coefficient += Coefficient;
      bool Fits = -LargestCoefficient < Of.Coefficient &&
                  Of.Coefficient < LargestCoefficient;
      return Fits ? nullptr : reasons::Overflows;
    }
  const Interval &Range = Symbols[Which].Range;
  Terms[Used++] = {Which, Range.Low, Range.High, Coefficient};
  return nullptr;
}

bool Bounds::sum(WideInterval &Out) {
  for (const Linear &Of : std::span(Terms.data(), Used)) {
    Wide First = Of.Coefficient * Of.Low;
    Wide Last = Of.Coefficient * Of.High;
    if (!keep({std::min(First, Last), std::max(First, Last)}))
      return false;
  }
  Out = Rest;
  return true;
}

/// Fills in the symbols, each after those it uses.
class SymbolValues::Resolver {
public:
  Resolver(SymbolValues &Of, const Launch &In)
      : Of(Of), In(In), Bytes(In.Kernel->Bytes), Begun(Bytes.Symbols.size()) {}

  void resolve(uint16_t Symbol, unsigned Depth);

private:
  SymbolUse meaningOf(const Symbol &What, unsigned Depth);
  SymbolUse counter(const Polynomial &Extent, unsigned Depth);
  SymbolUse quotient(const Quotient &What, unsigned Depth);
  SymbolUse power(const Polynomial &Exponent, unsigned Depth);
  SymbolUse value(const ValueRange &What, unsigned Depth);
  SymbolUse rangeOf(const Polynomial &Value, unsigned Depth);

  SymbolValues &Of;
  const Launch &In;
  const Footprint &Bytes;
  std::vector<bool> Begun;
};

void SymbolValues::Resolver::resolve(uint16_t Symbol, unsigned Depth) {
  if (Symbol >= Begun.size() || Begun[Symbol] || Depth > LongestChain)
    return;
  Begun[Symbol] = true;
  Of.Symbols[Symbol] = meaningOf(Bytes.Symbols[Symbol], Depth);
}

template <typename T> static const T *at(const std::vector<T> &In, size_t At) {
  return At < In.size() ? &In[At] : nullptr;
}

SymbolUse SymbolValues::Resolver::meaningOf(const Symbol &What,
                                            unsigned Depth) {
  unsigned Dimension = std::min<unsigned>(What.Dimension, 2);
  switch (What.Kind) {
  case SymbolKind::ThreadIdx:
    return {{0, int64_t(In.Block[Dimension]) - 1}};
  case SymbolKind::BlockIdx:
    return {Of.Blocks[Dimension]};
  case SymbolKind::BlockDim:
    return number(In.Block[Dimension]);
  case SymbolKind::GridDim:
    return number(In.Grid[Dimension]);
  case SymbolKind::Argument:
    return argument(What, In);
  case SymbolKind::Counter:
    if (const Polynomial *Extent = at(Bytes.CounterExtents, What.Index))
      return counter(*Extent, Depth);
    break;
  case SymbolKind::Quotient:
    if (const Quotient *Of = at(Bytes.Quotients, What.Index))
      return quotient(*Of, Depth);
    break;
  case SymbolKind::Power:
    if (const Polynomial *Exponent = at(Bytes.Powers, What.Index))
      return power(*Exponent, Depth);
    break;
  case SymbolKind::Value:
    if (const ValueRange *Range = at(Bytes.Values, What.Index))
      return value(*Range, Depth);
    break;
  }
  return invalid(reasons::NoSymbol);
}

/// Value as if it were a symbol; its range is cut off at 2^62, where no symbol
/// is usable any more.
SymbolUse SymbolValues::Resolver::rangeOf(const Polynomial &Value,
                                          unsigned Depth) {
  for (const Monomial &Term : Value.Terms)
    for (uint16_t Factor : Term.Factors)
      resolve(Factor, Depth + 1);
  SymbolUse M;
  Of.addUse(Value, M);
  WideInterval Range;
  M.Unknown = Of.range(Value, Range);
  constexpr Wide Limit = Wide(1) << 62;
  M.Range.Low = int64_t(std::clamp(Range.Low, -Limit, Limit));
  M.Range.High = int64_t(std::clamp(Range.High, -Limit, Limit));
  return M;
}

static bool usable(const Interval &Range) {
  return WideInterval{Range.Low, Range.High}.usable();
}

/// Of an extent that uses other counters, an upper bound, it says nothing that
/// those have no value: what is done in the first iteration of a loop before
/// its condition is asked may be in a loop inside of it.
SymbolUse SymbolValues::Resolver::counter(const Polynomial &Extent,
                                          unsigned Depth) {
  SymbolUse M = rangeOf(Extent, Depth);
  if (M.Unknown || M.Range.High > LargestExtent)
    M.Unknown = NoTripCount;
  M.Never = M.Range.High < 1;
  M.Range = {0, std::max<int64_t>(M.Range.High - 1, 0)};
  return M;
}

SymbolUse SymbolValues::Resolver::quotient(const Quotient &What,
                                           unsigned Depth) {
  SymbolUse M = rangeOf(What.Numerator, Depth);
  const SymbolUse By = rangeOf(What.Denominator, Depth);
  M.Invalid |= By.Invalid;
  if (!By.number() || By.Range.Low < 1 || !usable(By.Range))
    return invalid(By.Unknown ? By.Unknown : BadDivisor);
  if (M.Unknown)
    return M;
  if (!usable(M.Range))
    M.Unknown = reasons::Overflows;
  M.Range = {floorDiv(M.Range.Low, By.Range.Low),
             floorDiv(M.Range.High, By.Range.Low)};
  return M;
}

SymbolUse SymbolValues::Resolver::power(const Polynomial &Exponent,
                                        unsigned Depth) {
  const SymbolUse M = rangeOf(Exponent, Depth);
  if (!M.number() || M.Range.Low < 0 || M.Range.Low > 62)
    return invalid(M.Unknown ? M.Unknown : BadShift);
  return number(int64_t(1) << M.Range.Low);
}

/// Never stays false: what bounds a value may be in a loop the value is not.
SymbolUse SymbolValues::Resolver::value(const ValueRange &What,
                                        unsigned Depth) {
  const SymbolUse Low = rangeOf(What.Low, Depth),
                  High = rangeOf(What.High, Depth);
  SymbolUse M;
  M.Ranged = true;
  M.Invalid = Low.Invalid || High.Invalid;
  M.Range = {Low.Range.Low, High.Range.High};
  M.Unknown = Low.Unknown                  ? Low.Unknown
              : High.Unknown               ? High.Unknown
              : M.Range.Low > M.Range.High ? EmptyRange
              : !usable(M.Range)           ? reasons::Overflows
                                           : nullptr;
  return M;
}

BlockBox allBlocks(Dim3 Grid) {
  BlockBox All;
  for (unsigned D = 0; D < 3; ++D)
    All[D] = {0, int64_t(Grid[D]) - 1};
  return All;
}

BlockBox oneBlock(Dim3 Block) {
  BlockBox One;
  for (unsigned D = 0; D < 3; ++D)
    One[D] = {int64_t(Block[D]), int64_t(Block[D])};
  return One;
}

SymbolValues::SymbolValues(const Launch &What, const BlockBox &Blocks)
    : Blocks(Blocks) {
  Symbols.assign(What.Kernel->Bytes.Symbols.size(), invalid(Circular));
  Any.Invalid = true;
  Resolver Each(*this, What);
  for (size_t I = 0; I < Symbols.size(); ++I)
    Each.resolve(uint16_t(I), 0);
  Any.Invalid = false;
  for (const SymbolUse &M : Symbols) {
    Any.Invalid |= M.Invalid;
    Any.Never |= M.Never;
    Any.Ranged |= M.Ranged;
  }
}

const char *SymbolValues::range(const Polynomial &Value,
                                WideInterval &Out) const {
  Bounds Of;
  for (const Monomial &Term : Value.Terms)
    if (const char *Why = Of.add(Term, Symbols))
      return Why;
  return Of.sum(Out) ? nullptr : reasons::Overflows;
}

void SymbolValues::addUse(const Polynomial &Value, SymbolUse &In) const {
  for (const Monomial &Term : Value.Terms)
    for (uint16_t Factor : Term.Factors) {
      if (Factor >= Symbols.size())
        continue;
      In.Invalid |= Symbols[Factor].Invalid;
      In.Never |= Symbols[Factor].Never;
      In.Ranged |= Symbols[Factor].Ranged;
    }
}

} // namespace blockmaestro
