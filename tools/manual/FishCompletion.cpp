// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Completion.h"

#include "CompletionWords.h"

namespace blockmaestro {
namespace {

std::string quoted(const std::string &Text) {
  std::string Out = "'";
  for (char C : Text) {
    if (C == '\'' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + "'";
}

/// How fish is told of a name: long, short, or long with one dash.
std::string nameSwitch(const std::string &Name) {
  if (Name.rfind("--", 0) == 0)
    return " -l " + quoted(Name.substr(2));
  return (Name.size() == 2 ? " -s " : " -o ") + quoted(Name.substr(1));
}

std::string optionLine(const std::string &Start, const ManualOption &Option) {
  std::string Text = Start;
  // fish takes what stands behind = in a name for a value.
  if (Option.Names.front().find('=') != std::string::npos)
    Text += " -a " + quoted(Option.Names.front());
  else
    for (const std::string &Name : Option.Names)
      Text += nameSwitch(Name);
  const std::vector<std::string> Words = choiceWords(Option);
  if (!Words.empty())
    Text += " -x -a " + quoted(joined(Words, " "));
  else if (!Option.Value.empty())
    Text += " -r";
  return Text + (Option.Help.empty() ? "" : " -d " + quoted(Option.Help)) +
         "\n";
}

} // namespace

std::string fishCompletion(const Manual &Of, const std::string &Name) {
  const std::string Start = "complete -c " + Name;
  std::string Text =
      "# fish completion of " + Name + ", made from its table of options.\n";
  const bool HasCommands = !Of.Commands.empty();
  const std::string First = HasCommands ? " -n __fish_use_subcommand" : "";
  for (const ManualOption &Each : allOptions(Of))
    Text += optionLine(Start + First, Each);
  for (const ManualCommand &Each : Of.Commands) {
    Text += Start + First + " -f -a " + Each.Name + " -d " + quoted(Each.Help) +
            "\n";
    for (const ManualOption &Option : Each.Options)
      Text += optionLine(Start + " -n '__fish_seen_subcommand_from " +
                             Each.Name + "'",
                         Option);
  }
  if (Of.CompletesItself)
    Text += Start + " -a '(" + Name +
            " --autocomplete=(commandline -ct) 2>/dev/null)'\n";
  return Text;
}

} // namespace blockmaestro
