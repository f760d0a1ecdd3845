// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SymbolNames.h"

#include <algorithm>

namespace blockmaestro {

namespace {

constexpr size_t LongestWrittenOut = 120;
constexpr unsigned DeepestWrittenOut = 16;

struct KindName {
  const char *Prefix;
  bool Numbered; ///< Followed by the place in a list, else by a dimension.
};

/// By SymbolKind.
constexpr KindName SymbolKindNames[] = {
    {"t", false}, {"b", false}, {"D", false}, {"G", false}, {"arg", true},
    {"i", true},  {"q", true},  {"p", true},  {"v", true}};

/// Wide enough for the negation of every constant, and for one more.
using Wide = __int128;

std::string toText(Wide Number) {
  bool Negative = Number < 0;
  std::string Digits =
      std::to_string(static_cast<uint64_t>(Negative ? -Number : Number));
  return Negative ? "-" + Digits : Digits;
}

/// Text, plus a term of that sign.
void append(std::string &Text, bool Negative, const std::string &Term) {
  if (Text.empty())
    Text = Negative ? "-" : "";
  else
    Text += Negative ? " - " : " + ";
  Text += Term;
}

/// The same with a constant; nothing for zero behind something.
void append(std::string &Text, Wide Constant) {
  if (Constant != 0 || Text.empty())
    append(Text, Constant < 0, toText(Constant < 0 ? -Constant : Constant));
}

/// One relation of a left and a right side, both sums of positive terms, and a
/// constant to be added to the right side.
struct Sides {
  std::string Left;
  std::string Right;
  Wide Constant = 0;
};

std::string equal(Sides S) {
  append(S.Right, S.Constant);
  return S.Left + " = " + S.Right;
}

/// Left <= Right + Constant; "<" where that makes the constant smaller, or
/// where the right side is a number of things, such as 16 or 256.
std::string atMost(Sides S) {
  bool Strict = S.Constant < 0 || (S.Right.empty() && S.Constant > 0);
  append(S.Right, S.Constant + Strict);
  return S.Left + (Strict ? " < " : " <= ") + S.Right;
}

/// Left >= Right + Constant; ">" where that makes the constant smaller.
std::string atLeast(Sides S) {
  bool Strict = S.Constant > 0 && !S.Right.empty();
  append(S.Right, S.Constant - Strict);
  return S.Left + (Strict ? " > " : " >= ") + S.Right;
}

/// A symbol or a number, which needs no parentheses.
bool isOneThing(const Polynomial &P) {
  if (P.Terms.empty())
    return true;
  const Monomial &M = P.Terms[0];
  bool OneFactor = M.Coefficient == 1 && M.Factors.size() == 1;
  bool Number = M.Coefficient >= 0 && M.Factors.empty();
  return P.Terms.size() == 1 && (OneFactor || Number);
}

} // namespace

std::string shortName(const Symbol &S) {
  const KindName &Kind = SymbolKindNames[static_cast<unsigned>(S.Kind)];
  if (!Kind.Numbered)
    return std::string(Kind.Prefix) + "xyz"[S.Dimension % 3];
  std::string Name = Kind.Prefix + std::to_string(S.Index);
  bool Inside = S.Kind == SymbolKind::Argument && S.Offset != 0;
  return Inside ? Name + "@" + std::to_string(S.Offset) : Name;
}

SymbolNames::SymbolNames(const Footprint &F)
    : F(F), Varies(F.Symbols.size()), UsedByName(F.Symbols.size()),
      States(F.Symbols.size(), State::Untouched) {
  for (const Symbol &S : F.Symbols)
    Names.push_back(shortName(S));
  for (size_t S = 0; S < F.Symbols.size(); ++S)
    resolve(static_cast<uint16_t>(S), 0);
}

void SymbolNames::resolve(uint16_t S, unsigned Depth) {
  if (States[S] != State::Untouched)
    return;
  States[S] = State::Open;
  const Symbol &Sym = F.Symbols[S];
  Varies[S] = Sym.Kind == SymbolKind::ThreadIdx ||
              Sym.Kind == SymbolKind::BlockIdx ||
              Sym.Kind == SymbolKind::Counter || Sym.Kind == SymbolKind::Value;
  bool IsQuotient = Sym.Kind == SymbolKind::Quotient;
  if (IsQuotient) {
    resolveParts(F.Quotients[Sym.Index].Numerator, S, Depth);
    resolveParts(F.Quotients[Sym.Index].Denominator, S, Depth);
  } else if (Sym.Kind == SymbolKind::Power) {
    resolveParts(F.Powers[Sym.Index], S, Depth);
  }
  if (IsQuotient || Sym.Kind == SymbolKind::Power) {
    std::string Text = definition(Sym);
    if (UsedByName[S] || Text.size() > LongestWrittenOut)
      Definitions.push_back(Names[S] + " = " + Text);
    else
      Names[S] = Text;
  }
  States[S] = State::Resolved;
}

void SymbolNames::resolveParts(const Polynomial &P, uint16_t User,
                               unsigned Depth) {
  for (const Monomial &M : P.Terms)
    for (uint16_t Part : M.Factors) {
      if (Depth < DeepestWrittenOut)
        resolve(Part, Depth + 1);
      if (States[Part] != State::Resolved)
        UsedByName[Part] = true;
      Varies[User] = Varies[User] || Varies[Part];
    }
}

std::string SymbolNames::definition(const Symbol &S) const {
  return S.Kind == SymbolKind::Quotient ? text(F.Quotients[S.Index])
                                        : "2^(" + text(F.Powers[S.Index]) + ")";
}

bool SymbolNames::varies(const Monomial &M) const {
  return std::any_of(M.Factors.begin(), M.Factors.end(),
                     [&](uint16_t Factor) { return Varies[Factor]; });
}

/// |Coefficient| and the factors; the sign is the caller's.
std::string SymbolNames::magnitude(const Monomial &M) const {
  Wide Size = M.Coefficient < 0 ? -Wide(M.Coefficient) : Wide(M.Coefficient);
  std::string Text;
  if (Size != 1 || M.Factors.empty())
    Text = toText(Size);
  for (uint16_t Factor : M.Factors)
    Text += (Text.empty() ? "" : "*") + Names[Factor];
  return Text;
}

std::string SymbolNames::text(const Polynomial &P) const {
  std::string Text;
  for (bool Constant : {false, true})
    for (const Monomial &M : P.Terms)
      if (M.Factors.empty() == Constant)
        append(Text, M.Coefficient < 0, magnitude(M));
  return Text.empty() ? "0" : Text;
}

std::string SymbolNames::text(const Constraint &C) const {
  const Monomial *First = nullptr;
  for (const Monomial &M : C.Value.Terms)
    if (!M.Factors.empty() && (!First || (!varies(*First) && varies(M))))
      First = &M;
  if (!First)
    return text(C.Value) + (C.Equality ? " = 0" : " >= 0");
  bool Flipped = First->Coefficient < 0;
  Sides S;
  for (const Monomial &M : C.Value.Terms)
    if (M.Factors.empty())
      S.Constant += Flipped ? Wide(M.Coefficient) : -Wide(M.Coefficient);
    else
      append((M.Coefficient < 0) == Flipped ? S.Left : S.Right, false,
             magnitude(M));
  return C.Equality ? equal(S) : Flipped ? atMost(S) : atLeast(S);
}

std::string SymbolNames::text(const Assumption &A) const {
  return (A.Signed ? "i" : "u") + std::to_string(A.Bits) + "(" + text(A.Value) +
         ")";
}

std::string SymbolNames::text(const Quotient &Q) const {
  return "floor(" + factorText(Q.Numerator) + "/" + factorText(Q.Denominator) +
         ")";
}

std::string SymbolNames::factorText(const Polynomial &P) const {
  return isOneThing(P) ? text(P) : "(" + text(P) + ")";
}

std::string SymbolNames::rangeText(uint16_t Index) const {
  const ValueRange &R = F.Values[Index];
  Polynomial End = R.High;
  auto Constant =
      std::find_if(End.Terms.begin(), End.Terms.end(),
                   [](const Monomial &M) { return M.Factors.empty(); });
  bool Strict = End.Terms.size() > 1 && Constant != End.Terms.end() &&
                Constant->Coefficient < 0;
  if (Strict && ++Constant->Coefficient == 0)
    End.Terms.erase(Constant);
  return text(R.Low) + " <= v" + std::to_string(Index) +
         (Strict ? " < " : " <= ") + text(End);
}

} // namespace blockmaestro
