// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Completion.h"

#include "CompletionWords.h"

#include <algorithm>

namespace blockmaestro {
namespace {

/// Which word is completed, and the one before it; `--name=value` are three.
constexpr char Preamble[] = R"(
  COMPREPLY=()
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
)";

/// Values: their words, or files, by returning nothing.
std::string valueCases(const std::vector<ManualOption> &Options) {
  std::string Text;
  std::vector<std::string> Files;
  for (const ManualOption &Each : Options) {
    const std::vector<std::string> Words = choiceWords(Each);
    if (Each.Value.empty() || Each.ValueIsJoined)
      continue;
    if (Words.empty())
      Files.insert(Files.end(), Each.Names.begin(), Each.Names.end());
    else
      Text += "  " + joined(Each.Names, "|") + ") COMPREPLY=($(compgen -W '" +
              joined(Words, " ") + "' -- \"$word\")); return ;;\n";
  }
  if (!Files.empty())
    Text += "  " + joined(Files, "|") + ") return ;;\n";
  return Text.empty() ? "" : "  case $before in\n" + Text + "  esac\n";
}

std::string optionWords(const std::vector<ManualOption> &Options) {
  std::vector<std::string> Words;
  for (const ManualOption &Each : Options)
    Words.insert(Words.end(), Each.Names.begin(), Each.Names.end());
  return joined(Words, " ");
}

std::string wordsOfTool(const Manual &Of) {
  return "[[ $word == -* ]] && words='" + optionWords(allOptions(Of)) + "'\n";
}

std::string wordsOfCommands(const Manual &Of) {
  std::vector<std::string> Names;
  for (const ManualCommand &Each : Of.Commands)
    Names.push_back(Each.Name);
  std::string Text = "  if ((COMP_CWORD == 1)); then\n    words='" +
                     joined(Names, " ") + "'\n    " + wordsOfTool(Of) +
                     "  else\n    case ${COMP_WORDS[1]} in\n";
  for (const ManualCommand &Each : Of.Commands)
    Text += "    " + Each.Name + ") [[ $word == -* ]] && words='" +
            optionWords(Each.Options) + "' ;;\n";
  return Text + "    esac\n  fi\n";
}

/// Of the tool and all commands, each once.
std::vector<ManualOption> everyOption(const Manual &Of) {
  std::vector<ManualOption> All = allOptions(Of);
  for (const ManualCommand &Command : Of.Commands)
    for (const ManualOption &Each : Command.Options) {
      auto IsSame = [&](const ManualOption &O) {
        return O.Names == Each.Names;
      };
      if (std::none_of(All.begin(), All.end(), IsSame))
        All.push_back(Each);
    }
  return All;
}

} // namespace

std::string bashCompletion(const Manual &Of) {
  const std::string Function = "_" + identifier(Of.Tool);
  std::string Text = "# bash completion of " + Of.Tool +
                     ", made from its table of options.\n" + Function + "() {" +
                     Preamble + valueCases(everyOption(Of));
  Text += Of.Commands.empty() ? "  " + wordsOfTool(Of) : wordsOfCommands(Of);
  if (Of.CompletesItself)
    Text += "  [[ $word == -* ]] && words+=\" $(\"$1\" --autocomplete=\"$word\""
            " 2>/dev/null | cut -f1)\"\n";
  Text += "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
          "complete -o default -F " +
          Function + " " + Of.Tool;
  for (const std::string &Alias : Of.Aliases)
    Text += " " + Alias;
  return Text + "\n";
}

} // namespace blockmaestro
