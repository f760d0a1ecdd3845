// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FootprintText.h"

#include "FeatureNames.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace blockmaestro {

namespace {

constexpr const char *AccessKindNames[] = {"read", "write", "atomic"};
constexpr const char *ExactnessNames[] = {"exact", "bounded", "allocation",
                                          "unknown"};
constexpr const char *BlockTuples[] = {"[bx]", "[bx, by]", "[bx, by, bz]"};

std::string padded(std::string Text, size_t Width) {
  Text.resize(std::max(Text.size(), Width), ' ');
  return Text;
}

/// "x : a, b" without a colon where there are none.
std::string joined(const std::vector<std::string> &Items, const char *Before,
                   const char *Between) {
  std::string Text;
  for (const std::string &Item : Items)
    Text += (Text.empty() ? Before : Between) + Item;
  return Text;
}

/// Which symbols an access's bytes depend on, also through the definitions of
/// quotients, powers, values and loop counters.
class UsedSymbols {
public:
  UsedSymbols(const Access &A, const Footprint &F)
      : F(F), Used(F.Symbols.size()) {
    add(A.Offset);
    for (const Constraint &C : A.Domain)
      add(C.Value);
    while (!Open.empty()) {
      Symbol Next = F.Symbols[Open.back()];
      Open.pop_back();
      addDefinition(Next);
    }
  }

  bool contains(size_t S) const { return Used[S]; }

private:
  void add(const Polynomial &P) {
    for (const Monomial &M : P.Terms)
      for (uint16_t Factor : M.Factors)
        if (!Used[Factor]) {
          Used[Factor] = true;
          Open.push_back(Factor);
        }
  }

  void addDefinition(const Symbol &S) {
    switch (S.Kind) {
    case SymbolKind::Counter:
      return add(F.CounterExtents[S.Index]);
    case SymbolKind::Quotient:
      add(F.Quotients[S.Index].Numerator);
      return add(F.Quotients[S.Index].Denominator);
    case SymbolKind::Power:
      return add(F.Powers[S.Index]);
    case SymbolKind::Value:
      add(F.Values[S.Index].Low);
      return add(F.Values[S.Index].High);
    default:
      return;
    }
  }

  const Footprint &F;
  std::vector<bool> Used;
  std::vector<uint16_t> Open;
};

/// The block dimensions up to the last one that matters; at least the first.
const char *blockTuple(const Access &A, const Footprint &F) {
  UsedSymbols Used(A, F);
  unsigned Last = 0;
  for (size_t S = 0; S < F.Symbols.size(); ++S)
    if (F.Symbols[S].Kind == SymbolKind::BlockIdx && Used.contains(S))
      Last = std::max<unsigned>(Last, F.Symbols[S].Dimension);
  return BlockTuples[std::min(Last, 2u)];
}

bool hasOffset(const Access &A) {
  return A.How == Exactness::Exact || A.How == Exactness::Bounded;
}

/// "4*tx + 0..3", "4*tx + 8..11", "4*tx - 8 + 0..3", "8..11", "tx" (one byte).
std::string bytesText(const Access &A, const SymbolNames &Names) {
  if (A.ElementBytes == 1)
    return Names.text(A.Offset);
  int64_t First = 0;
  Polynomial Offset = A.Offset;
  auto Constant =
      std::find_if(Offset.Terms.begin(), Offset.Terms.end(),
                   [](const Monomial &M) { return M.Factors.empty(); });
  bool Alone = Offset.Terms.size() == 1;
  if (Constant != Offset.Terms.end() && (Alone || Constant->Coefficient > 0) &&
      Constant->Coefficient <= INT64_MAX - int64_t(UINT32_MAX)) {
    First = Constant->Coefficient;
    Offset.Terms.erase(Constant);
  }
  std::string Range = std::to_string(First) + ".." +
                      std::to_string(First + int64_t(A.ElementBytes) - 1);
  return Offset.Terms.empty() ? Range : Names.text(Offset) + " + " + Range;
}

/// " where tx < arg1", " where the conditions hold"; nothing for everywhere.
std::string whereText(const Access &A, const std::vector<uint16_t> &Under,
                      const SymbolNames &Names) {
  if (Under.empty())
    return "";
  if (Under.size() == A.Domain.size())
    return " where the conditions hold";
  std::vector<std::string> Texts;
  for (uint16_t Place : Under)
    Texts.push_back(Names.text(A.Domain[Place]));
  return joined(Texts, " where ", " and ");
}

/// Those that must hold at the same points, as one text each.
std::vector<std::string> assumptionLists(const Access &A,
                                         const SymbolNames &Names) {
  std::map<std::vector<uint16_t>, std::vector<std::string>> Texts;
  for (const Assumption &Each : A.Assumptions)
    Texts[Each.Under].push_back(Names.text(Each));
  std::vector<std::string> Lists;
  for (const auto &[Under, Each] : Texts)
    Lists.push_back(joined(Each, "assuming ", ", ") +
                    whereText(A, Under, Names));
  return Lists;
}

/// The lines of one access.
std::string lines(const Access &A, const Footprint &F,
                  const SymbolNames &Names) {
  std::string Text = "  " + padded(toText(A.Kind), 6) + " " +
                     padded(toText(A.How), 10) + " " + setText(A, F, Names) +
                     "\n";
  for (const std::string &List : assumptionLists(A, Names))
    Text += "    " + List + "\n";
  if (!A.Reason.empty())
    Text += "    because " + A.Reason + "\n";
  if (!A.Where.File.empty())
    Text += "    at " + toText(A.Where) + "\n";
  return Text;
}

} // namespace

