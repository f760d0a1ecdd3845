// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "Effects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

#include <deque>

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

/// What stands behind an option's name.
enum class Takes {
  None,
  Boolean, ///< true or false
  Value,
  Raw,    ///< A value with commas of its own.
  List,   ///< Values between commas.
  Joined, ///< A list that may stand right behind the name: -O3.
};

enum class Becomes { Same, Ignored, Refused };

struct Option {
  StringRef Area;
  StringLiteral Long, Short;
  Takes Argument;
  Becomes Fate;
  Effect Apply;
  StringLiteral Remark;
};

std::vector<Option> makeTable() {
  using enum Takes;
  using enum Becomes;
  std::vector<Option> Table;
  StringRef Area;
#define AREA(Name) Area = Name;
#define OPTION(Long, Short, Argument, Fate, Example, Apply, Remark)            \
  Table.push_back({Area, Long, Short, Argument, Fate, Apply, Remark});
#include "Options.def"
#undef OPTION
#undef AREA
  return Table;
}

const std::vector<Option> &table() {
  static const std::vector<Option> Table = makeTable();
  return Table;
}

/// BlockMaestro's own flags, and clang's for its remarks.
bool isOwn(StringRef Text) {
  constexpr StringLiteral Prefixes[] = {"-fblockmaestro", "-fno-blockmaestro",
                                        "-Rpass"};
  return any_of(Prefixes, [&](StringRef P) { return Text.starts_with(P); });
}

const Option *find(StringRef Name) {
  auto Is = [&](const Option &Row) {
    return Name.starts_with("--") ? Name.drop_front(2) == Row.Long
                                  : Name.drop_front(1) == Row.Short;
  };
  auto Row = find_if(table(), Is);
  return Row == table().end() ? nullptr : &*Row;
}

/// -O3, -lm: the option that Word begins with.
const Option *findJoined(StringRef Word) {
  auto Is = [&](const Option &Row) {
    return Row.Argument == Takes::Joined &&
           Word.drop_front(1).starts_with(Row.Short);
  };
  auto Row = find_if(table(), Is);
  return Row == table().end() || Word.starts_with("--") ? nullptr : &*Row;
}

/// Splits at commas that stand neither in quotes nor behind a backslash.
std::vector<std::string> splitList(StringRef Text) {
  std::vector<std::string> Parts(1);
  char Quote = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '\\' && I + 1 < Text.size() && Text[I + 1] == ',') {
      Parts.back() += Text[++I];
      continue;
    }
    if (C == '"' || C == '\'')
      Quote = Quote == C ? 0 : Quote ? Quote : C;
    if (C == ',' && !Quote)
      Parts.emplace_back();
    else
      Parts.back() += C;
  }
  erase_if(Parts, [](const std::string &Part) { return Part.empty(); });
  return Parts;
}

class Reader {
public:
  Reader(ArrayRef<std::string> Words, Request R)
      : Words(Words.begin(), Words.end()), R(std::move(R)) {}

  Expected<Request> read() {
    while (!Words.empty())
      if (Error Failure = readWord(take()))
        return Failure;
    if (Error Failure = forward())
      return Failure;
    if (Error Failure = R.Gpu.finish())
      return Failure;
    return std::move(R);
  }

  /// Reads the first word with its value, and keeps the others.
  Expected<Request> readFirst() {
    if (Error Failure = readWord(take()))
      return Failure;
    return std::move(R);
  }
  size_t left() const { return Words.size(); }

private:
  std::string take() {
    std::string Word = std::move(Words.front());
    Words.pop_front();
    return Word;
  }

  Error readWord(const std::string &Word) {
    if (Word.size() > 1 && Word[0] == '@')
      return readFiles(Word.substr(1));
    if (Word.size() < 2 || Word[0] != '-') {
      R.Inputs.push_back(Word);
      return Error::success();
    }
    auto [Name, Value] = StringRef(Word).split('=');
    bool HasValue = Name.size() != Word.size();
    if (const Option *Row = find(Name))
      return readOption(*Row, Name, HasValue, Value.str());
    if (const Option *Row = findJoined(Word)) {
      size_t Length = Row->Short.size() + 1;
      return readOption(*Row, Name.take_front(Length), true,
                        Word.substr(Length));
    }
    return readOther(Word);
  }

  Error readOther(const std::string &Word) {
    if (Word == "-fblockmaestro-cuda-compat")
      R.CudaCompat = true;
    else if (isOwn(Word))
      R.Compile.push_back({Side::Cuda, Word});
    else
      Unknown.push_back(Word);
    return Error::success();
  }

