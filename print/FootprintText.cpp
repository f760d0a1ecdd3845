// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FootprintText.h"

#include <algorithm>

namespace blockmaestro {

namespace {

constexpr const char *IndexNames[] = {"threadIdx", "blockIdx", "blockDim",
                                      "gridDim"};
constexpr const char *KindNames[] = {"read", "write", "atomic"};
constexpr const char *ExactnessNames[] = {"exact", "bounded", "allocation",
                                          "unknown"};

std::string withOffset(const std::string &Name, uint32_t Offset) {
  return Offset ? Name + "@" + std::to_string(Offset) : Name;
}

/// The letter of a symbol that is numbered by its place in a list, or null.
const char *listLetter(SymbolKind Kind) {
  switch (Kind) {
  case SymbolKind::Counter:
    return "i";
  case SymbolKind::Quotient:
    return "q";
  case SymbolKind::Power:
    return "p";
  case SymbolKind::Value:
    return "v";
  default:
    return nullptr;
  }
}

std::string padded(std::string Text, size_t Width) {
  Text.resize(std::max(Text.size(), Width), ' ');
  return Text;
}

/// |Coefficient| and the factors; the sign is the caller's.
std::string magnitude(const Monomial &M, const Footprint &F) {
  uint64_t Size =
      M.Coefficient < 0 ? -uint64_t(M.Coefficient) : uint64_t(M.Coefficient);
  std::string Text;
  if (Size != 1 || M.Factors.empty())
    Text = std::to_string(Size);
  for (uint16_t Factor : M.Factors)
    Text += (Text.empty() ? "" : "*") + toText(F.Symbols[Factor]);
  return Text;
}

/// "x : a, b" without a colon where there are none.
template <typename T>
std::string joined(const std::vector<T> &Items, const char *Before,
                   const char *Between, const Footprint &F) {
  std::string Text;
  for (const T &Item : Items)
    Text += (Text.empty() ? Before : Between) + toText(Item, F);
  return Text;
}

} // namespace

std::string toText(const Symbol &S) {
  if (S.Kind == SymbolKind::Argument)
    return withOffset("arg" + std::to_string(S.Index), S.Offset);
  if (const char *Letter = listLetter(S.Kind))
    return Letter + std::to_string(S.Index);
  return std::string(IndexNames[static_cast<unsigned>(S.Kind)]) + "." +
         "xyz"[S.Dimension % 3];
}

std::string toText(const Polynomial &P, const Footprint &F) {
  std::vector<const Monomial *> Order;
  for (bool Constant : {false, true})
    for (const Monomial &M : P.Terms)
      if (M.Factors.empty() == Constant)
        Order.push_back(&M);
  std::string Text;
  for (const Monomial *M : Order) {
    bool Negative = M->Coefficient < 0;
    if (Text.empty())
      Text = Negative ? "-" : "";
    else
      Text += Negative ? " - " : " + ";
    Text += magnitude(*M, F);
  }
  return Text.empty() ? "0" : Text;
}

std::string toText(const Constraint &C, const Footprint &F) {
  return toText(C.Value, F) + (C.Equality ? " = 0" : " >= 0");
}

std::string toText(const Assumption &A, const Footprint &F) {
  return (A.Signed ? "i" : "u") + std::to_string(A.Bits) + "(" +
         toText(A.Value, F) + ")";
}

std::string toText(const Root &R) {
  if (R.Kind == RootKind::Argument)
    return withOffset("arg" + std::to_string(R.Argument), R.Offset);
  return R.Kind == RootKind::Global ? "@" + R.Global : "anywhere";
}

const char *toText(AccessKind Kind) {
  return KindNames[static_cast<unsigned>(Kind)];
}

const char *toText(Exactness How) {
  return ExactnessNames[static_cast<unsigned>(How)];
}

std::string toText(const Access &A, const Footprint &F) {
  std::string Text = padded(toText(A.Kind), 6) + "  " +
                     padded(toText(A.How), 10) + "  " + toText(A.Base);
  if (A.How == Exactness::Exact || A.How == Exactness::Bounded)
    Text += "  " + std::to_string(A.ElementBytes) + " bytes at { " +
            toText(A.Offset, F) + joined(A.Domain, " : ", " and ", F) + " }" +
            joined(A.Assumptions, "  assuming ", ", ", F);
  if (!A.Reason.empty())
    Text += "  because " + A.Reason;
  if (!A.Where.File.empty())
    Text += "  " + A.Where.File + ":" + std::to_string(A.Where.Line) + ":" +
            std::to_string(A.Where.Column);
  return Text;
}

std::string toText(const KernelRecord &K) {
  std::string Text = "kernel " + K.Name + "  [" + K.Symbol + "]\n";
  if (K.StaticSharedBytes)
    Text += "  shared " + std::to_string(K.StaticSharedBytes) + " bytes\n";
  if (K.has(Feature::DynamicShared))
    Text += "  dynamic shared memory\n";
  if (K.has(Feature::Barrier))
    Text += "  barrier\n";
  for (size_t I = 0; I < K.Bytes.CounterExtents.size(); ++I)
    Text += "  loop i" + std::to_string(I) + " < " +
            toText(K.Bytes.CounterExtents[I], K.Bytes) + "\n";
  for (const Access &A : K.Bytes.Accesses)
    Text += "  " + toText(A, K.Bytes) + "\n";
  return Text;
}

} // namespace blockmaestro
