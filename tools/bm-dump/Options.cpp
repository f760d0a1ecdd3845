// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {
namespace {

/// One of Switch and Text is set.
struct OptionRow {
  StringLiteral Name;
  StringLiteral Value; ///< Empty where there is none.
  bool DumpOptions::*Switch;
  std::string DumpOptions::*Text;
  bool Everywhere; ///< Else where the command has it.
  StringLiteral Help;
};

constexpr OptionRow Rows[] = {
    {"--kernel", "NAME", nullptr, &DumpOptions::Kernel, false,
     "only kernels of this name, mangled or as in the source"},
    {"--edges", "", &DumpOptions::Edges, nullptr, false, "each pair of blocks"},
    {"--all", "", &DumpOptions::All, nullptr, false,
     "relations that others imply too"},
    {"--paper", "", &DumpOptions::Paper, nullptr, false,
     "sizes by the encoding of the BlockMaestro paper too"},
    {"--dot", "", &DumpOptions::Dot, nullptr, false,
     "blocks and edges in Graphviz's language"},
    {"--paths", "", &DumpOptions::Paths, nullptr, false,
     "each step that a warp visited, and the code, too"},
    {"--json", "", &DumpOptions::Json, nullptr, true, "as JSON"},
    {"--help", "", &DumpOptions::Help, nullptr, true, "this text"},
};

bool isTaken(const OptionRow &Row, ArrayRef<StringLiteral> Extra) {
  return Row.Everywhere || is_contained(Extra, Row.Name);
}

const OptionRow *findRow(StringRef Argument, ArrayRef<StringLiteral> Extra) {
  const StringRef Name = Argument == "-h" ? "--help" : Argument;
  for (const OptionRow &Row : Rows)
    if (Row.Name == Name && isTaken(Row, Extra))
      return &Row;
  return nullptr;
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

Expected<DumpOptions> readOptions(ArrayRef<const char *> Arguments,
                                  ArrayRef<StringLiteral> Extra) {
  DumpOptions Given;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef Argument = Arguments[I];
    const OptionRow *Row = findRow(Argument, Extra);
    if (Row && Row->Switch)
      Given.*Row->Switch = true;
    else if (Row) {
      if (++I == Arguments.size() || !*Arguments[I])
        return createStringError("'" + Argument + "' needs a " +
                                 Row->Value.lower());
      Given.*Row->Text = Arguments[I];
    } else if (Argument.starts_with("-"))
      return createStringError("unknown option '" + Argument + "'");
    else if (!Given.File.empty())
      return createStringError("more than one file given");
    else
      Given.File = Argument.str();
  }
  if (Given.File.empty() && !Given.Help)
    return createStringError("no file given");
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
