// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Findings.h"

#include <cstdio>

namespace blockmaestro {

namespace {

std::string coordinates(Dim3 At) {
  return "(" + std::to_string(At.X) + "," + std::to_string(At.Y) + "," +
         std::to_string(At.Z) + ")";
}

} // namespace

void Findings::add(const std::string &Key, const std::string &Text) {
  std::lock_guard<std::mutex> Guard(Lock);
  ++Count;
  if (Known.size() < Most && Known.insert(Key).second)
    Show(Text);
}

uint64_t Findings::count() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Count;
}

std::string Findings::summary() const {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Count == 0)
    return "";
  return std::to_string(Count) + " finding" + (Count == 1 ? "" : "s") + ", " +
         std::to_string(Known.size()) + " of them different and shown";
}

std::string threadOf(const Launch &What, uint64_t Block, uint32_t Thread) {
  return "block " + coordinates(blockOf(Block, What.Grid)) +
         nameOfBlock(What, Block) + ", thread " +
         coordinates(blockOf(Thread, What.Block));
}

std::string placeOf(const ObservedAccess &What) {
  std::string Out = threadOf(*What.What, What.Block, What.Thread) +
                    " of kernel '" + What.What->Kernel->Name + "'";
  return *What.Where ? Out + " at " + What.Where : Out;
}

std::string hexadecimal(uint64_t Address) {
  char Text[32];
  std::snprintf(Text, sizeof(Text), "0x%llx",
                static_cast<unsigned long long>(Address));
  return Text;
}

} // namespace blockmaestro
