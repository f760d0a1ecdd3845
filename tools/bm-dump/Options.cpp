// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {
namespace {

struct Switch {
  StringLiteral Name;
  bool DumpOptions::*Set;
  bool Everywhere;
};

constexpr Switch Switches[] = {
    {"--json", &DumpOptions::Json, true},
    {"--help", &DumpOptions::Help, true},
    {"-h", &DumpOptions::Help, true},
    {"--edges", &DumpOptions::Edges, false},
    {"--paper", &DumpOptions::Paper, false},
    {"--dot", &DumpOptions::Dot, false},
    {"--all", &DumpOptions::All, false},
};

const Switch *findSwitch(StringRef Argument, ArrayRef<StringLiteral> Extra) {
  for (const Switch &Each : Switches)
    if (Each.Name == Argument &&
        (Each.Everywhere || is_contained(Extra, Argument)))
      return &Each;
  return nullptr;
}

} // namespace

Expected<DumpOptions> readOptions(ArrayRef<const char *> Arguments,
                                  ArrayRef<StringLiteral> Extra) {
  DumpOptions Given;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef Argument = Arguments[I];
    if (const Switch *Known = findSwitch(Argument, Extra))
      Given.*Known->Set = true;
    else if (Argument == "--kernel" && is_contained(Extra, Argument)) {
      if (++I == Arguments.size() || !*Arguments[I])
        return createStringError("'--kernel' needs a name");
      Given.Kernel = Arguments[I];
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
