// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Completion.h"

#include "CompletionWords.h"

namespace blockmaestro {
namespace {

/// Inside single quotes, with a backslash before what Special has.
std::string quoted(const std::string &Text, const std::string &Special) {
  std::string Out;
  for (char C : Text) {
    if (Special.find(C) != std::string::npos)
      Out += '\\';
    Out += C == '\'' ? "'\\''" : std::string(1, C);
  }
  return Out;
}

/// What _arguments takes, for one name.
std::string specification(const ManualOption &Option, const std::string &Name) {
  std::string Text = "'*" + quoted(Name, "=+");
  const bool IsLong = Name.rfind("--", 0) == 0;
  if (!Option.Value.empty())
    Text += Option.ValueIsJoined ? "+" : IsLong ? "=" : "";
  Text += "[" + quoted(Option.Help, "[]\\") + "]";
  if (Option.Value.empty())
    return Text + "'";
  Text += ":" + quoted(Option.Value, ":") + ":";
  const std::vector<std::string> Words = choiceWords(Option);
  if (Words.empty())
    return Text + "_files'";
  return Text + "(" + quoted(joined(Words, " "), ":") + ")'";
}

/// A call of _arguments, and files.
std::string arguments(const std::vector<ManualOption> &Options,
                      const std::string &Indent) {
  std::string Text = Indent + "_arguments";
  for (const ManualOption &Each : Options)
    for (const std::string &Name : Each.Names)
      Text += " \\\n" + Indent + "  " + specification(Each, Name);
  return Text + " \\\n" + Indent + "  '*:file:_files'\n";
}

std::string commandCases(const Manual &Of) {
  std::string Text = "if ((CURRENT == 2)); then\n  local -a commands=(\n";
  for (const ManualCommand &Each : Of.Commands)
    Text += "    '" + Each.Name + ":" + quoted(Each.Help, ":") + "'\n";
  Text += "  )\n  _describe command commands\n" +
          arguments(allOptions(Of), "  ") + "  return\nfi\ncase $words[2] in\n";
  for (const ManualCommand &Each : Of.Commands)
    Text += Each.Name + ")\n" + arguments(Each.Options, "  ") + "  ;;\n";
  return Text + "esac\n";
}

} // namespace

std::string zshCompletion(const Manual &Of) {
  std::string Text = "#compdef " + Of.Tool;
  for (const std::string &Alias : Of.Aliases)
    Text += " " + Alias;
  Text += "\n# Made from the table of options of " + Of.Tool + ".\n";
  if (Of.CompletesItself)
    Text += "if [[ $PREFIX == -* ]]; then\n"
            "  local -a more=(${(f)\"$($words[1] --autocomplete=$PREFIX "
            "2>/dev/null)\"})\n"
            "  compadd -- ${more%%$'\\t'*}\nfi\n";
  return Text + (Of.Commands.empty() ? arguments(allOptions(Of), "")
                                     : commandCases(Of));
}

} // namespace blockmaestro
