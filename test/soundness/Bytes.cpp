// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bytes.h"

#include <algorithm>

namespace blockmaestro::soundness {

void Bytes::add(int64_t Low, int64_t High) {
  if (High < Low)
    return;
  if (!Ranges.empty() && Low >= Ranges.back().first &&
      Low <= Ranges.back().second + 1) {
    Ranges.back().second = std::max(Ranges.back().second, High);
    return;
  }
  Ranges.push_back({Low, High});
  // Keeps repeated walks over the same bytes from growing the list.
  if (Ranges.size() < Most)
    return;
  normalise();
  Most = std::max(Most, 2 * Ranges.size());
}

void Bytes::add(const Bytes &Other) {
  Ranges.insert(Ranges.end(), Other.Ranges.begin(), Other.Ranges.end());
}

void Bytes::normalise() {
  std::sort(Ranges.begin(), Ranges.end());
  size_t Kept = 0;
  for (size_t I = 1; I < Ranges.size(); ++I) {
    if (Ranges[I].first <= Ranges[Kept].second + 1)
      Ranges[Kept].second = std::max(Ranges[Kept].second, Ranges[I].second);
    else
      Ranges[++Kept] = Ranges[I];
  }
  if (!Ranges.empty())
    Ranges.resize(Kept + 1);
}

uint64_t Bytes::count() const {
  uint64_t Sum = 0;
  for (auto [Low, High] : Ranges)
    Sum += uint64_t(High - Low) + 1;
  return Sum;
}

bool Bytes::contains(int64_t Offset) const {
  auto After = std::upper_bound(Ranges.begin(), Ranges.end(),
                                std::pair<int64_t, int64_t>(Offset, INT64_MAX));
  return After != Ranges.begin() && std::prev(After)->second >= Offset;
}

std::optional<int64_t> Bytes::firstOutside(const Bytes &Other) const {
  auto It = Other.Ranges.begin();
  for (auto [Low, High] : Ranges) {
    while (It != Other.Ranges.end() && It->second < Low)
      ++It;
    if (It == Other.Ranges.end() || It->first > Low)
      return Low;
    if (It->second < High)
      return It->second + 1;
  }
  return std::nullopt;
}

} // namespace blockmaestro::soundness
