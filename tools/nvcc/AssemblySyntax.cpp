// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AssemblySyntax.h"

#include "SourceTokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

bool isKeyword(StringRef Word) {
  return is_contained({"asm", "__asm", "__asm__"}, Word);
}

bool isQualifier(StringRef Word) {
  return is_contained({"volatile", "__volatile", "__volatile__"}, Word);
}

/// Behind the parenthesis that opens the assembly whose keyword ends at At; 0
/// where there is none.
size_t findOpen(StringRef Text, size_t At) {
  for (;;) {
    At = skipBlanks(Text, At);
    const size_t Next = skip(Text, At);
    if (Next == At)
      return Text.substr(At).starts_with("(") ? At + 1 : 0;
    if (!isQualifier(Text.slice(At, Next)))
      return 0;
    At = Next;
  }
}

/// The strings in front of the colon of the operands, from the place behind the
/// parenthesis on; none where no operands follow.
std::vector<std::pair<size_t, size_t>> templateStrings(StringRef Text,
                                                       size_t At) {
  std::vector<std::pair<size_t, size_t>> Strings;
  for (int Depth = 0; At < Text.size();) {
    if (const size_t Next = skip(Text, At); Next != At) {
      if (Text[At] == '"')
        Strings.push_back({At, Next});
      At = Next;
      continue;
    }
    if (Text[At] == ':' && Depth == 0)
      return Strings;
    Depth += (Text[At] == '(') - (Text[At] == ')');
    if (Depth < 0 || Text[At] == ';')
      return {};
    ++At;
  }
  return {};
}

/// A string with two percent signs where one stands in front of a word.
std::string escaped(StringRef String) {
  std::string Out;
  for (size_t I = 0; I < String.size(); ++I) {
    Out += String[I];
    if (String[I] != '%' || I + 2 >= String.size())
      continue;
    if (isAlpha(String[I + 1]) && isAlpha(String[I + 2]))
      Out += '%';
    else if (String[I + 1] == '%')
      Out += String[++I];
  }
  return Out;
}

} // namespace

std::string rewriteAssembly(StringRef Text) {
  std::string Out;
  size_t Kept = 0;
  for (size_t At = 0; At < Text.size();) {
    const size_t Next = skip(Text, At);
    const size_t Open = Next != At && isKeyword(Text.slice(At, Next))
                            ? findOpen(Text, Next)
                            : 0;
    if (Open)
      for (auto [Begin, End] : templateStrings(Text, Open)) {
        Out += Text.slice(Kept, Begin).str() + escaped(Text.slice(Begin, End));
        Kept = End;
      }
    At = std::max({At + 1, Next, Kept});
  }
  return Out + Text.substr(Kept).str();
}

} // namespace blockmaestro::nvcc
