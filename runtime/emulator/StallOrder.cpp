// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StallOrder.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace blockmaestro {

namespace {

/// So many instructions of those that are left are looked at.
constexpr size_t Window = 32;

/// Registers of a code that reads make, and those that become such.
using OfMemory = std::unordered_set<uint32_t>;

constexpr uint64_t CyclesOfRead = 300;

/// Until what needs the result, on a GPU of today: an order hardly depends on
/// the generation.
uint64_t cyclesOf(WarpClass Class) {
  switch (Class) {
  case WarpClass::Double:
    return 8;
  case WarpClass::Comparison:
    return 13;
  case WarpClass::Approximation:
  case WarpClass::Conversion:
    return 19;
  case WarpClass::Special:
  case WarpClass::Matrix:
    return 40;
  case WarpClass::Read:
  case WarpClass::Atomic:
    return CyclesOfRead;
  case WarpClass::Private:
    return 30;
  default:
    return 5;
  }
}

bool endsPart(WarpClass Class) {
  return Class == WarpClass::Branch || Class == WarpClass::Exchange ||
         Class == WarpClass::Barrier;
}

class Filling {
public:
  Filling(std::span<WarpInstruction> Part, const OfMemory &Slow);
  void run(std::vector<WarpInstruction> &Out);

private:
  uint64_t readyAt(const WarpInstruction &I) const;
  bool isBlocked(size_t Which) const;
  size_t next(uint64_t Now) const;

  std::span<WarpInstruction> Part;
  const OfMemory &Slow;
  std::vector<size_t> Left;                     ///< In their order.
  std::unordered_map<uint32_t, uint64_t> Ready; ///< Of registers made here.
  std::unordered_set<uint32_t> Read;            ///< Made here by reads.
};

Filling::Filling(std::span<WarpInstruction> Part, const OfMemory &Slow)
    : Part(Part), Slow(Slow) {
  for (size_t I = 0; I < Part.size(); ++I) {
    Left.push_back(I);
    if (Part[I].Class == WarpClass::Read)
      Read.insert(Part[I].Result);
  }
}

/// What comes from before may be waited for, too, where a read has made it.
uint64_t Filling::readyAt(const WarpInstruction &I) const {
  uint64_t Out = 0;
  for (const uint32_t Operand : I.Operands)
    if (const auto Made = Ready.find(Operand); Made != Ready.end())
      Out = std::max(Out, Made->second);
    else if (Slow.contains(Operand))
      Out = std::max(Out, CyclesOfRead);
  return Out;
}

/// Whether one of those that are left before it must come first. What needs a
/// read must before another access: registers that hold reads are few, and the
/// order knows how many.
bool Filling::isBlocked(size_t Which) const {
  const WarpInstruction &I = Part[Left[Which]];
  for (size_t Before = 0; Before < Which; ++Before) {
    const WarpInstruction &Other = Part[Left[Before]];
    if (isAccess(I.Class) &&
        (isAccess(Other.Class) ||
         std::ranges::any_of(Other.Operands, [&](uint32_t Operand) {
           return Read.contains(Operand);
         })))
      return true;
    if (Other.Result != NoRegister &&
        (Other.Result == I.Result ||
         std::ranges::find(I.Operands, Other.Result) != I.Operands.end()))
      return true;
    if (I.Result != NoRegister &&
        std::ranges::find(Other.Operands, I.Result) != Other.Operands.end())
      return true;
  }
  return false;
}

/// The first that need not wait, else the one that waits least.
size_t Filling::next(uint64_t Now) const {
  size_t Best = 0;
  uint64_t Least = readyAt(Part[Left[0]]);
  for (size_t I = 1; I < std::min(Left.size(), Window) && Least > Now; ++I) {
    const uint64_t Ready = readyAt(Part[Left[I]]);
    if (Ready < Least && !isBlocked(I)) {
      Best = I;
      Least = Ready;
    }
  }
  return Best;
}

void Filling::run(std::vector<WarpInstruction> &Out) {
  for (uint64_t Now = 0; !Left.empty(); ++Now) {
    const size_t Which = next(Now);
    WarpInstruction &I = Part[Left[Which]];
    Now = std::max(Now, readyAt(I));
    if (I.Result != NoRegister)
      Ready[I.Result] = Now + cyclesOf(I.Class);
    Out.push_back(std::move(I));
    Left.erase(Left.begin() + std::ptrdiff_t(Which));
  }
}

OfMemory madeByReads(const WarpCode &Code) {
  OfMemory Out;
  for (const WarpStep &Step : Code.Steps)
    for (const WarpInstruction &I : Step.Instructions)
      if (I.Class == WarpClass::Read || I.Class == WarpClass::Atomic)
        Out.insert(I.Result);
  Out.erase(NoRegister);
  for (size_t Before = 0; Before != Out.size();) {
    Before = Out.size();
    for (const WarpStep &Step : Code.Steps)
      for (const WarpMove &Move : Step.Moves)
        if (Out.contains(Move.Operand))
          Out.insert(Move.Result);
  }
  return Out;
}

void fill(WarpStep &Step, const OfMemory &Slow) {
  std::vector<WarpInstruction> &Before = Step.Instructions;
  std::vector<WarpInstruction> Out;
  Out.reserve(Before.size());
  const std::span<WarpInstruction> All(Before);
  for (size_t First = 0, End = 0; First < Before.size(); First = End) {
    while (End < Before.size() && !endsPart(Before[End].Class))
      ++End;
    Filling(All.subspan(First, End - First), Slow).run(Out);
    if (End < Before.size())
      Out.push_back(std::move(Before[End++]));
  }
  Before = std::move(Out);
}

} // namespace

void stallOrder(WarpCode &Code) {
  const OfMemory Slow = madeByReads(Code);
  for (WarpStep &Step : Code.Steps)
    fill(Step, Slow);
}

} // namespace blockmaestro