  Error readOption(const Option &Row, StringRef Name, bool HasValue,
                   std::string Value) {
    if (Row.Fate == Becomes::Refused)
      return refuse(Row, Name);
    if (Row.Argument == Takes::None && HasValue)
      return createStringError("no argument expected after '" + Name + "'");
    if (Row.Argument != Takes::None && !HasValue) {
      if (Words.empty())
        return createStringError("argument expected after '" + Name + "'");
      Value = take();
    }
    return apply(Row, Name, Value);
  }

  static Error refuse(const Option &Row, StringRef Name) {
    std::string Why = Row.Remark.empty() ? "" : " (" + Row.Remark.str() + ")";
    return createStringError("'" + Name + "' of nvcc is not supported" + Why);
  }

  Error apply(const Option &Row, StringRef Name, const std::string &Value) {
    if (Row.Long == "options-file")
      return readFiles(Value);
    if (Row.Argument == Takes::Boolean && Value != "true" && Value != "false")
      return createStringError("'" + Value + "': expected true or false");
    bool Splits = Row.Argument == Takes::List || Row.Argument == Takes::Joined;
    for (const std::string &Part :
         Splits ? splitList(Value) : std::vector<std::string>{Value})
      if (Error Failure = Row.Apply(R, Part))
        return createStringError("'" + Name +
                                 "': " + toString(std::move(Failure)));
    return Error::success();
  }

  /// Puts the words of files in their place.
  Error readFiles(const std::string &Names) {
    std::vector<std::string> Read;
    for (const std::string &Name : splitList(Names)) {
      ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Name);
      if (!File)
        return createFileError(Name, File.getError());
      append_range(Read, splitWords((*File)->getBuffer()));
    }
    if ((Files += 1) > MostFiles)
      return createStringError("option files name each other without end");
    Words.insert(Words.begin(), Read.begin(), Read.end());
    return Error::success();
  }

  /// What no option is, where the line asks for it.
  Error forward() {
    for (const std::string &Word : Unknown) {
      if (!R.ForwardsToCompiler && !R.ForwardsToLinker)
        return createStringError("Unknown option '" + Word + "'");
      if (R.ForwardsToCompiler)
        addHostWord(R, Word);
      if (R.ForwardsToLinker || R.Until == Phase::Program)
        R.Link.push_back(Word);
    }
    return Error::success();
  }

  static constexpr unsigned MostFiles = 1000;
  std::deque<std::string> Words;
  std::vector<std::string> Unknown;
  unsigned Files = 0;
  Request R;
};

StringRef argumentText(Takes Argument) {
  switch (Argument) {
  case Takes::None:
    return "";
  case Takes::Boolean:
    return " true|false";
  case Takes::Value:
  case Takes::Raw:
    return " <value>";
  case Takes::List:
  case Takes::Joined:
    return " <value>,...";
  }
  return "";
}

StringRef fateText(Becomes Fate) {
  switch (Fate) {
  case Becomes::Same:
    return "as with nvcc";
  case Becomes::Ignored:
    return "ignored";
  case Becomes::Refused:
    return "refused";
  }
  return "";
}

} // namespace

std::vector<std::string> splitWords(StringRef Text) {
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return {Words.begin(), Words.end()};
}

Expected<Request> readRequest(ArrayRef<std::string> Words) {
  return Reader(Words, {}).read();
}

Expected<size_t> readOption(ArrayRef<std::string> Words, Request &R) {
  StringRef Word = Words.front();
  if (Word.size() < 2 || Word[0] != '-' || !find(Word.split('=').first))
    return 0;
  Reader First(Words, R);
  Expected<Request> Read = First.readFirst();
  if (!Read)
    return Read.takeError();
  R = std::move(*Read);
  return Words.size() - First.left();
}

std::vector<ManualGroup> optionGroups() {
  std::vector<ManualGroup> Groups;
  for (const Option &Row : table()) {
    if (Groups.empty() || Row.Area != Groups.back().Title)
      Groups.push_back({Row.Area.str(), {}});
    std::string Help = fateText(Row.Fate).str();
    Help += (Row.Remark.empty() ? "" : "; " + Row.Remark.str());
    Groups.back().Options.push_back(
        {{"--" + Row.Long.str(), "-" + Row.Short.str()},
         argumentText(Row.Argument).ltrim().str(),
         std::move(Help),
         {},
         false});
    if (Row.Argument == Takes::Boolean)
      Groups.back().Options.back().Choices = {{"true", ""}, {"false", ""}};
  }
  return Groups;
}

std::string help() {
  std::string Text;
  for (const ManualGroup &Group : optionGroups()) {
    Text += "\n" + Group.Title + "\n";
    for (const ManualOption &Each : Group.Options)
      Text += "  " + Each.Names[0] + " (" + Each.Names[1] + ")" +
              (Each.Value.empty() ? "" : " ") + Each.Value + ": " + Each.Help +
              "\n";
  }
  return Text;
}

} // namespace blockmaestro::nvcc
