// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ByteSet.h"

#include <algorithm>
#include <iterator>

namespace blockmaestro {

namespace {

/// Below that many ranges that are not in order, putting them in order waits.
constexpr size_t FewRanges = 256;

/// So many of the ranges added last may grow: threads that go through several
/// rows at once touch them in turn.
constexpr size_t GrowingRanges = 8;

bool before(const ByteRange &A, const ByteRange &B) {
  return A.First < B.First;
}

} // namespace

void ByteSet::add(uint64_t Address, uint64_t Bytes) {
  for (size_t I = Recent.size(), Last = I - std::min(I, GrowingRanges);
       I > Last; --I) {
    ByteRange &Grows = Recent[I - 1];
    if (Grows.First <= Address && Address <= Grows.End) {
      Grows.End = std::max(Grows.End, Address + Bytes);
      return;
    }
  }
  if (Recent.size() >= std::max(FewRanges, Sorted.size()))
    merge();
  Recent.push_back({Address, Address + Bytes});
}

void ByteSet::merge() {
  std::sort(Recent.begin(), Recent.end(), before);
  std::vector<ByteRange> All;
  All.reserve(Sorted.size() + Recent.size());
  std::merge(Sorted.begin(), Sorted.end(), Recent.begin(), Recent.end(),
             std::back_inserter(All), before);
  Recent.clear();
  Sorted.clear();
  for (const ByteRange &Each : All)
    if (!Sorted.empty() && Each.First <= Sorted.back().End)
      Sorted.back().End = std::max(Sorted.back().End, Each.End);
    else
      Sorted.push_back(Each);
}

const std::vector<ByteRange> &ByteSet::ranges() {
  if (!Recent.empty())
    merge();
  return Sorted;
}

std::optional<uint64_t> firstCommon(const ByteSet &A, const ByteSet &B) {
  auto I = A.settled().begin(), J = B.settled().begin();
  while (I != A.settled().end() && J != B.settled().end()) {
    uint64_t First = std::max(I->First, J->First);
    if (First < std::min(I->End, J->End))
      return First;
    I->End < J->End ? ++I : ++J;
  }
  return std::nullopt;
}

} // namespace blockmaestro
