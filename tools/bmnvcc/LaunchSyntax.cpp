// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchSyntax.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>
#include <vector>

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

/// The place behind what no launch can begin in: a comment, a literal, a word
/// or number; At where there is none.
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

/// Behind blanks, and line ends that a backslash hides.
size_t skipBlanks(StringRef Text, size_t At) {
  while (At < Text.size() &&
         (isSpace(Text[At]) || Text.substr(At).starts_with("\\\n")))
    ++At;
  return At;
}

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

/// The names that Source includes in quotes.
std::vector<std::string> includedNames(StringRef Source) {
  std::vector<std::string> Names;
  SmallVector<StringRef> Lines;
  Source.split(Lines, '\n');
  for (StringRef Line : Lines) {
    Line = Line.ltrim();
    if (!Line.consume_front("#") ||
        !(Line = Line.ltrim()).consume_front("include"))
      continue;
    if ((Line = Line.ltrim()).consume_front("\""))
      Names.push_back(Line.take_until([](char C) { return C == '"'; }).str());
  }
  return Names;
}

class Files {
public:
  explicit Files(ArrayRef<std::string> Folders) : Folders(Folders) {}

  void add(StringRef Path) {
    SmallString<256> Absolute(Path);
    if (sys::fs::make_absolute(Absolute))
      return;
    sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
    if (!Seen.insert(Absolute.str().str()).second)
      return;
    ErrorOr<std::unique_ptr<MemoryBuffer>> File =
        MemoryBuffer::getFile(Absolute);
    if (!File)
      return;
    StringRef Source = (*File)->getBuffer();
    if (std::optional<std::string> Changed = rewriteLaunches(Source))
      Out[Absolute.str().str()] = *Changed;
    for (const std::string &Name : includedNames(Source))
      addIncluded(sys::path::parent_path(Absolute), Name);
  }

  std::map<std::string, std::string> Out;

private:
  void addIncluded(StringRef Folder, StringRef Name) {
    std::vector<std::string> Places{Folder.str()};
    Places.insert(Places.end(), Folders.begin(), Folders.end());
    for (const std::string &Place : Places) {
      SmallString<256> Path(Place);
      sys::path::append(Path, Name);
      if (sys::fs::exists(Path))
        return add(Path);
    }
  }

  ArrayRef<std::string> Folders;
  std::set<std::string> Seen;
};

} // namespace

std::optional<std::string> rewriteLaunches(StringRef Text) {
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
  Out += Text.substr(Kept).str();
  if (Out == Text)
    return std::nullopt;
  return Out;
}

std::map<std::string, std::string>
rewrittenFiles(ArrayRef<std::string> Names, ArrayRef<std::string> Folders) {
  Files Found(Folders);
  for (const std::string &Name : Names)
    Found.add(Name);
  return std::move(Found.Out);
}

} // namespace blockmaestro::nvcc
