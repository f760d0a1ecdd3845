// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionCall.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro::openmp {

void InspectionReads::begin() {
  Reads.clear();
  Values.clear();
  Spoiled = false;
}

void InspectionReads::note(DeviceAddress From, const void *Value,
                           size_t Bytes) {
  if (Spoiled)
    return;
  if (Reads.size() == MostReads || Bytes > MostBytes - Values.size())
    return spoil();
  Reads.push_back({From, Bytes});
  const auto *First = static_cast<const std::byte *>(Value);
  Values.insert(Values.end(), First, First + Bytes);
}

bool InspectionReads::hold(DeviceView &Now) const {
  if (Spoiled)
    return false;
  std::vector<std::byte> Bounce;
  const std::byte *Then = Values.data();
  for (const Read &Each : Reads) {
    const std::byte *Value = Now.find(Each.From, Each.Bytes);
    if (!Value) {
      Bounce.resize(Each.Bytes);
      if (!Now.load(Bounce.data(), Each.From, Each.Bytes).ok())
        return false;
      Value = Bounce.data();
    }
    if (std::memcmp(Value, Then, Each.Bytes) != 0)
      return false;
    Then += Each.Bytes;
  }
  return true;
}

void RecentCalls::add(const RegionCall &Call) {
  if (Calls.size() == Most)
    Calls.pop_front();
  Calls.push_back(Call);
}

bool RecentCalls::remove(const RegionCall &Call) {
  const auto Found = std::find(Calls.begin(), Calls.end(), Call);
  if (Found == Calls.end())
    return false;
  Calls.erase(Found);
  return true;
}

} // namespace blockmaestro::openmp
