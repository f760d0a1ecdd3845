// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchSyntax.h"

#include "SourceTokens.h"

#include "llvm/ADT/StringExtras.h"

#include <vector>

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

/// Three of Sign with nothing but blanks between them: the place behind, or 0.
size_t endOfTriple(StringRef Text, size_t At, char Sign) {
  for (int Count = 0; Count < 3; ++Count) {
    At = Count ? skipBlanks(Text, At) : At;
    if (At >= Text.size() || Text[At] != Sign)
      return 0;
    ++At;
  }
  return At;
}

/// The signs side by side, then the blanks that stood between them.
std::string joined(StringRef Triple, char Sign) {
  std::string Out(3, Sign);
  for (char C : Triple)
    if (C != Sign)
      Out += C;
  return Out;
}

struct Launch {
  size_t Begin = 0, Inside = 0; ///< Of <<<, and behind it.
  size_t Close = 0, End = 0;    ///< Of >>>, and behind it.
  std::vector<size_t> Commas;   ///< Between the arguments.
};

/// Reads on from behind <<< to the >>> that a parenthesis follows.
bool findEnd(StringRef Text, Launch &L) {
  int Depth = 0;
  for (size_t At = L.Inside; At < Text.size();) {
    if (size_t Next = skip(Text, At); Next != At) {
      At = Next;
      continue;
    }
    char C = Text[At];
    L.Close = At;
    L.End = Depth == 0 ? endOfTriple(Text, At, '>') : 0;
    size_t Next = L.End ? skipBlanks(Text, L.End) : 0;
    if (Next && Next < Text.size() && Text[Next] == '(')
      return true;
    Depth += StringRef("([{").contains(C) - StringRef(")]}").contains(C);
    if (Depth < 0 || C == ';')
      return false;
    if (C == ',' && Depth == 0)
      L.Commas.push_back(At);
    ++At;
  }
  return false;
}

/// {x, y} as dim3(x, y), which clang does not make of it by itself.
std::string asDim3(StringRef Argument) {
  StringRef Trimmed = Argument.trim();
  if (!Trimmed.starts_with("{") || !Trimmed.ends_with("}"))
    return Argument.str();
  StringRef Before = Argument.take_front(Trimmed.data() - Argument.data());
  StringRef After = Argument.drop_front(Before.size() + Trimmed.size());
  return (Before + "dim3(" + Trimmed.drop_front().drop_back() + ")" + After)
      .str();
}

/// The first two arguments are of type dim3.
std::string arguments(StringRef Text, const Launch &L) {
  std::string Out;
  size_t Begin = L.Inside;
  for (size_t I = 0; I <= L.Commas.size(); ++I) {
    size_t End = I < L.Commas.size() ? L.Commas[I] : L.Close;
    StringRef Argument = Text.slice(Begin, End);
    Out += (I ? "," : "") + (I < 2 ? asDim3(Argument) : Argument.str());
    Begin = End + 1;
  }
  return Out;
}

std::string rewritten(StringRef Text, const Launch &L) {
  return joined(Text.slice(L.Begin, L.Inside), '<') + arguments(Text, L) +
         joined(Text.slice(L.Close, L.End), '>');
}

} // namespace

std::string rewriteLaunches(StringRef Text) {
  std::string Out;
  size_t Kept = 0;
  bool IsOperator = false;
  for (size_t At = 0; At < Text.size();) {
    if (size_t Next = skip(Text, At); Next != At) {
      IsOperator = Text.slice(At, Next) == "operator";
      At = Next;
      continue;
    }
    Launch L;
    L.Begin = At;
    L.Inside = IsOperator ? 0 : endOfTriple(Text, At, '<');
    if (L.Inside && findEnd(Text, L)) {
      Out += Text.slice(Kept, At).str() + rewritten(Text, L);
      At = Kept = L.End;
    } else {
      IsOperator &= isSpace(Text[At]) || Text[At] == '<';
      ++At;
    }
  }
  return Out + Text.substr(Kept).str();
}

} // namespace blockmaestro::nvcc
