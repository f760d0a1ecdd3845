// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HelpText.h"

namespace blockmaestro {
namespace {

/// Left and right in columns; behind one too long for its column on a line of
/// its own.
std::string row(std::string Left, const std::string &Right) {
  constexpr size_t Column = 26;
  Left = "  " + Left;
  if (Left.size() + 2 > Column)
    return Left + "\n" + std::string(Column, ' ') + Right + "\n";
  Left.append(Column - Left.size(), ' ');
  return Left + Right + "\n";
}

std::string namesText(const ManualOption &Option) {
  std::string Text = Option.Names.front();
  for (size_t I = 1; I < Option.Names.size(); ++I)
    Text += ", " + Option.Names[I];
  return Text;
}

} // namespace

std::string optionForm(const ManualOption &Option, const std::string &Value) {
  return namesText(Option) +
         (Value.empty() || Option.ValueIsJoined ? "" : " ") + Value;
}

std::string optionLines(const std::vector<ManualOption> &Options) {
  std::string Text;
  for (const ManualOption &Each : Options) {
    if (Each.Choices.empty() || !Each.Help.empty())
      Text += row(optionForm(Each, Each.Value), Each.Help);
    for (const ManualTerm &Choice : Each.Choices)
      if (!Choice.Help.empty())
        Text += row(optionForm(Each, Choice.Name), Choice.Help);
  }
  return Text;
}

std::string usageLine(const Manual &Of, const ManualCommand &Command) {
  std::string Text = Of.Tool + " " + Command.Name + " " + Command.Operands;
  for (const ManualOption &Each : Command.Options)
    if (Each.Names.front() != "--help")
      Text += " [" + Each.Names.front() +
              (Each.Value.empty() ? "" : " " + Each.Value) + "]";
  return Text;
}

std::string helpText(const Manual &Of, const ManualCommand &Command) {
  return "usage: " + usageLine(Of, Command) + "\n" + Command.Description +
         "\n" + optionLines(Command.Options);
}

std::string helpText(const Manual &Of) {
  std::string Text;
  for (const std::string &Line : Of.Usage)
    Text += (Text.empty() ? "usage: " : "       ") + Line + "\n";
  if (!Of.Commands.empty())
    Text += "\ncommands:\n";
  for (const ManualCommand &Each : Of.Commands)
    Text += row(Each.Name, Each.Help);
  for (const ManualGroup &Group : Of.Groups)
    Text += "\n" + Group.Title + ":\n" + optionLines(Group.Options);
  for (const ManualList &List : Of.Lists) {
    Text += "\n" + List.Title + ":\n";
    for (const ManualTerm &Each : List.Terms)
      Text += row(Each.Name, Each.Help);
    if (!List.Note.empty())
      Text += "\n" + List.Note + "\n";
  }
  if (!Of.Commands.empty())
    Text += "\n'" + Of.Tool + " COMMAND --help' lists a command's options.\n";
  return Text;
}

} // namespace blockmaestro
