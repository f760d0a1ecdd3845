// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ManagedRanges.h"

#include <algorithm>
#include <iterator>

namespace blockmaestro::emulated {
namespace {

using Guard = std::lock_guard<std::mutex>;

constexpr uintptr_t PageBytes = 4096;

struct Pages {
  uintptr_t Begin;
  uintptr_t End;
};

Pages pagesOf(const void *Address, size_t Bytes) {
  auto First = reinterpret_cast<uintptr_t>(Address);
  return {First / PageBytes * PageBytes,
          (First + Bytes + PageBytes - 1) / PageBytes * PageBytes};
}

} // namespace

void ManagedRanges::split(uintptr_t Where) {
  auto Next = Pieces.lower_bound(Where);
  if (Next == Pieces.begin())
    return;
  Piece &Before = std::prev(Next)->second;
  if (Before.End <= Where)
    return;
  Pieces.emplace(Where, Before);
  Before.End = Where;
}

void ManagedRanges::update(const void *Address, size_t Bytes,
                           const Change &How) {
  Guard Held(Lock);
  Pages Of = pagesOf(Address, Bytes);
  split(Of.Begin);
  split(Of.End);
  for (uintptr_t At = Of.Begin; At < Of.End;) {
    auto Next = Pieces.lower_bound(At);
    if (Next == Pieces.end() || Next->first > At) {
      uintptr_t End =
          Next == Pieces.end() ? Of.End : std::min(Of.End, Next->first);
      Next = Pieces.emplace(At, Piece{End, Advice()}).first;
    }
    How(Next->second.Said);
    At = Next->second.End;
  }
}

void ManagedRanges::forget(const void *Address, size_t Bytes) {
  Guard Held(Lock);
  Pages Of = pagesOf(Address, Bytes);
  split(Of.Begin);
  split(Of.End);
  Pieces.erase(Pieces.lower_bound(Of.Begin), Pieces.lower_bound(Of.End));
}

void ManagedRanges::visit(
    const void *Address, size_t Bytes,
    const std::function<void(const Advice &)> &Each) const {
  Guard Held(Lock);
  Pages Of = pagesOf(Address, Bytes);
  uintptr_t At = Of.Begin;
  auto Next = Pieces.upper_bound(At);
  if (Next != Pieces.begin() && std::prev(Next)->second.End > At)
    --Next;
  for (; Next != Pieces.end() && Next->first < Of.End; ++Next) {
    if (Next->first > At)
      Each(Advice());
    Each(Next->second.Said);
    At = Next->second.End;
  }
  if (At < Of.End)
    Each(Advice());
}

void ManagedRanges::clear() {
  Guard Held(Lock);
  Pieces.clear();
}

} // namespace blockmaestro::emulated