const char *toText(AccessKind Kind) {
  return AccessKindNames[static_cast<unsigned>(Kind)];
}

const char *toText(Exactness How) {
  return ExactnessNames[static_cast<unsigned>(How)];
}

std::string toText(const Root &R) {
  if (R.Kind == RootKind::Argument)
    return shortName({SymbolKind::Argument, 0, R.Argument, R.Offset, 8, false});
  return R.Kind == RootKind::Global ? "@" + R.Global : "anywhere";
}

std::string toText(const SourceLocation &Where) {
  return Where.File + ":" + std::to_string(Where.Line) + ":" +
         std::to_string(Where.Column);
}

std::string toText(const Polynomial &P, const Footprint &F) {
  return SymbolNames(F).text(P);
}

std::string toText(const Constraint &C, const Footprint &F) {
  return SymbolNames(F).text(C);
}

std::string toText(const Assumption &A, const Footprint &F) {
  return SymbolNames(F).text(A);
}

std::vector<std::string> conditionTexts(const Access &A, const Footprint &F,
                                        const SymbolNames &Names) {
  std::vector<std::string> Texts;
  for (const Constraint &C : A.Domain)
    Texts.push_back(Names.text(C));
  UsedSymbols Used(A, F);
  for (size_t S = 0; S < F.Symbols.size(); ++S)
    if (F.Symbols[S].Kind == SymbolKind::Value && Used.contains(S))
      Texts.push_back(Names.rangeText(F.Symbols[S].Index));
  return Texts;
}

std::vector<std::string> assumptionTexts(const Access &A,
                                         const SymbolNames &Names) {
  std::vector<std::string> Texts;
  for (const Assumption &Each : A.Assumptions)
    Texts.push_back(Names.text(Each) + whereText(A, Each.Under, Names));
  return Texts;
}

std::string setText(const Access &A, const Footprint &F,
                    const SymbolNames &Names) {
  std::string Bytes;
  if (hasOffset(A))
    Bytes = "[" + bytesText(A, Names) + "]";
  else if (A.How == Exactness::Allocation)
    Bytes = "[*]";
  std::vector<std::string> Conditions;
  if (hasOffset(A))
    Conditions = conditionTexts(A, F, Names);
  return std::string("{ ") + blockTuple(A, F) + " -> " + toText(A.Base) +
         Bytes + joined(Conditions, " : ", " and ") + " }";
}

std::string toText(const Access &A, const Footprint &F) {
  SymbolNames Names(F);
  std::string Text = std::string(toText(A.Kind)) + " " + toText(A.How) + " " +
                     setText(A, F, Names) +
                     joined(assumptionLists(A, Names), ", ", ", ");
  if (!A.Reason.empty())
    Text += ", because " + A.Reason;
  return Text;
}

std::string summaryText(const Footprint &F) {
  size_t Counts[std::size(ExactnessNames)] = {};
  for (const Access &A : F.Accesses)
    ++Counts[static_cast<unsigned>(A.How)];
  std::vector<std::string> Parts;
  for (size_t I = 0; I < std::size(Counts); ++I)
    if (Counts[I])
      Parts.push_back(std::to_string(Counts[I]) + " " + ExactnessNames[I]);
  return std::to_string(F.Accesses.size()) +
         (F.Accesses.size() == 1 ? " access" : " accesses") +
         joined(Parts, ": ", ", ");
}

std::string toText(const KernelRecord &K) {
  const Footprint &F = K.Bytes;
  SymbolNames Names(F);
  std::string Text = "kernel " + K.Name + "  [" + K.Symbol + "]\n";
  if (K.StaticSharedBytes)
    Text += "  shared " + std::to_string(K.StaticSharedBytes) + " bytes\n";
  if (K.Features)
    Text += joined(featureNames(K), "  ", ", ") + "\n";
  for (const std::string &Definition : Names.definitions())
    Text += "  with " + Definition + "\n";
  for (size_t I = 0; I < F.CounterExtents.size(); ++I)
    Text += "  loop i" + std::to_string(I) + " < " +
            Names.text(F.CounterExtents[I]) + "\n";
  for (const Access &A : F.Accesses)
    Text += lines(A, F, Names);
  return Text + "  " + summaryText(F) + "\n";
}

} // namespace blockmaestro
