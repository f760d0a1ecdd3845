// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a tool's command line read by the rows of its table of options.
// On the data's way: from main's arguments to a tool's Options, and from the
// same rows to its Manual.
// Invariants: an option is "--name value", "--name=value" or, where it takes no
// value, "--name"; -h is --help; what begins with no dash is a file.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_MANUAL_OPTIONROWS_H
#define BLOCKMAESTRO_TOOLS_MANUAL_OPTIONROWS_H

#include "Manual.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <variant>

namespace blockmaestro {

/// A row of --help and of what is read. Options have Files; a Mark is what else
/// a tool says of an option.
template <typename Options, typename Mark = std::monostate> struct OptionRow {
  llvm::StringLiteral Name;
  llvm::StringLiteral Value; ///< Empty where there is none.
  /// Null where there is no value.
  llvm::Error (*Set)(Options &, llvm::StringRef);
  void (*Turn)(Options &); ///< Where there is no value.
  llvm::StringLiteral Help;
  Mark By = {};
};

/// Takes one option off the front of Left; null when there is none.
template <typename Options, typename Row>
llvm::Expected<const Row *> takeOption(Options &To,
                                       llvm::ArrayRef<const char *> &Left,
                                       llvm::ArrayRef<Row> Rows) {
  const llvm::StringRef Argument = Left.front();
  const auto [Name, Value] = Argument.split('=');
  for (const Row &Each : Rows) {
    if (Each.Turn && (Argument == Each.Name ||
                      (Argument == "-h" && Each.Name == "--help"))) {
      Left = Left.drop_front();
      Each.Turn(To);
      return &Each;
    }
    if (Name != Each.Name || !Each.Set)
      continue;
    const bool IsSeparate = !Argument.contains('=');
    if (IsSeparate && Left.size() == 1)
      return llvm::createStringError(Name + " needs a value");
    if (llvm::Error Wrong =
            Each.Set(To, IsSeparate ? llvm::StringRef(Left[1]) : Value))
      return std::move(Wrong);
    Left = Left.drop_front(IsSeparate ? 2 : 1);
    return &Each;
  }
  return nullptr;
}

/// Takes all of Left, and calls Taken(row) for each option.
template <typename Options, typename Row, typename Callback>
llvm::Error readArguments(Options &To, llvm::ArrayRef<const char *> Left,
                          llvm::ArrayRef<Row> Rows, Callback Taken) {
  while (!Left.empty()) {
    llvm::Expected<const Row *> Found = takeOption(To, Left, Rows);
    if (!Found)
      return Found.takeError();
    if (*Found) {
      Taken(**Found);
      continue;
    }
    const llvm::StringRef Argument = Left.front();
    if (Argument.starts_with("-"))
      return llvm::createStringError("unknown option '" + Argument + "'");
    To.Files.push_back(Argument.str());
    Left = Left.drop_front();
  }
  return llvm::Error::success();
}

/// Without the words that its value may be.
template <typename Row> ManualOption manualOption(const Row &Of) {
  ManualOption Out{{Of.Name.str()}, Of.Value.str(), Of.Help.str(), {}, false};
  if (Of.Name == "--help")
    Out.Names.push_back("-h");
  return Out;
}

} // namespace blockmaestro

#endif
