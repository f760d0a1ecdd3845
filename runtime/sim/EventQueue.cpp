// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EventQueue.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace blockmaestro::sim {

static bool isLater(const SimEvent &A, const SimEvent &B) {
  return A.order() > B.order();
}

void EventQueue::push(uint64_t Time, const SimEvent &What) {
  assert(Time >= Now && "an event in the past");
  if (Time == Now) {
    Due.push_back(What);
    std::push_heap(Due.begin(), Due.end(), isLater);
    return;
  }
  if (Free == None) {
    Pool.emplace_back();
    Free = uint32_t(Pool.size() - 1);
  }
  const uint32_t Number = std::exchange(Free, Pool[Free].Next);
  Pool[Number].Time = Time;
  Pool[Number].What = What;
  insert(Number);
}

void EventQueue::insert(uint32_t Number) {
  Waiting &New = Pool[Number];
  const unsigned Differing = unsigned(std::bit_width((New.Time ^ Now) | 1)) - 1;
  const unsigned Height = Differing / DigitBits;
  const unsigned Digit = (New.Time >> (Height * DigitBits)) & (Digits - 1);
  Level &At = All[Height];
  New.Next = At.Used >> Digit & 1 ? At.First[Digit] : None;
  At.First[Digit] = Number;
  At.Used |= uint64_t(1) << Digit;
}

bool EventQueue::advance(uint64_t &To) {
  while (Due.empty()) {
    unsigned Height = 0;
    while (Height < Levels && !All[Height].Used)
      ++Height;
    if (Height == Levels)
      return false;
    const uint32_t First = takeFirst(Height);
    if (Height > 0)
      spread(First);
    else
      becomeDue(First);
  }
  To = Now;
  return true;
}

/// The list of the level's first digit, at which it is now.
uint32_t EventQueue::takeFirst(unsigned From) {
  Level &At = All[From];
  const auto Digit = unsigned(std::countr_zero(At.Used));
  At.Used &= At.Used - 1;
  const unsigned Shift = From * DigitBits;
  Now = (Now >> Shift >> DigitBits << DigitBits | Digit) << Shift;
  return At.First[Digit];
}

void EventQueue::spread(uint32_t First) {
  for (uint32_t Next = None; First != None; First = Next) {
    Next = Pool[First].Next;
    insert(First);
  }
}

void EventQueue::becomeDue(uint32_t First) {
  uint32_t Last = First;
  for (uint32_t I = First; I != None; I = Pool[I].Next) {
    Due.push_back(Pool[I].What);
    Last = I;
  }
  Pool[Last].Next = Free;
  Free = First;
  std::make_heap(Due.begin(), Due.end(), isLater);
}

bool EventQueue::take(SimEvent &What) {
  if (Due.empty())
    return false;
  What = Due.front();
  std::pop_heap(Due.begin(), Due.end(), isLater);
  Due.pop_back();
  return true;
}

} // namespace blockmaestro::sim
