// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IssueOrder.h"

#include "AccessMarks.h"
#include "Chains.h"
#include "Costs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

using namespace llvm;

namespace blockmaestro {

namespace {

/// Registers that hold results of reads until these are used first. Of reads
/// that need nothing of each other ptxas 13.0 has 19 of 32 bits under way, or
/// 11 of 64.
constexpr size_t MostWaiting = 20;

bool isRead(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load && isPlain(I) && !isPrivate(Load->getPointerOperand());
}

/// Of 32 bits.
size_t registersOf(const Instruction &I) {
  const uint64_t Bits = I.getDataLayout().getTypeSizeInBits(I.getType());
  return size_t((Bits + 31) / 32);
}

/// Whether lanes only tell each other values.
bool isExchange(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && (Callee->getName().starts_with("llvm.nvvm.shfl.") ||
                    Callee->getName().starts_with("llvm.nvvm.vote."));
}

bool isAtomic(const Instruction &I) {
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
}

/// Whether nothing that touches memory goes past it.
bool holdsBack(const Instruction &I) {
  if (isAtomic(I))
    return false;
  if (isa<LoadInst, StoreInst>(I))
    return !isPlain(I);
  if (const auto *Call = dyn_cast<CallInst>(&I))
    return costClassOf(I) && !isExchange(*Call) &&
           (Call->mayHaveSideEffects() || Call->isConvergent());
  return I.mayReadOrWriteMemory();
}

/// Bytes behind a pointer that others are told by, too.
struct Place {
  explicit Place(const Instruction &Access)
      : Place(Access.getDataLayout(), MemoryLocation::get(&Access)) {}
  Place(const DataLayout &Layout, const MemoryLocation &Of)
      : Pointer(Of.Ptr),
        Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0),
        Base(Pointer->stripAndAccumulateConstantOffsets(Layout, Offset, true)),
        Bytes(int64_t(Of.Size.getValue().getFixedValue())) {}

  bool meets(const Place &Other) const {
    if (Base != Other.Base)
      return mayBeSame(Pointer, Other.Pointer);
    const int64_t From = Offset.getSExtValue(),
                  OtherFrom = Other.Offset.getSExtValue();
    return From < OtherFrom + Other.Bytes && OtherFrom < From + Bytes;
  }

  const Value *Pointer;
  APInt Offset;
  const Value *Base;
  int64_t Bytes;
};

class Ordering {
public:
  explicit Ordering(ArrayRef<Instruction *> Step) : Step(Step) {}
  SmallVector<Instruction *> run();

private:
  static constexpr uint32_t Late = std::numeric_limits<uint32_t>::max();

  struct Node {
    SmallVector<uint32_t, 4> Users; ///< Those that must come behind it.
    uint32_t Missing = 0;           ///< Those that must still come before.
    uint32_t Level = 0;             ///< Reads before it that need each other.
    uint32_t Rank = Late;           ///< The least level of reads that need it.
    size_t Waits = 0; ///< Registers of a read that nobody has used yet.
  };

  void need(size_t Of, size_t By);
  void needMemory(size_t By);
  void rank();
  size_t take();
  void issue(size_t Which);

