// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ManualPage.h"

#include "HelpText.h"
#include "Version.h"

namespace blockmaestro {
namespace {

/// As roff prints it: no escapes, no requests, and dashes that can be copied.
std::string roff(const std::string &Text) {
  std::string Out;
  for (char C : Text) {
    if (C == '\\')
      Out += "\\e";
    else if (C == '-')
      Out += "\\-";
    else
      Out += C == '\n' ? ' ' : C;
  }
  return !Out.empty() && (Out[0] == '.' || Out[0] == '\'') ? "\\&" + Out : Out;
}

std::string upper(std::string Text) {
  for (char &C : Text)
    if (C >= 'a' && C <= 'z')
      C = char(C - 'a' + 'A');
  return Text;
}

std::string section(const std::string &Title) {
  return ".SH \"" + roff(upper(Title)) + "\"\n";
}

std::string term(const std::string &Name, const std::string &Help) {
  return ".TP\n\\fB" + roff(Name) + "\\fR\n" +
         (Help.empty() ? "\\&" : roff(Help)) + "\n";
}

std::string options(const std::vector<ManualOption> &Options) {
  std::string Text;
  for (const ManualOption &Each : Options) {
    if (Each.Choices.empty() || !Each.Help.empty())
      Text += term(optionForm(Each, Each.Value), Each.Help);
    for (const ManualTerm &Choice : Each.Choices)
      if (!Choice.Help.empty())
        Text += term(optionForm(Each, Choice.Name), Choice.Help);
  }
  return Text;
}

std::string synopsis(const Manual &Of) {
  std::string Text = section("synopsis");
  for (const std::string &Line : Of.Usage)
    Text += (&Line == &Of.Usage.front() ? "" : ".br\n") + roff(Line) + "\n";
  return Text;
}

std::string commandSections(const Manual &Of) {
  std::string Text;
  if (!Of.Commands.empty())
    Text += section("commands");
  for (const ManualCommand &Each : Of.Commands)
    Text += ".SS \"" + roff(usageLine(Of, Each)) + "\"\n" + roff(Each.Help) +
            ".\n.PP\n" + roff(Each.Description) + "\n" + options(Each.Options);
  return Text;
}

std::string lists(const Manual &Of) {
  std::string Text;
  for (const ManualList &List : Of.Lists) {
    Text += section(List.Title);
    for (const ManualTerm &Each : List.Terms)
      Text += term(Each.Name, Each.Help);
    if (!List.Note.empty())
      Text += ".PP\n" + roff(List.Note) + "\n";
  }
  return Text;
}

std::string seeAlso(const Manual &Of) {
  std::string Text;
  for (const std::string &Each : Of.SeeAlso)
    Text += (Text.empty() ? "" : ",\n") + (".BR " + roff(Each)) + " (1)";
  return Text.empty() ? "" : section("see also") + Text + "\n";
}

} // namespace

std::string manualPage(const Manual &Of) {
  std::string Names = Of.Tool;
  for (const std::string &Alias : Of.Aliases)
    Names += ", " + Alias;
  std::string Text = ".TH \"" + roff(upper(Of.Tool)) +
                     "\" 1 \"\" \"BlockMaestro " + version().str() +
                     "\" \"BlockMaestro\"\n";
  Text += section("name") + roff(Names) + " \\- " + roff(Of.Summary) + "\n";
  Text += synopsis(Of);
  if (!Of.Description.empty())
    Text += section("description");
  for (const std::string &Paragraph : Of.Description)
    Text += (&Paragraph == &Of.Description.front() ? "" : ".PP\n") +
            roff(Paragraph) + "\n";
  Text += commandSections(Of);
  for (const ManualGroup &Group : Of.Groups)
    Text += section(Group.Title) + options(Group.Options);
  return Text + lists(Of) + seeAlso(Of);
}

std::string aliasPage(const Manual &Of) {
  return ".so man1/" + Of.Tool + ".1\n";
}

} // namespace blockmaestro
