// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceRuntime.h"

#include "ParallelCalls.h"
#include "TaskSites.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/Internalize.h"

#include <set>
#include <string>

using namespace llvm;

namespace blockmaestro {

namespace {

Error failure(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

SmallVector<CallInst *> callsOf(Module &M, StringRef Name) {
  SmallVector<CallInst *> Calls;
  if (Function *F = M.getFunction(Name))
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        if (Call->getCalledFunction() == F)
          Calls.push_back(Call);
  return Calls;
}

/// Functions that the runtime calls, by number, counted from 1.
using Numbered = SmallSetVector<Function *, 8>;

/// The number of \p F, as an address is passed.
Constant *numberOf(Function &F, Numbered &All) {
  All.insert(&F);
  const size_t Place = find(All, &F) - All.begin() + 1;
  LLVMContext &C = F.getContext();
  return ConstantExpr::getIntToPtr(ConstantInt::get(Type::getInt64Ty(C), Place),
                                   PointerType::get(C, 0));
}

Function *functionAt(CallInst &Call, unsigned Argument) {
  return dyn_cast<Function>(Call.getArgOperand(Argument)->stripPointerCasts());
}

/// Writes the numbers of the microtasks into the calls of Parallel.
Error numberMicrotasks(Module &M, Numbered &All) {
  for (CallInst *Call : callsOf(M, ParallelName)) {
    Function *F = functionAt(*Call, MicrotaskArgument);
    auto *Size = dyn_cast<ConstantInt>(Call->getArgOperand(CountArgument));
    if (!F || !Size || F->arg_size() != Size->getZExtValue() + 2)
      return failure("OpenMP: a parallel region's code is not known in " +
                     Call->getFunction()->getName());
    Call->setArgOperand(NumberArgument, numberOf(*F, All));
  }
  return Error::success();
}

/// Writes the numbers of the tasks' entries where tasks are made.
Error numberTasks(Module &M, Numbered &All) {
  for (CallInst *Call : callsOf(M, "__kmpc_omp_task_alloc")) {
    Function *F = functionAt(*Call, TaskEntryArgument);
    if (!F)
      return failure("OpenMP: a task's code is not known in " +
                     Call->getFunction()->getName());
    Call->setArgOperand(TaskEntryArgument, numberOf(*F, All));
  }
  return Error::success();
}

/// Calls microtask \p F with two arguments of \p Switch, and others from a
/// list.
void callMicrotask(IRBuilder<> &B, Function &Switch, Function &F) {
  Value *From = Switch.getArg(1);
  SmallVector<Value *> Values = {Switch.getArg(2), Switch.getArg(3)};
  for (const Argument &A : drop_begin(F.args(), 2)) {
    Value *Place =
        B.CreateConstInBoundsGEP1_64(B.getPtrTy(), From, A.getArgNo() - 2);
    Values.push_back(B.CreateLoad(A.getType(), Place));
  }
  B.CreateCall(&F, Values)->setCallingConv(F.getCallingConv());
}

/// Calls a task's entry with the arguments of \p Switch.
void callTask(IRBuilder<> &B, Function &Switch, Function &F) {
  B.CreateCall(&F, {Switch.getArg(1), Switch.getArg(2)})
      ->setCallingConv(F.getCallingConv());
}

/// The body of function \p Name, if it is needed: a switch over its first
/// argument, the number of a function.
void writeSwitch(Module &M, StringRef Name, const Numbered &All,
                 void (*Call)(IRBuilder<> &, Function &, Function &)) {
  Function *F = M.getFunction(Name);
  if (!F)
    return;
  LLVMContext &C = M.getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  BasicBlock *End = BasicBlock::Create(C, "end", F);
  SwitchInst *Switch = B.CreateSwitch(F->getArg(0), End);
  for (const auto &[Position, Entry] : enumerate(All)) {
    BasicBlock *Case = BasicBlock::Create(C, "case", F, End);
    Switch->addCase(B.getInt32(uint32_t(Position) + 1), Case);
    B.SetInsertPoint(Case);
    Call(B, *F, *Entry);
    B.CreateBr(End);
  }
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  F->setLinkage(GlobalValue::InternalLinkage);
  F->addFnAttr(Attribute::AlwaysInline);
}

bool isKernel(const GlobalValue &G) {
  auto *F = dyn_cast<Function>(&G);
  return F && F->getCallingConv() == CallingConv::PTX_Kernel;
}

Error linkFile(Module &M, StringRef Folder, StringRef Name, unsigned Flags) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  SMDiagnostic Problem;
  std::unique_ptr<Module> Source = parseIRFile(Path, Problem, M.getContext());
  if (!Source)
    return failure("OpenMP: cannot read '" + Path +
                   "': " + Problem.getMessage());
  Source->setTargetTriple(M.getTargetTriple());
  Source->setDataLayout(M.getDataLayout());
  auto Hide = [](Module &Whole, const StringSet<> &Linked) {
    internalizeModule(Whole, [&](const GlobalValue &G) {
      return isKernel(G) || !G.hasName() || !Linked.contains(G.getName());
    });
  };
  if (Linker::linkModules(M, std::move(Source), Flags, Hide))
    return failure("OpenMP: cannot link '" + Path + "'");
  return Error::success();
}

/// What a program has that calls a function of this name, of those that are not
/// there.
StringRef calledConstruct(StringRef Name) {
  static const std::pair<StringRef, StringRef> Constructs[] = {
      {"__kmpc_ordered", "ordered"},
      {"__kmpc_end_ordered", "ordered"},
      {"__kmpc_doacross_", "ordered with dependences"},
      {"__kmpc_copyprivate", "single with copyprivate"},
      {"__kmpc_task_allow_completion_event", "task with detach"},
      {"__kmpc_threadprivate_", "threadprivate"},
  };
  for (const auto &[Prefix, Construct] : Constructs)
    if (Name.starts_with(Prefix))
      return Construct;
  return Name;
}

/// The construct of missing function F, and the line of a call.
std::string describeMissing(const Function &F) {
  std::string Out = calledConstruct(F.getName()).str();
  for (const User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getDebugLoc())
      return Out + " in line " + std::to_string(Call->getDebugLoc().getLine());
  return Out;
}

bool isOfOpenMP(StringRef Name) {
  return any_of(ArrayRef<StringRef>{"__kmpc_", "__bm_", "omp_", "__tgt_"},
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// What of OpenMP stayed without a definition.
Error refuseMissing(Module &M) {
  std::set<std::string> Missing;
  for (const Function &F : M)
    if (F.isDeclaration() && !F.use_empty() && isOfOpenMP(F.getName()))
      Missing.insert(describeMissing(F));
  if (Missing.empty())
    return Error::success();
  return failure("OpenMP: not on the device: " + join(Missing, ", "));
}

/// The variables of its function to which \p Call's arguments point.
void findReached(CallInst &Call, SmallSetVector<AllocaInst *, 8> &Out) {
  Value *List = Call.getArgOperand(ListArgument)->stripPointerCasts();
  for (Instruction &I : instructions(*Call.getFunction()))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (Store->getPointerOperand()
              ->stripInBoundsConstantOffsets()
              ->stripPointerCasts() == List)
        if (auto *Variable = dyn_cast<AllocaInst>(Store->getValueOperand()
                                                      ->stripPointerCasts()
                                                      ->stripInBoundsOffsets()))
          Out.insert(Variable);
}

/// Uses the team's memory in the place of \p Variable, from the function's
/// start to its ends.
void share(AllocaInst &Variable) {
  Function &F = *Variable.getFunction();
  Module &M = *F.getParent();
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Value *Bytes = B.getInt64(
      Variable.getAllocationSize(M.getDataLayout())->getFixedValue());
  FunctionCallee Take = M.getOrInsertFunction("__kmpc_alloc_shared",
                                              B.getPtrTy(), B.getInt64Ty());
  FunctionCallee Give = M.getOrInsertFunction(
      "__kmpc_free_shared", B.getVoidTy(), B.getPtrTy(), B.getInt64Ty());
  CallInst *Memory = B.CreateCall(Take, Bytes);
  for (User *U : make_early_inc_range(Variable.users()))
    if (auto *Mark = dyn_cast<LifetimeIntrinsic>(U))
      Mark->eraseFromParent();
  Variable.replaceAllUsesWith(Memory);
  Variable.eraseFromParent();
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
      CallInst::Create(Give, {Memory, Bytes}, "", Return->getIterator());
}

/// Casts of variables to local memory, which is not where they are any more.
void useGenericAddresses(AllocaInst &Variable) {
  for (User *U : make_early_inc_range(Variable.users())) {
    auto *Cast = dyn_cast<AddrSpaceCastInst>(U);
    if (!Cast)
      continue;
    for (Use &Place : make_early_inc_range(Cast->uses()))
      Place.set(&Variable);
    Cast->eraseFromParent();
  }
}

} // namespace

Error linkDeviceRuntime(Module &DeviceCode, StringRef Folder, bool Tasks) {
  Numbered Microtasks, Entries;
  if (Error E = numberMicrotasks(DeviceCode, Microtasks))
    return E;
  if (Error E = numberTasks(DeviceCode, Entries))
    return E;
  if (Tasks)
    if (Error E = linkFile(DeviceCode, Folder,
                           "libblockmaestro-openmp-tasks.bc", Linker::None))
      return E;
  if (Error E = linkFile(DeviceCode, Folder, "libblockmaestro-openmp.bc",
                         Linker::LinkOnlyNeeded))
    return E;
  writeSwitch(DeviceCode, "__bm_omp_call_microtask", Microtasks, callMicrotask);
  writeSwitch(DeviceCode, "__bm_omp_call_task", Entries, callTask);
  if (Error E = refuseMissing(DeviceCode))
    return E;
  return Error::success();
}

void shareLocals(Function &F) {
  SmallSetVector<AllocaInst *, 8> Reached;
  for (CallInst *Call : callsOf(*F.getParent(), ParallelName))
    if (Call->getFunction() == &F)
      findReached(*Call, Reached);
  for (AllocaInst *Variable : Reached) {
    useGenericAddresses(*Variable);
    share(*Variable);
  }
}

} // namespace blockmaestro
