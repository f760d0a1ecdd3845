// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFields.h"

#include "TaskSites.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

#include <string>

using namespace llvm;

namespace blockmaestro {
namespace {

/// A type without names, which differ between modules.
void write(raw_ostream &Out, Type *Of) {
  if (auto *Struct = dyn_cast<StructType>(Of)) {
    Out << (Struct->isPacked() ? "<{" : "{");
    for (Type *Each : Struct->elements()) {
      write(Out, Each);
      Out << ',';
    }
    Out << '}';
  } else if (auto *Array = dyn_cast<ArrayType>(Of)) {
    Out << '[' << Array->getNumElements() << 'x';
    write(Out, Array->getElementType());
    Out << ']';
  } else {
    Of->print(Out);
  }
}

uint64_t digestOf(Type *Of) {
  std::string Text;
  raw_string_ostream Out(Text);
  write(Out, Of);
  return xxh3_64bits(Text);
}

/// Which field of a struct the pointer is of; nothing: not of one.
std::optional<unsigned> fieldOf(const GetElementPtrInst &Gep) {
  if (!isa<StructType>(Gep.getSourceElementType()) ||
      Gep.getNumIndices() != 2 || !Gep.hasAllConstantIndices())
    return std::nullopt;
  return unsigned(cast<ConstantInt>(Gep.getOperand(2))->getZExtValue());
}

/// The pointers to a task's private variables, as clang writes them: they are
/// the second part of a struct that has a kmp_task_t first.
SmallVector<GetElementPtrInst *> privatesOf(const CallBase &Alloc) {
  SmallVector<GetElementPtrInst *> Out;
  for (const User *Each : Alloc.users())
    if (auto *Gep = dyn_cast<GetElementPtrInst>(Each);
        Gep && fieldOf(*Gep) == 1u &&
        Gep->getSourceElementType()->getStructNumElements() == 2 &&
        Gep->getResultElementType()->isStructTy())
      Out.push_back(const_cast<GetElementPtrInst *>(Gep));
  return Out;
}

uint64_t offsetIn(Type *Struct, unsigned Field, const DataLayout &Layout) {
  return Layout.getStructLayout(cast<StructType>(Struct))
      ->getElementOffset(Field);
}

Error notKnown(const CallBase &Alloc) {
  const DILocation *Where = Alloc.getDebugLoc();
  return createStringError(
      "the device has a task's variables elsewhere" +
      (Where ? " in line " + Twine(Where->getLine()) : Twine("")));
}

/// Has what points to the private variables point to where they are on the
/// device. A pointer to one of an empty class has no use.
Error moveFields(CallBase &Alloc, ArrayRef<uint64_t> Offsets) {
  for (GetElementPtrInst *Privates : privatesOf(Alloc))
    for (User *Each : make_early_inc_range(Privates->users())) {
      auto *Gep = dyn_cast<GetElementPtrInst>(Each);
      if (Gep && Gep->use_empty())
        continue;
      const std::optional<unsigned> Field = Gep ? fieldOf(*Gep) : std::nullopt;
      if (!Field ||
          Gep->getSourceElementType() != Privates->getResultElementType())
        return notKnown(Alloc);
      IRBuilder<> Builder(Gep);
      Gep->replaceAllUsesWith(Builder.CreateConstInBoundsGEP1_64(
          Builder.getInt8Ty(), &Alloc, Offsets[*Field]));
      Gep->eraseFromParent();
    }
  return Error::success();
}

} // namespace

std::vector<TaskField> fieldsOf(const CallBase &Alloc) {
  const DataLayout &Layout = Alloc.getDataLayout();
  const SmallVector<GetElementPtrInst *> Privates = privatesOf(Alloc);
  std::vector<TaskField> Out;
  if (Privates.empty())
    return Out;
  Type *Task = Privates.front()->getSourceElementType();
  Type *Fields = Privates.front()->getResultElementType();
  const uint64_t Begin = offsetIn(Task, 1, Layout);
  for (unsigned I = 0; I < Fields->getStructNumElements(); ++I)
    Out.push_back({digestOf(Fields->getStructElementType(I)),
                   Begin + offsetIn(Fields, I, Layout)});
  return Out;
}

/// Clang's sorting is stable, so fields of one type have one order.
std::optional<std::vector<uint64_t>>
offsetsOnDevice(ArrayRef<TaskField> OfHost, ArrayRef<TaskField> OfDevice) {
  if (OfHost.size() != OfDevice.size())
    return std::nullopt;
  std::vector<TaskField> Left(OfDevice);
  std::vector<uint64_t> Out;
  for (const TaskField &Each : OfHost) {
    auto Same =
        find_if(Left, [&](const TaskField &F) { return F.Type == Each.Type; });
    if (Same == Left.end())
      return std::nullopt;
    Out.push_back(Same->Offset);
    Left.erase(Same);
  }
  return Out;
}

Error layOutAsOnDevice(Function &F, const TaskSites &Sites) {
  for (Instruction &I : instructions(F)) {
    auto *Alloc = dyn_cast<CallBase>(&I);
    if (!Alloc || !isTaskAlloc(*Alloc))
      continue;
    auto Kind = Sites.KindOf.find(cast<Function>(
        Alloc->getArgOperand(TaskEntryArgument)->stripPointerCasts()));
    const TaskSite &Site = Sites.Kinds[Kind->second];
    Alloc->setArgOperand(
        TaskBytesArgument,
        ConstantInt::get(Alloc->getArgOperand(TaskBytesArgument)->getType(),
                         Site.TaskBytes));
    if (Error Failure = moveFields(*Alloc, Site.DeviceOffsets))
      return Failure;
  }
  return Error::success();
}

} // namespace blockmaestro
