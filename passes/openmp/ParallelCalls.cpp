// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParallelCalls.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr uint64_t ElementBytes = 8;
constexpr unsigned ArgumentsOfThreads = 2;

bool isMark(const User &U) {
  return isa<LifetimeIntrinsic>(U) || isa<AssumeInst>(U);
}

/// The values stored into List, each with its offset; false where List is used
/// in another way than by stores and as the list of calls.
bool storedInto(Value &List, int64_t Offset, const DataLayout &Layout,
                SmallVectorImpl<std::pair<int64_t, Value *>> &Out) {
  for (Use &Each : List.uses()) {
    User &By = *Each.getUser();
    if (auto *Cast = dyn_cast<AddrSpaceCastInst>(&By)) {
      if (!storedInto(*Cast, Offset, Layout, Out))
        return false;
    } else if (auto *Gep = dyn_cast<GetElementPtrInst>(&By)) {
      APInt Further(64, 0);
      if (!Gep->accumulateConstantOffset(Layout, Further) ||
          !storedInto(*Gep, Offset + Further.getSExtValue(), Layout, Out))
        return false;
    } else if (auto *Store = dyn_cast<StoreInst>(&By)) {
      if (Store->getPointerOperand() != &List)
        return false;
      Out.push_back({Offset, Store->getValueOperand()});
    } else if (!isMark(By) &&
               !(isParallel(By) &&
                 cast<CallInst>(By).getArgOperandNo(&Each) == ListArgument &&
                 Offset == 0)) {
      return false;
    }
  }
  return true;
}

/// Walks the users of a pointer as long as they only read.
class Reads {
public:
  explicit Reads(const DataLayout &Layout) : Layout(Layout) {}

  /// Pointer is so many bytes behind the memory's begin; nothing: it is not
  /// known how many.
  bool from(Value &Pointer, std::optional<int64_t> Offset) {
    if (auto *A = dyn_cast<Argument>(&Pointer)) {
      if (!Visited.insert(A).second)
        return true;
      Declared = std::max(Declared, A->getDereferenceableBytes());
    }
    return all_of(Pointer.uses(), [&](Use &Each) { return use(Each, Offset); });
  }

  /// Nothing: no bound is known.
  std::optional<uint64_t> bytes() const {
    if (!Anywhere)
      return Known;
    if (Declared)
      return std::max(Known, Declared);
    return std::nullopt;
  }

private:
  bool use(Use &Each, std::optional<int64_t> Offset) {
    User &By = *Each.getUser();
    if (isMark(By))
      return true;
    if (auto *Load = dyn_cast<LoadInst>(&By))
      return Load->isSimple() &&
             read(Offset, Layout.getTypeStoreSize(Load->getType()));
    if (auto *Cast = dyn_cast<AddrSpaceCastInst>(&By))
      return from(*Cast, Offset);
    if (auto *Gep = dyn_cast<GetElementPtrInst>(&By))
      return index(*Gep, Offset);
    if (auto *Copy = dyn_cast<MemCpyInst>(&By))
      return !Copy->isVolatile() && &Each == &Copy->getRawSourceUse() &&
             copy(*Copy, Offset);
    if (auto *Store = dyn_cast<StoreInst>(&By))
      return Store->getValueOperand() == Each.get() && pass(*Store, Offset);
    return false;
  }

  bool index(GetElementPtrInst &Gep, std::optional<int64_t> Offset) {
    APInt Further(64, 0);
    if (!Offset || !Gep.accumulateConstantOffset(Layout, Further))
      return from(Gep, std::nullopt);
    return from(Gep, *Offset + Further.getSExtValue());
  }

  bool copy(MemCpyInst &Copy, std::optional<int64_t> Offset) {
    auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
    return read(Length ? Offset : std::nullopt,
                Length ? Length->getZExtValue() : 0);
  }

