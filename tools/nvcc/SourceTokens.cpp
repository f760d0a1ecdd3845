// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceTokens.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

size_t endOfRawString(StringRef Text, size_t Quote) {
  StringRef Delimiter = Text.substr(Quote + 1).take_until(
      [](char C) { return C == '(' || C == '\n'; });
  size_t End = Text.find((")" + Delimiter + "\"").str(), Quote);
  return End == StringRef::npos ? Text.size() : End + Delimiter.size() + 2;
}

size_t endOfLiteral(StringRef Text, size_t Begin) {
  for (size_t I = Begin + 1; I < Text.size(); ++I) {
    if (Text[I] == '\\')
      ++I;
    else if (Text[I] == Text[Begin] || Text[I] == '\n')
      return I + 1;
  }
  return Text.size();
}

size_t behind(StringRef Text, StringRef Mark, size_t From) {
  size_t At = Text.find(Mark, From);
  return At == StringRef::npos ? Text.size() : At + Mark.size();
}

} // namespace

size_t skip(StringRef Text, size_t At) {
  StringRef Rest = Text.substr(At);
  if (Rest.starts_with("//"))
    return behind(Text, "\n", At);
  if (Rest.starts_with("/*"))
    return behind(Text, "*/", At + 2);
  if (Rest.starts_with("R\""))
    return endOfRawString(Text, At + 1);
  if (Rest.starts_with("\"") || Rest.starts_with("'"))
    return endOfLiteral(Text, At);
  size_t Word = At;
  while (Word < Text.size() &&
         (isAlnum(Text[Word]) || Text[Word] == '_' ||
          (Text[Word] == '\'' && Word > At && isDigit(Text[At]))))
    ++Word;
  return Word;
}

size_t skipBlanks(StringRef Text, size_t At) {
  while (At < Text.size() &&
         (isSpace(Text[At]) || Text.substr(At).starts_with("\\\n")))
    ++At;
  return At;
}

} // namespace blockmaestro::nvcc
