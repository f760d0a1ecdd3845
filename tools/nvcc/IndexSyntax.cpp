// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IndexSyntax.h"

#include "SourceTokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <array>

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

bool isIndex(StringRef Token) {
  return is_contained({"threadIdx", "blockIdx"}, Token);
}

bool isExtent(StringRef Token) {
  return is_contained({"blockDim", "gridDim"}, Token);
}

/// What stands in front of a token.
class Context {
public:
  void pass(StringRef Token) {
    if (Token == "(" && Last[1] == "define")
      InParameters = true;
    else if (Token == ")")
      InParameters = false;
    if (Token.size() == 1 && StringRef("([{").contains(Token[0]))
      Open += Token[0];
    else if (Token.size() == 1 && StringRef(")]}").contains(Token[0]) &&
             !Open.empty())
      Open.pop_back();
    IsAuto = Token == "auto" || (IsAuto && Token != ";");
    Last = {Token, Last[0], Last[1]};
  }

  /// Whether an argument begins here, and no parameter of a macro.
  bool beginsArgument() const {
    return !InParameters &&
           (Last[0] == "(" ||
            (Last[0] == "," && StringRef(Open).ends_with("(")));
  }
  /// Behind return, and in front of what is chosen.
  bool beginsResult() const {
    return Last[0] == "return" || Last[0] == "?" || Last[0] == ":";
  }
  /// Behind `auto Name =`, or where more names follow; not behind a reference.
  bool beginsCopy() const {
    return IsAuto && (Last[0] == "=" || Last[0] == "{") && Last[2] != "&" &&
           Last[2] != "*";
  }
  /// Behind `[Name =`, a capture.
  bool beginsCapture() const {
    return Last[0] == "=" && StringRef(Open).ends_with("[");
  }

private:
  std::array<StringRef, 3> Last; ///< The last token first.
  std::string Open;              ///< Brackets that are open.
  bool InParameters = false;     ///< Those of a macro's definition.
  bool IsAuto = false;           ///< In a statement that deduces types.
};

bool isComment(StringRef Text, size_t At) {
  return Text.substr(At).starts_with("//") || Text.substr(At).starts_with("/*");
}

/// Behind blanks and comments.
size_t skipSpace(StringRef Text, size_t At) {
  for (size_t Begin = skipBlanks(Text, At);; Begin = skipBlanks(Text, At)) {
    if (!isComment(Text, Begin))
      return Begin;
    At = skip(Text, Begin);
  }
}

bool isValue(StringRef Token, char Next, const Context &Before) {
  const bool Ends = StringRef(",;:)").contains(Next);
  if (isIndex(Token) && Ends &&
      (Before.beginsArgument() || Before.beginsResult()))
    return true;
  if (!isIndex(Token) && !isExtent(Token))
    return false;
  return (Before.beginsCopy() && StringRef(",;})").contains(Next)) ||
         (Before.beginsCapture() && StringRef(",]").contains(Next));
}

} // namespace

std::string rewriteIndices(StringRef Text) {
  std::string Out;
  size_t Kept = 0;
  Context Before;
  for (size_t At = skipSpace(Text, 0); At < Text.size();) {
    const size_t End = std::max(skip(Text, At), At + 1);
    const size_t Next = skipSpace(Text, End);
    StringRef Token = Text.slice(At, End);
    if (Next < Text.size() && isValue(Token, Text[Next], Before)) {
      Out += (Twine(Text.slice(Kept, At)) + "blockmaestro_index(" + Token + ")")
                 .str();
      Kept = End;
    }
    Before.pass(Token);
    At = Next;
  }
  return Out + Text.substr(Kept).str();
}

} // namespace blockmaestro::nvcc