  /// Stored into lists of calls it becomes arguments of microtasks.
  bool pass(StoreInst &Store, std::optional<int64_t> Offset) {
    auto *List =
        dyn_cast<AllocaInst>(getUnderlyingList(*Store.getPointerOperand()));
    if (!List)
      return false;
    bool Passed = false;
    for (Instruction &I : instructionsOf(*List)) {
      auto *Call = dyn_cast<CallInst>(&I);
      if (!Call || !isParallel(*Call) ||
          getUnderlyingList(*Call->getArgOperand(ListArgument)) != List)
        continue;
      Passed = true;
      const auto Values = passedValues(*Call);
      if (!Values)
        return false;
      for (const PassedValue &Each : *Values)
        if (Each.Given == Store.getValueOperand() &&
            !from(*Each.Becomes, Offset))
          return false;
    }
    return Passed;
  }

  bool read(std::optional<int64_t> Offset, uint64_t Bytes) {
    if (!Offset)
      Anywhere = true;
    else if (*Offset < 0)
      return false;
    else
      Known = std::max(Known, uint64_t(*Offset) + Bytes);
    return true;
  }

  static Value *getUnderlyingList(Value &V) {
    return V.stripInBoundsOffsets()->stripPointerCasts();
  }

  static SmallVector<std::reference_wrapper<Instruction>>
  instructionsOf(AllocaInst &List) {
    SmallVector<std::reference_wrapper<Instruction>> Out;
    for (BasicBlock &Block : *List.getFunction())
      for (Instruction &I : Block)
        Out.push_back(I);
    return Out;
  }

  const DataLayout &Layout;
  SmallPtrSet<Argument *, 8> Visited;
  uint64_t Known = 0;
  uint64_t Declared = 0;
  bool Anywhere = false;
};

const DataLayout &layoutFor(Value &Pointer) {
  if (auto *A = dyn_cast<Argument>(&Pointer))
    return A->getParent()->getDataLayout();
  return cast<Instruction>(Pointer).getDataLayout();
}

} // namespace

bool isParallel(const Value &V) {
  auto *Call = dyn_cast<CallInst>(&V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == ParallelName;
}

Function *microtaskOf(const CallInst &Parallel) {
  auto *F = dyn_cast<Function>(
      Parallel.getArgOperand(MicrotaskArgument)->stripPointerCasts());
  auto *Count = dyn_cast<ConstantInt>(Parallel.getArgOperand(CountArgument));
  const bool Fits = F && Count && !F->isDeclaration() &&
                    F->arg_size() == Count->getZExtValue() + ArgumentsOfThreads;
  return Fits ? F : nullptr;
}

std::optional<SmallVector<PassedValue>> passedValues(const CallInst &Parallel) {
  Function *Microtask = microtaskOf(Parallel);
  if (!Microtask)
    return std::nullopt;
  SmallVector<PassedValue> Out;
  if (Microtask->arg_size() == ArgumentsOfThreads)
    return Out;
  auto *List = dyn_cast<AllocaInst>(
      Parallel.getArgOperand(ListArgument)->stripPointerCasts());
  SmallVector<std::pair<int64_t, Value *>> Stored;
  if (!List || !storedInto(*List, 0, Microtask->getDataLayout(), Stored))
    return std::nullopt;
  for (auto [Offset, Given] : Stored) {
    if (Offset < 0 || uint64_t(Offset) % ElementBytes != 0)
      return std::nullopt;
    const uint64_t Place = uint64_t(Offset) / ElementBytes + ArgumentsOfThreads;
    if (Place < Microtask->arg_size())
      Out.push_back({Given, Microtask->getArg(unsigned(Place))});
  }
  return Out;
}

bool isList(AllocaInst &Memory) {
  SmallVector<std::pair<int64_t, Value *>> Stored;
  return storedInto(Memory, 0, Memory.getDataLayout(), Stored);
}

std::optional<uint64_t> bytesReadOnly(Value &Pointer) {
  Reads Users(layoutFor(Pointer));
  if (!Users.from(Pointer, 0))
    return std::nullopt;
  return Users.bytes();
}

bool isReadOnly(Value &Pointer) {
  Reads Users(layoutFor(Pointer));
  return Users.from(Pointer, 0);
}

} // namespace blockmaestro
