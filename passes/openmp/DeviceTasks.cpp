// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceTasks.h"

#include "DeviceRuntime.h"
#include "ParallelCalls.h"
#include "SharedReads.h"
#include "TaskThreads.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace blockmaestro {
namespace {

/// The functions that the kernels of tasks call (TaskKernels.cu), and these.
constexpr StringLiteral RunTask = "__bm_omp_run_task";
constexpr StringLiteral ThreadsOfTask = "__bm_omp_task_threads";
constexpr StringLiteral PointShareds = "__bm_omp_point_shareds";
constexpr StringLiteral Blocks = "__bm_omp_blocks";
constexpr StringLiteral Workers = "__bm_omp_workers";

/// Of all kinds, a function `void (ptr Record)` that runs a task's entry.
Function *addCode(Module &M, Function &Entry, uint32_t Kind) {
  LLVMContext &C = M.getContext();
  auto *Code = Function::createWithDefaultAttr(
      FunctionType::get(Type::getVoidTy(C), {PointerType::get(C, 0)}, false),
      GlobalValue::ExternalLinkage, 0, "__bm_omp_task_" + Twine(Kind), &M);
  Code->addFnAttr(Attribute::NoInline);
  Code->addFnAttr(Attribute::Convergent);
  IRBuilder<> Builder(BasicBlock::Create(C, "", Code));
  CallInst *Call =
      Builder.CreateCall(&Entry, {Builder.getInt32(0), Code->getArg(0)});
  Call->setCallingConv(Entry.getCallingConv());
  Builder.CreateRetVoid();
  return Code;
}

/// Of a block.
constexpr uint64_t MostThreads = 1024;
/// Calls that are inlined into the code of one kind at most.
constexpr unsigned MostTaskCallsInlined = 200;

/// The functions that run a `parallel`, or call one that does.
SmallPtrSet<const Function *, 16> functionsWithParallel(Module &M) {
  SmallPtrSet<const Function *, 16> Known;
  SmallVector<const Function *> New;
  if (const Function *Parallel = M.getFunction(ParallelName))
    New.push_back(Parallel);
  while (!New.empty())
    for (const User *U : New.pop_back_val()->users())
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Known.insert(Call->getFunction()).second)
        New.push_back(Call->getFunction());
  return Known;
}

/// The entry and all functions on the way to a `parallel` become one, so that
/// it can be seen what stands between these.
void inlineParallels(Function &Code, const Function &Entry,
                     const SmallPtrSetImpl<const Function *> &WithParallel) {
  auto Next = [&]() -> CallInst * {
    for (Instruction &I : instructions(Code))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *F = Call->getCalledFunction();
            F && !F->isDeclaration() &&
            (F == &Entry || WithParallel.contains(F)))
          return Call;
    return nullptr;
  };
  for (unsigned Done = 0; Done < MostTaskCallsInlined; ++Done) {
    CallInst *Call = Next();
    InlineFunctionInfo Info;
    if (!Call || !InlineFunction(*Call, Info).isSuccess())
      return;
  }
}

/// A function of a kind and a record: a switch with a case for each kind, which
/// Fill writes and ends with a return; Otherwise returns for others.
template <typename Filler>
void writeSwitch(Module &M, StringRef Name, Type *Result, bool TakesRecord,
                 size_t Kinds, Filler Fill) {
  LLVMContext &C = M.getContext();
  SmallVector<Type *> Arguments = {Type::getInt32Ty(C)};
  if (TakesRecord)
    Arguments.push_back(PointerType::get(C, 0));
  auto *F = Function::createWithDefaultAttr(
      FunctionType::get(Result, Arguments, false), GlobalValue::ExternalLinkage,
      0, Name, &M);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::Convergent);
  IRBuilder<> Builder(BasicBlock::Create(C, "", F));
  BasicBlock *Unknown = BasicBlock::Create(C, "unknown", F);
  SwitchInst *Switch = Builder.CreateSwitch(F->getArg(0), Unknown);
  for (size_t Kind = 0; Kind < Kinds; ++Kind) {
    BasicBlock *Case = BasicBlock::Create(C, "kind", F);
    Switch->addCase(Builder.getInt32(uint32_t(Kind)), Case);
    Builder.SetInsertPoint(Case);
    Fill(Builder, *F, Kind);
  }
  Builder.SetInsertPoint(Unknown);
  Builder.CreateUnreachable();
}

