// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a tool's command line takes, as its --help, its manual page
// and the completions of shells have it.
// On the data's way: made by each tool from the tables that it reads its
// arguments by; HelpText, ManualPage and Completion turn it into text.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_TOOLS_MANUAL_MANUAL_H
#define BLOCKMAESTRO_TOOLS_MANUAL_MANUAL_H

#include <string>
#include <vector>

namespace blockmaestro {

/// A word and what it stands for.
struct ManualTerm {
  std::string Name;
  std::string Help;
};

struct ManualOption {
  std::vector<std::string> Names; ///< With their dashes; the usual one first.
  std::string Value;              ///< "FILE"; empty where there is none.
  std::string Help;
  /// The words that the value may be. A part in capitals stands for another.
  std::vector<ManualTerm> Choices;
  bool ValueIsJoined = false; ///< Right behind the name: -lm.
};

struct ManualGroup {
  std::string Title;
  std::vector<ManualOption> Options;
};

struct ManualCommand {
  std::string Name;
  std::string Help;
  std::string Operands;    ///< "FILE"
  std::string Description; ///< Of the operands.
  std::vector<ManualOption> Options;
};

/// Terms that are no options: "schedulers".
struct ManualList {
  std::string Title;
  std::vector<ManualTerm> Terms;
  std::string Note; ///< Behind them.
};

struct Manual {
  std::string Tool;
  std::vector<std::string> Aliases; ///< Other names of the same program.
  std::string Summary;
  std::vector<std::string> Usage;       ///< Lines, each with the tool's name.
  std::vector<std::string> Description; ///< Paragraphs.
  std::vector<ManualCommand> Commands;
  std::vector<ManualGroup> Groups;
  std::vector<ManualList> Lists;
  std::vector<std::string> SeeAlso;
  /// Whether the tool itself names more words, as clang does (--autocomplete=).
  bool CompletesItself = false;
};

/// That of the tool whose library this is linked with.
Manual manual();

} // namespace blockmaestro

#endif
