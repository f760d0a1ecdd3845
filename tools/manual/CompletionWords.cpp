// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompletionWords.h"

#include <algorithm>
#include <cctype>

namespace blockmaestro {

std::vector<std::string> choiceWords(const ManualOption &Option) {
  std::vector<std::string> Words;
  for (const ManualTerm &Each : Option.Choices) {
    auto IsPlaceholder = [](unsigned char C) { return std::isupper(C); };
    const auto End =
        std::find_if(Each.Name.begin(), Each.Name.end(), IsPlaceholder);
    if (End != Each.Name.begin())
      Words.emplace_back(Each.Name.begin(), End);
  }
  return Words;
}

std::vector<ManualOption> allOptions(const Manual &Of) {
  std::vector<ManualOption> All;
  for (const ManualGroup &Group : Of.Groups)
    All.insert(All.end(), Group.Options.begin(), Group.Options.end());
  return All;
}

std::string joined(const std::vector<std::string> &Words,
                   const std::string &Separator) {
  std::string Text;
  for (const std::string &Word : Words)
    Text += (Text.empty() ? "" : Separator) + Word;
  return Text;
}

std::string identifier(std::string Name) {
  auto IsOther = [](unsigned char C) { return !std::isalnum(C); };
  std::replace_if(Name.begin(), Name.end(), IsOther, '_');
  return Name;
}

} // namespace blockmaestro
