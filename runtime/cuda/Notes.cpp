// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Notes.h"

namespace blockmaestro {

void Notes::add(const std::string &About, const std::string &Why) {
  std::lock_guard<std::mutex> Guard(Lock);
  ++Counts[{About, Why}];
}

void Notes::addFailure(const std::string &Why) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (++Counts[{"", Why}] == 1 && Print)
    Print(Why);
}

std::string Notes::text() const {
  std::lock_guard<std::mutex> Guard(Lock);
  std::string Out;
  for (const auto &[Key, Count] : Counts) {
    Out += "BlockMaestro: ";
    if (!Key.first.empty())
      Out += Key.first + ": ";
    Out += Key.second;
    if (Count > 1)
      Out += " (" + std::to_string(Count) + " times)";
    Out += '\n';
  }
  return Out;
}

} // namespace blockmaestro
