// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InlinePlan.h"

#include "Canonicalize.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <map>
#include <vector>

using namespace llvm;

// Note [What stays a call]
// A function that stays a call costs the analysis the indices of all it
// touches, so as few as possible do. Sizes grow with the number of ways to a
// function, and are numbers of instructions before any optimisation. While a
// kernel is too large, the function goes that would take up most of it, all
// its copies together, among those that are not too large for themselves.

namespace blockmaestro {

namespace {

/// Functions smaller than this are cheaper inlined than called.
constexpr double SmallFunction = 50;

class Planner {
public:
  Planner(const Module &M, double Limit);

  std::set<const Function *> plan();

private:
  void readFunction(const Function &F);
  void computeSizes();
  bool shrink(const Function &Root);
  std::map<const Function *, double> copiesIn(const Function &Root);

  const double Limit;
  std::vector<const Function *> BottomUp;
  std::map<const Function *, std::vector<const Function *>> Callees;
  std::map<const Function *, double> Own;
  std::map<const Function *, double> Size; ///< With all that is inlined.
  std::set<const Function *> Kept;
};

/// Functions that can reach themselves are kept from the start, so what is
/// left has an order.
Planner::Planner(const Module &M, double Limit) : Limit(Limit) {
  CallGraph Graph(const_cast<Module &>(M));
  for (auto It = scc_begin(&Graph); !It.isAtEnd(); ++It)
    for (CallGraphNode *Node : *It) {
      const Function *F = Node->getFunction();
      if (!F || F->isDeclaration())
        continue;
      if (It.hasCycle())
        Kept.insert(F);
      readFunction(*F);
    }
}

void Planner::readFunction(const Function &F) {
  BottomUp.push_back(&F);
  double &Count = Own[&F];
  std::vector<const Function *> &To = Callees[&F];
  for (const Instruction &I : instructions(F)) {
    ++Count;
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction())
        if (!Callee->isDeclaration())
          To.push_back(Callee);
  }
}

void Planner::computeSizes() {
  for (const Function *F : BottomUp) {
    double Sum = Own[F];
    for (const Function *Callee : Callees[F])
      if (!Kept.count(Callee))
        Sum += Size[Callee];
    Size[F] = Sum;
  }
}

/// How often each function would be inlined into Root.
std::map<const Function *, double> Planner::copiesIn(const Function &Root) {
  std::map<const Function *, double> Copies;
  Copies[&Root] = 1;
  for (auto It = BottomUp.rbegin(); It != BottomUp.rend(); ++It) {
    auto Found = Copies.find(*It);
    if (Found == Copies.end() || (*It != &Root && Kept.count(*It)))
      continue;
    for (const Function *Callee : Callees[*It])
      if (!Kept.count(Callee))
        Copies[Callee] += Found->second;
  }
  Copies.erase(&Root);
  return Copies;
}

/// Keeps one more function out of Root. False when that is small enough, or
/// nothing helps.
bool Planner::shrink(const Function &Root) {
  if (Size[&Root] <= Limit)
    return false;
  std::map<const Function *, double> Copies = copiesIn(Root);
  const Function *Best = nullptr;
  for (const Function *F : BottomUp)
    if (auto Found = Copies.find(F);
        Found != Copies.end() && Size[F] >= SmallFunction && Size[F] <= Limit &&
        (!Best || Found->second * Size[F] > Copies[Best] * Size[Best]))
      Best = F;
  if (!Best)
    return false;
  Kept.insert(Best);
  computeSizes();
  return true;
}

std::set<const Function *> Planner::plan() {
  computeSizes();
  for (const Function *F : BottomUp)
    if (isKernel(*F) || Kept.count(F))
      while (shrink(*F)) {
      }
  return std::move(Kept);
}

} // namespace

std::set<const Function *> functionsToKeep(const Module &M, double Limit) {
  return Planner(M, Limit).plan();
}

} // namespace blockmaestro
