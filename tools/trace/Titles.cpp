// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Titles.h"

using namespace llvm;

namespace blockmaestro {

std::string shortName(StringRef Kernel) {
  int Open = 0;
  for (size_t At = Kernel.size(); At-- > 1 && Kernel.ends_with(")");) {
    Open += Kernel[At] == ')' ? 1 : Kernel[At] == '(' ? -1 : 0;
    if (Open == 0)
      return Kernel.take_front(At).str();
  }
  return Kernel.str();
}

std::string Title::ofBlock(uint64_t Block) const {
  std::string Out = Name + " (" + std::to_string(Block % Grid.X);
  if (Grid.Y > 1 || Grid.Z > 1)
    Out += "," + std::to_string(Block / Grid.X % Grid.Y);
  if (Grid.Z > 1)
    Out += "," + std::to_string(Block / Grid.X / Grid.Y);
  return Out + ")";
}

} // namespace blockmaestro