/// Checks of the emulated device pass I over: all threads do it alike.
void passOver(Instruction &I) {
  I.setMetadata(LLVMContext::MD_nosanitize, MDNode::get(I.getContext(), {}));
}

/// The record's shareds point into it, and so do those of their fields that the
/// host has written offsets into.
void pointInto(IRBuilder<> &Builder, Value *Record, const KindLayout &Kind) {
  auto At = [&](uint64_t Offset) {
    return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Record,
                                              Offset);
  };
  if (Kind.Site.SharedsBytes)
    passOver(*Builder.CreateStore(At(Kind.SharedsOffset), Record));
  for (const CopiedVariable &Copy : Kind.Copies) {
    Value *Field = At(Kind.SharedsOffset + Copy.Field);
    LoadInst *Given = Builder.CreateLoad(Builder.getInt64Ty(), Field);
    passOver(*Given);
    Value *Inside =
        Builder.CreateICmpULT(Given, Builder.getInt64(Kind.RecordBytes));
    Value *Address = Builder.CreateIntToPtr(Given, Record->getType());
    passOver(*Builder.CreateStore(
        Builder.CreateSelect(Inside, At(Copy.Offset), Address), Field));
  }
}

/// Whether all that decides how many threads the region's parallels have is a
/// constant.
bool hasPlainParallels(Function &Region) {
  return all_of(instructions(Region), [](const Instruction &I) {
    return !isParallel(I) || (isa<ConstantInt>(I.getOperand(SizeArgument)) &&
                              match(I.getOperand(IfArgument), m_One()));
  });
}

/// How many threads the tasks of a region run by; 0: any number.
uint32_t threadsOf(Function &Region) {
  const uint64_t Limit =
      Region.getFnAttributeAsParsedInteger("omp_target_thread_limit");
  return Limit <= MostThreads && hasPlainParallels(Region) ? uint32_t(Limit)
                                                           : 0;
}

/// The same of all regions.
uint32_t threadsOf(ArrayRef<Function *> Regions) {
  const uint32_t Threads = Regions.empty() ? 0 : threadsOf(*Regions.front());
  return all_of(Regions, [&](Function *F) { return threadsOf(*F) == Threads; })
             ? Threads
             : 0;
}

/// Whether only Callers call it.
bool isCalledBy(const Function &F, const SetVector<Function *> &Callers) {
  return F.hasLocalLinkage() && all_of(F.users(), [&](const User *U) {
           auto *Call = dyn_cast<CallInst>(U);
           return Call && Call->getCalledFunction() == &F &&
                  Callers.contains(const_cast<Function *>(Call->getFunction()));
         });
}

/// The kernels and what only they call.
SetVector<Function *> functionsOf(Module &M, ArrayRef<Function *> Kernels) {
  SetVector<Function *> Out(Kernels.begin(), Kernels.end());
  for (Function &F : M)
    if (!F.isDeclaration() && F.hasLocalLinkage())
      Out.insert(&F);
  auto IsOther = [&](Function *F) {
    return !is_contained(Kernels, F) && !isCalledBy(*F, Out);
  };
  while (Out.remove_if(IsOther))
    ;
  return Out;
}

void fixThreadsIn(Function &F, uint32_t Threads) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Read = dyn_cast<IntrinsicInst>(&I);
    if (!Read)
      continue;
    if (Read->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ntid_x) {
      Read->replaceAllUsesWith(ConstantInt::get(Read->getType(), Threads));
      Read->eraseFromParent();
    } else if (Read->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x) {
      Read->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, Threads)));
    }
  }
}

} // namespace