  ArrayRef<Instruction *> Step;
  std::vector<Node> Nodes;
  DenseMap<const Value *, size_t> Places;
  std::vector<size_t> Memory; ///< Accesses so far.
  /// By rank and place; all that could be next.
  std::set<std::pair<uint32_t, size_t>> Ready;
  size_t Waiting = 0;
};

void Ordering::need(size_t Of, size_t By) {
  Nodes[Of].Users.push_back(uint32_t(By));
  ++Nodes[By].Missing;
}

/// Behind every access before it that it may not go past.
void Ordering::needMemory(size_t By) {
  const Instruction &I = *Step[By];
  const bool Stays = holdsBack(I);
  if (!Stays && !isAtomic(I) && !isa<LoadInst, StoreInst>(I))
    return;
  for (const size_t Of : Memory) {
    const Instruction &Before = *Step[Of];
    const bool Reads = isa<LoadInst>(I) && isa<LoadInst>(Before);
    const bool Writes = !isa<LoadInst>(I) && !isa<LoadInst>(Before);
    if (Stays || holdsBack(Before) || Writes ||
        (!Reads && Place(I).meets(Place(Before))))
      need(Of, By);
  }
  Memory.push_back(By);
}

/// What reads need has their rank; reads that need others come behind all that
/// do not.
void Ordering::rank() {
  for (size_t I = 0; I < Nodes.size(); ++I)
    for (const uint32_t User : Nodes[I].Users)
      Nodes[User].Level =
          std::max(Nodes[User].Level, Nodes[I].Level + isRead(*Step[I]));
  for (size_t I = Nodes.size(); I-- > 0;) {
    if (isRead(*Step[I]))
      Nodes[I].Rank = Nodes[I].Level;
    for (const uint32_t User : Nodes[I].Users)
      Nodes[I].Rank = std::min(Nodes[I].Rank, Nodes[User].Rank);
  }
}

/// The next one: what reads need, or the reads; where registers hold as many
/// results as they can, what comes first in the program and reads nothing.
size_t Ordering::take() {
  auto Best = Ready.begin();
  if (Waiting >= MostWaiting) {
    auto First = Ready.end();
    for (auto Each = Ready.begin(); Each != Ready.end(); ++Each)
      if (!isRead(*Step[Each->second]) &&
          (First == Ready.end() || Each->second < First->second))
        First = Each;
    if (First != Ready.end())
      Best = First;
  }
  const size_t Which = Best->second;
  Ready.erase(Best);
  return Which;
}

void Ordering::issue(size_t Which) {
  for (const Value *Operand : Step[Which]->operands()) {
    const auto Of = Places.find(Operand);
    if (Of == Places.end())
      continue;
    Node &By = Nodes[Of->second];
    Waiting -= By.Waits;
    By.Waits = 0;
  }
  if (isRead(*Step[Which]) && !Step[Which]->use_empty())
    Nodes[Which].Waits = registersOf(*Step[Which]);
  Waiting += Nodes[Which].Waits;
  for (const uint32_t User : Nodes[Which].Users)
    if (--Nodes[User].Missing == 0)
      Ready.insert({Nodes[User].Rank, User});
}

SmallVector<Instruction *> Ordering::run() {
  Nodes.resize(Step.size());
  for (size_t I = 0; I < Step.size(); ++I) {
    for (const Value *Operand : Step[I]->operands())
      if (const auto Of = Places.find(Operand); Of != Places.end())
        need(Of->second, I);
    needMemory(I);
    Places[Step[I]] = I;
  }
  rank();
  for (size_t I = 0; I < Step.size(); ++I)
    if (Nodes[I].Missing == 0)
      Ready.insert({Nodes[I].Rank, I});
  SmallVector<Instruction *> Out;
  while (!Ready.empty()) {
    const size_t Which = take();
    Out.push_back(Step[Which]);
    issue(Which);
  }
  return Out;
}

} // namespace

SmallVector<Instruction *> issueOrder(ArrayRef<Instruction *> Step) {
  const auto First =
      std::find_if_not(Step.begin(), Step.end(),
                       [](const Instruction *I) { return isa<PHINode>(I); });
  const size_t Phis = size_t(First - Step.begin());
  const bool Ends = Step.size() > Phis; // The last ends the step.
  SmallVector<Instruction *> Out(Step.begin(), First);
  const SmallVector<Instruction *> Rest =
      Ordering(Step.slice(Phis, Step.size() - Phis - Ends)).run();
  Out.append(Rest.begin(), Rest.end());
  if (Ends)
    Out.push_back(Step.back());
  return Out;
}

} // namespace blockmaestro
