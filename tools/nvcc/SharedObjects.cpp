// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedObjects.h"

#include "SourceTokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

/// Reads the tokens of a text one after another.
class TokenReader {
public:
  TokenReader(StringRef Text, size_t At) : Text(Text), At(At) {}

  /// The next word, or the next sign alone.
  StringRef peek() const {
    const size_t Begin = skipBlanks(Text, At);
    return Text.slice(Begin, std::max(skip(Text, Begin), Begin + 1));
  }
  StringRef next() {
    StringRef Token = peek();
    At = Token.data() + Token.size() - Text.data();
    return Token;
  }
  bool take(StringRef Token) { return peek() == Token && !next().empty(); }
  size_t place() const { return At; }

private:
  StringRef Text;
  size_t At;
};

/// From Open to what closes it, both already seen or not.
bool takeBracketed(TokenReader &R, StringRef Open, StringRef Close) {
  if (!R.take(Open))
    return false;
  for (int Depth = 1; Depth > 0;) {
    StringRef Token = R.next();
    if (Token.empty() || Token == ";")
      return false;
    Depth += (Token == Open) - (Token == Close);
  }
  return true;
}

bool hasConstructor(StringRef Type) {
  return is_contained({"barrier", "pipeline_shared_state", "latch",
                       "counting_semaphore", "binary_semaphore"},
                      Type);
}

/// One of the types, dim3, as cuda::barrier<...> or by an alias.
bool takeType(TokenReader &R, const StringSet<> &Aliases) {
  if (R.peek() == "dim3" || Aliases.contains(R.peek()))
    return !R.next().empty();
  if (!R.take("cuda") || !R.take(":") || !R.take(":") ||
      !hasConstructor(R.next()))
    return false;
  return R.peek() != "<" || takeBracketed(R, "<", ">");
}

/// The names that Text gives to the types by `using`.
StringSet<> aliasesOf(StringRef Text) {
  StringSet<> Aliases;
  for (size_t At = Text.find("using "); At != StringRef::npos;
       At = Text.find("using ", At + 1)) {
    TokenReader R(Text, At);
    R.next();
    StringRef Name = R.next();
    if (R.take("=") && takeType(R, {}))
      Aliases.insert(Name);
  }
  return Aliases;
}

bool isName(StringRef Token) {
  return !Token.empty() && (isAlpha(Token[0]) || Token[0] == '_');
}

/// What takes the place of the declaration whose type R reads next, and its
/// end; empty where there is none.
std::string declaration(StringRef Text, TokenReader &R,
                        const StringSet<> &Aliases) {
  const size_t Begin = skipBlanks(Text, R.place());
  if (!takeType(R, Aliases))
    return "";
  StringRef Type = Text.slice(Begin, R.place());
  StringRef Name = R.next();
  const size_t Extents = R.place();
  while (R.peek() == "[")
    if (!takeBracketed(R, "[", "]"))
      return "";
  StringRef Array = Text.slice(Extents, R.place());
  if (!isName(Name) || !R.take(";"))
    return "";
  return ("blockmaestro_shared<" + Type + Array + "> " + Name +
          "_storage; auto &" + Name + " = " + Name + "_storage.Value;")
      .str();
}

} // namespace

std::string rewriteSharedObjects(StringRef Text) {
  if (!Text.contains("__shared__"))
    return Text.str();
  const StringSet<> Aliases = aliasesOf(Text);
  std::string Out;
  size_t Kept = 0;
  for (size_t At = 0; At < Text.size();) {
    const size_t Next = skip(Text, At);
    if (Text.slice(At, Next) == "__shared__") {
      TokenReader R(Text, Next);
      if (std::string New = declaration(Text, R, Aliases); !New.empty()) {
        Out += Text.slice(Kept, Next).str() + " " + New;
        Kept = R.place();
      }
    }
    At = std::max({At + 1, Next, Kept});
  }
  return Out + Text.substr(Kept).str();
}

} // namespace blockmaestro::nvcc