DeviceTasks::DeviceTasks(Module &DeviceCode, const TaskSites &Sites)
    : M(DeviceCode), Sites(Sites) {}

void DeviceTasks::prepare() {
  Threads = threadsOf(Sites.Regions);
  const auto WithParallel = functionsWithParallel(M);
  for (uint32_t Kind = 0; Kind < Sites.Kinds.size(); ++Kind) {
    Function &Entry = *Sites.Kinds[Kind].Entry;
    Function *Code = addCode(M, Entry, Kind);
    inlineParallels(*Code, Entry, WithParallel);
    Codes.push_back(Code->getName().str());
  }
}

FileLayout DeviceTasks::finish() {
  FileLayout Layout;
  const StringRef Unique = Sites.Regions.front()->getName();
  Layout.BlocksKernel = (Blocks + Unique).str();
  Layout.WorkersKernel = (Workers + Unique).str();
  Layout.Threads = Threads;
  std::vector<TaskThreads> Running;
  TeamMemory Memory(M);
  for (uint32_t Kind = 0; Kind < Sites.Kinds.size(); ++Kind) {
    Function &Code = *M.getFunction(Codes[Kind]);
    KindLayout Out;
    Out.Site = Sites.Kinds[Kind];
    Out.Copies = findSharedReads(Code, Out.Site.SharedsBytes);
    Out.layOut();
    Running.push_back(chooseThreads(Code, Memory));
    if (Running.back() == TaskThreads::FirstOfTeam)
      shareLocals(Code);
    Code.removeFnAttr(Attribute::NoInline);
    Code.addFnAttr(Attribute::AlwaysInline);
    Code.setLinkage(GlobalValue::InternalLinkage);
    Layout.Kinds.push_back(std::move(Out));
  }
  Memory.finish();
  LLVMContext &C = M.getContext();
  writeSwitch(M, RunTask, Type::getVoidTy(C), /*TakesRecord=*/true,
              Codes.size(), [&](IRBuilder<> &B, Function &F, size_t Kind) {
                B.CreateCall(M.getFunction(Codes[Kind]), {F.getArg(1)});
                B.CreateRetVoid();
              });
  writeSwitch(M, ThreadsOfTask, Type::getInt32Ty(C), /*TakesRecord=*/false,
              Codes.size(), [&](IRBuilder<> &B, Function &, size_t Kind) {
                B.CreateRet(B.getInt32(uint32_t(Running[Kind])));
              });
  writeSwitch(M, PointShareds, Type::getVoidTy(C), /*TakesRecord=*/true,
              Codes.size(), [&](IRBuilder<> &B, Function &F, size_t Kind) {
                pointInto(B, F.getArg(1), Layout.Kinds[Kind]);
                B.CreateRetVoid();
              });
  return Layout;
}

void DeviceTasks::nameKernels(const FileLayout &Layout) {
  if (Function *F = M.getFunction(Blocks))
    F->setName(Layout.BlocksKernel);
  if (Function *F = M.getFunction(Workers))
    F->setName(Layout.WorkersKernel);
  // Each file has such functions.
  for (StringRef Name : {RunTask, ThreadsOfTask, PointShareds})
    if (Function *F = M.getFunction(Name))
      F->setLinkage(GlobalValue::InternalLinkage);
}

void DeviceTasks::fixThreads(const FileLayout &Layout) {
  if (Layout.Threads == 0)
    return;
  SmallVector<Function *> Kernels;
  for (StringRef Name : {Layout.BlocksKernel, Layout.WorkersKernel})
    if (Function *F = M.getFunction(Name))
      Kernels.push_back(F);
  for (Function *F : functionsOf(M, Kernels))
    fixThreadsIn(*F, Layout.Threads);
}

} // namespace blockmaestro
