// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {
namespace {

Error setKernel(DumpOptions &To, StringRef Value) {
  To.Kernel = Value.str();
  return Error::success();
}

Error setOutput(DumpOptions &To, StringRef Value) {
  To.Output = Value.str();
  return Error::success();
}

Error setLaunches(DumpOptions &To, StringRef Value) {
  return parseLaunchRange(Value).moveInto(To.Launches);
}

/// Set takes the value where there is one, else Switch is turned on.
struct OptionRow {
  StringLiteral Key; ///< As in Extra; empty where every command has it.
  StringLiteral Name;
  StringLiteral Value; ///< Empty where there is none.
  bool DumpOptions::*Switch;
  Error (*Set)(DumpOptions &, StringRef);
  bool IsForm; ///< Of which one is given at most.
  StringLiteral Help;
};

constexpr OptionRow Rows[] = {
    {"--kernel", "--kernel", "NAME", nullptr, setKernel, false,
     "only kernels of this name, mangled or as in the source"},
    {"--launches", "--launches", "A..B", nullptr, setLaunches, false,
     "only launches A to B and what is between them; A.., ..B, -N.. for the "
     "last N"},
    {"graph --launches", "--launches", "A..B", &DumpOptions::ByLaunch,
     setLaunches, false,
     "only launches A to B; A.., ..B, -N.. for the last N; without a range: "
     "draw a node for each launch"},
    {"-o", "-o", "FILE", nullptr, setOutput, false, "where to write"},
    {"--edges", "--edges", "", &DumpOptions::Edges, nullptr, false,
     "each pair of blocks"},
    {"--all", "--all", "", &DumpOptions::All, nullptr, false,
     "relations that others imply too"},
    {"--paper", "--paper", "", &DumpOptions::Paper, nullptr, false,
     "sizes by the encoding of the BlockMaestro paper too"},
    {"--dot", "--dot", "", &DumpOptions::Dot, nullptr, true,
     "blocks and edges in Graphviz's language"},
    {"--paths", "--paths", "", &DumpOptions::Paths, nullptr, false,
     "each step that a warp visited, and the code, too"},
    {"--svg", "--svg", "", &DumpOptions::Svg, nullptr, true,
     "the same drawn by Graphviz's dot"},
    {"--csv", "--csv", "", &DumpOptions::Csv, nullptr, true,
     "as a table of comma-separated values"},
    {"--json", "--json", "", &DumpOptions::Json, nullptr, true, "as JSON"},
    {"", "--help", "", &DumpOptions::Help, nullptr, false, "this text"},
};

bool isTaken(const OptionRow &Row, ArrayRef<StringLiteral> Extra) {
  return Row.Key.empty() || is_contained(Extra, Row.Key);
}

const OptionRow *findRow(StringRef Argument, ArrayRef<StringLiteral> Extra) {
  const StringRef Name = Argument == "-h" ? "--help" : Argument;
  for (const OptionRow &Row : Rows)
    if (Row.Name == Name && isTaken(Row, Extra))
      return &Row;
  return nullptr;
}

/// What only a range of launches can be: no file is called that.
bool looksLikeRange(StringRef Text) {
  return !Text.empty() && Text.find_first_not_of("0123456789.-") == Text.npos;
}

/// Takes the value of an option off the front of Left; an empty text where
/// none needs to be there and none is.
Expected<StringRef> takeValue(const OptionRow &Row,
                              ArrayRef<const char *> &Left) {
  const StringRef Next = Left.empty() ? "" : Left.front();
  if (Row.Switch && !looksLikeRange(Next))
    return StringRef();
  if (Next.empty())
    return createStringError(
        "'" + Row.Name + "' needs a " +
        (Row.Value == "A..B" ? "range A..B" : Row.Value.lower()));
  Left = Left.drop_front();
  return Next;
}

Error takeOption(DumpOptions &To, const OptionRow &Row,
                 ArrayRef<const char *> &Left) {
  StringRef Value;
  if (Row.Set)
    if (Error Missing = takeValue(Row, Left).moveInto(Value))
      return Missing;
  if (!Value.empty())
    return Row.Set(To, Value);
  To.*Row.Switch = true;
  return Error::success();
}

/// How the output is written, and what must be there.
Error checkOptions(const DumpOptions &Given) {
  StringRef Form;
  for (const OptionRow &Row : Rows) {
    if (!Row.IsForm || !(Given.*Row.Switch))
      continue;
    if (!Form.empty())
      return createStringError("'" + Form + "' and '" + Row.Name +
                               "' exclude each other");
    Form = Row.Name;
  }
  if (Given.ByLaunch && !Given.Dot && !Given.Svg)
    return createStringError(
        "'--launches' needs a range A..B, or '--dot' or '--svg'");
  if (Given.File.empty())
    return createStringError("no file given");
  return Error::success();
}

} // namespace

std::vector<ManualOption> manualOptions(ArrayRef<StringLiteral> Extra) {
  std::vector<ManualOption> Out;
  for (const OptionRow &Row : Rows) {
    if (!isTaken(Row, Extra))
      continue;
    Out.push_back(
        {{Row.Name.str()}, Row.Value.str(), Row.Help.str(), {}, false});
    if (Row.Name == "--help")
      Out.back().Names.push_back("-h");
  }
  return Out;
}

Expected<DumpOptions> readOptions(ArrayRef<const char *> Left,
                                  ArrayRef<StringLiteral> Extra) {
  DumpOptions Given;
  while (!Left.empty()) {
    const StringRef Argument = Left.front();
    Left = Left.drop_front();
    if (const OptionRow *Row = findRow(Argument, Extra)) {
      if (Error Wrong = takeOption(Given, *Row, Left))
        return std::move(Wrong);
    } else if (Argument.starts_with("-"))
      return createStringError("unknown option '" + Argument + "'");
    else if (!Given.File.empty())
      return createStringError("more than one file given");
    else
      Given.File = Argument.str();
  }
  if (!Given.Help)
    if (Error Wrong = checkOptions(Given))
      return std::move(Wrong);
  return Given;
}

int fail(StringRef Message) {
  std::string Line = Message.str();
  std::replace_if(
      Line.begin(), Line.end(),
      [](char C) { return static_cast<unsigned char>(C) < ' '; }, '?');
  errs() << "bm-dump: error: " << Line << '\n';
  return 1;
}

} // namespace blockmaestro
