// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionCalls.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// The first Value is where a call's n-th argument goes.
struct TaskCall {
  const char *Name; ///< Ours.
  SmallVector<unsigned> Arguments;
};

/// Calls of libomp's for tasks, by name: ours, and which arguments they get.
const StringMap<TaskCall> &taskCalls() {
  static const StringMap<TaskCall> Calls = {
      {"__kmpc_omp_task_with_deps", {"__bm_omp_task", {2, 3, 4, 5, 6}}},
      {"__kmpc_omp_taskwait", {"__bm_omp_taskwait", {}}},
      {"__kmpc_barrier", {"__bm_omp_taskwait", {}}}, // Ends all tasks.
      {"__kmpc_omp_wait_deps", {"__bm_omp_wait_deps", {2, 3, 4, 5}}},
      {"__kmpc_omp_taskwait_deps_51", {"__bm_omp_wait_deps", {2, 3, 4, 5}}},
      {"__kmpc_taskgroup", {"__bm_omp_taskgroup", {}}},
      {"__kmpc_end_taskgroup", {"__bm_omp_end_taskgroup", {}}},
  };
  return Calls;
}

/// What a team of one thread gets.
const StringMap<int64_t> &answers() {
  static const StringMap<int64_t> Answers = {
      {"__kmpc_global_thread_num", 0},
      {"__kmpc_single", 1},
      {"__kmpc_master", 1},
      {"__kmpc_masked", 1},
      {"__kmpc_omp_taskyield", 0},
      {"__kmpc_omp_reg_task_with_affinity", 0},
      {"__kmpc_cancellationpoint", 0},
      {"omp_get_thread_num", 0},
      {"omp_get_num_threads", 1},
      {"omp_get_max_threads", 1},
      {"omp_get_team_num", 0},
      {"omp_get_num_teams", 1},
      {"omp_in_parallel", 0},
      {"omp_in_final", 0},
      {"omp_is_initial_device", 0},
  };
  return Answers;
}

/// What such a team need not do.
bool doesNothing(StringRef Name) {
  static const StringSet<> Names = {
      "__kmpc_end_single",         "__kmpc_end_master",
      "__kmpc_end_masked",         "__kmpc_flush",
      "__kmpc_push_num_threads",   "__kmpc_push_num_teams",
      "__kmpc_push_num_teams_51",  "__kmpc_push_proc_bind",
      "__kmpc_critical",           "__kmpc_critical_with_hint",
      "__kmpc_end_critical",       "__kmpc_for_static_fini",
      "__kmpc_omp_task_begin_if0", "__kmpc_omp_task_complete_if0",
  };
  return Names.contains(Name);
}

/// Pointers of our calls are looked at and not kept.
CallInst *callOurs(IRBuilder<> &Builder, StringRef Name, Type *Result,
                   ArrayRef<Value *> Arguments) {
  Module &M = *Builder.GetInsertBlock()->getModule();
  SmallVector<Type *> Types;
  for (Value *Each : Arguments)
    Types.push_back(Each->getType());
  FunctionCallee Ours =
      M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false));
  CallInst *Call = Builder.CreateCall(Ours, Arguments);
  Call->setDoesNotThrow();
  for (unsigned I = 0; I < Arguments.size(); ++I)
    if (Types[I]->isPointerTy())
      Call->addParamAttr(I, Attribute::getWithCaptureInfo(M.getContext(),
                                                          CaptureInfo::none()));
  return Call;
}

void replaceBy(CallInst &Call, Value *With) {
  if (With && !Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(With);
  Call.eraseFromParent();
}

void answer(CallInst &Call, int64_t Value) {
  Constant *Answer = Call.getType()->isVoidTy()
                         ? nullptr
                         : ConstantInt::getSigned(Call.getType(), Value);
  replaceBy(Call, Answer);
}

/// A call of ours with some of Call's arguments, whose result says that all is
/// well.
void pass(CallInst &Call, StringRef Name, ArrayRef<Value *> Arguments) {
  IRBuilder<> Builder(&Call);
  callOurs(Builder, Name, Builder.getVoidTy(), Arguments);
  answer(Call, 0);
}

CallFate replaceAlloc(CallInst &Call, const TaskSites &Sites) {
  auto *Entry = cast<Function>(
      Call.getArgOperand(TaskEntryArgument)->stripPointerCasts());
  auto *Flags = dyn_cast<ConstantInt>(Call.getArgOperand(TaskFlagsArgument));
  constexpr uint64_t HasDestructors = 8;
  if (Flags && Flags->getZExtValue() & HasDestructors)
    return CallFate::Other;
  IRBuilder<> Builder(&Call);
  Value *Record = callOurs(Builder, "__bm_omp_task_alloc", Builder.getPtrTy(),
                           {Builder.getInt32(Sites.KindOf.at(Entry)),
                            Call.getArgOperand(TaskFlagsArgument),
                            Call.getArgOperand(TaskBytesArgument),
                            Call.getArgOperand(SharedsBytesArgument)});
  cast<CallInst>(Record)->addRetAttr(Attribute::NoAlias);
  replaceBy(Call, Record);
  return CallFate::Gone;
}

/// LoopSchedule's number (runtime/openmp/LoopChunks.h).
Value *scheduleWith(CallInst &Call, Value *Schedule, Value *Strict) {
  enum { GrainSize = 1, StrictGrainSize = 3 };
  IRBuilder<> Builder(&Call);
  Value *Is = Builder.CreateAnd(
      Builder.CreateIsNotNull(Strict),
      Builder.CreateICmpEQ(Schedule, Builder.getInt32(GrainSize)));
  return Builder.CreateSelect(Is, Builder.getInt32(StrictGrainSize), Schedule);
}

/// Whether a copy of a loop's task, byte for byte, is what the function that
/// clang has made for that makes: it copies variables without a call.
bool copiesBytes(const Value &Duplicate) {
  if (isa<ConstantPointerNull>(Duplicate))
    return true;
  auto *F = dyn_cast<Function>(&Duplicate);
  return F && !F->isDeclaration() &&
         all_of(instructions(*F), [](const Instruction &I) {
           return !isa<CallBase>(I) || isa<MemTransferInst>(I) ||
                  isa<LifetimeIntrinsic>(I) || isa<DbgInfoIntrinsic>(I);
         });
}

/// Of __kmpc_taskloop and, with whether the sizes are strict,
/// __kmpc_taskloop_5.
CallFate replaceTaskloop(CallInst &Call) {
  enum { Record = 2, If, Lower, Upper, Step, NoGroup, Schedule, Size, Strict };
  const unsigned Duplicate = Call.arg_size() - 1;
  if (!copiesBytes(*Call.getArgOperand(Duplicate)->stripPointerCasts()))
    return CallFate::Other;
  auto At = [&](unsigned I) { return Call.getArgOperand(I); };
  Value *How = At(Schedule);
  if (Duplicate > Strict)
    How = scheduleWith(Call, At(Schedule), At(Strict));
  pass(Call, "__bm_omp_taskloop",
       {At(Record), At(If), At(Lower), At(Upper), At(Step), How, At(Size)});
  return CallFate::Gone;
}

/// The only thread gets all iterations, in chunks where the program says so.
CallFate replaceStaticLoop(CallInst &Call) {
  enum { Schedule = 2, Last, Lower, Upper, Stride, Increment, Chunk };
  enum { Chunked = 33, Whole = 34, DistributeChunked = 91, Distribute = 92 };
  auto *How = dyn_cast<ConstantInt>(Call.getArgOperand(Schedule));
  if (!How)
    return CallFate::Other;
  auto At = [&](unsigned I) { return Call.getArgOperand(I); };
  Type *Int = At(Increment)->getType();
  IRBuilder<> Builder(&Call);
  Value *First = Builder.CreateLoad(Int, At(Lower));
  switch (How->getZExtValue() & 0xff) {
  case Whole:
  case Distribute: {
    Value *End = Builder.CreateLoad(Int, At(Upper));
    Builder.CreateStore(
        Builder.CreateSub(Builder.CreateAdd(End, At(Increment)), First),
        At(Stride));
    break;
  }
  case Chunked:
  case DistributeChunked: {
    Value *Size = Builder.CreateMul(At(Chunk), At(Increment));
    Builder.CreateStore(
        Builder.CreateSub(Builder.CreateAdd(First, Size), At(Increment)),
        At(Upper));
    Builder.CreateStore(Size, At(Stride));
    break;
  }
  default:
    return CallFate::Other;
  }
  Builder.CreateStore(Builder.getInt32(1), At(Last));
  Call.eraseFromParent();
  return CallFate::Gone;
}

/// clang takes memory for a depobj without an allocator; that of an `allocate`
/// clause has one, and tasks may reach it.
CallFate replaceDepObject(CallInst &Call, bool Takes) {
  enum { What = 1, Allocator };
  if (!isa<ConstantPointerNull>(Call.getArgOperand(Allocator)))
    return CallFate::Other;
  IRBuilder<> Builder(&Call);
  Type *Result = Takes ? cast<Type>(Builder.getPtrTy()) : Builder.getVoidTy();
  CallInst *Ours =
      callOurs(Builder, Takes ? "__bm_omp_depobj" : "__bm_omp_end_depobj",
               Result, {Call.getArgOperand(What)});
  if (Takes)
    Ours->addRetAttr(Attribute::NoAlias);
  replaceBy(Call, Ours);
  return CallFate::Gone;
}

/// Of libomp's, or a routine of OpenMP's.
CallFate replaceNamed(CallInst &Call, StringRef Name, const TaskSites &Sites) {
  if (const auto Known = answers().find(Name); Known != answers().end()) {
    answer(Call, Known->second);
    return CallFate::Gone;
  }
  if (doesNothing(Name)) {
    Call.eraseFromParent();
    return CallFate::Gone;
  }
  if (const auto Ours = taskCalls().find(Name); Ours != taskCalls().end()) {
    SmallVector<Value *> Arguments;
    for (unsigned I : Ours->second.Arguments)
      Arguments.push_back(Call.getArgOperand(I));
    pass(Call, Ours->second.Name, Arguments);
    return CallFate::Gone;
  }
  if (Name == "__kmpc_omp_task_alloc")
    return replaceAlloc(Call, Sites);
  if (Name == "__kmpc_omp_task") {
    IRBuilder<> Builder(&Call);
    Value *None = ConstantPointerNull::get(Builder.getPtrTy());
    pass(Call, "__bm_omp_task",
         {Call.getArgOperand(2), Builder.getInt32(0), None, Builder.getInt32(0),
          None});
    return CallFate::Gone;
  }
  if (Name == "__kmpc_taskloop" || Name == "__kmpc_taskloop_5")
    return replaceTaskloop(Call);
  if (Name.starts_with("__kmpc_for_static_init_"))
    return replaceStaticLoop(Call);
  if (Name == "__kmpc_alloc" || Name == "__kmpc_free")
    return replaceDepObject(Call, Name == "__kmpc_alloc");
  return CallFate::Other;
}

} // namespace

CallInst *replaceFork(CallInst &Call) {
  enum { Code = 2, FirstArgument };
  const Function *F = Call.getCalledFunction();
  if (!F || (F->getName() != "__kmpc_fork_call" &&
             F->getName() != "__kmpc_fork_teams"))
    return nullptr;
  auto *Microtask =
      dyn_cast<Function>(Call.getArgOperand(Code)->stripPointerCasts());
  if (!Microtask || Microtask->isDeclaration() ||
      Microtask->arg_size() != Call.arg_size() - FirstArgument + 2)
    return nullptr;
  IRBuilder<> Entry(
      &*Call.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *Number = Entry.CreateAlloca(Entry.getInt32Ty());
  Entry.CreateStore(Entry.getInt32(0), Number);
  SmallVector<Value *> Arguments = {Number, Number};
  for (unsigned I = FirstArgument; I < Call.arg_size(); ++I)
    Arguments.push_back(Call.getArgOperand(I));
  for (unsigned I = 0; I < Arguments.size(); ++I)
    if (Arguments[I]->getType() != Microtask->getArg(I)->getType())
      return nullptr;
  IRBuilder<> Builder(&Call);
  CallInst *Direct = Builder.CreateCall(Microtask, Arguments);
  Direct->setDebugLoc(Call.getDebugLoc());
  // The team ends with a barrier.
  callOurs(Builder, "__bm_omp_taskwait", Builder.getVoidTy(), {});
  Call.eraseFromParent();
  return Direct;
}

std::string constructOf(StringRef Name) {
  static const std::pair<StringRef, StringRef> Constructs[] = {
      {"__kmpc_omp_task_alloc", "a task with an object that has a destructor"},
      {"__kmpc_taskloop", "a taskloop with an object that has a constructor"},
      {"__kmpc_taskred_", "a reduction of tasks"},
      {"__kmpc_task_reduction_", "a reduction of tasks"},
      {"__kmpc_dispatch_", "a loop whose chunks are given out at run time"},
      {"__kmpc_serialized_parallel", "a parallel with an if clause"},
      {"__kmpc_reduce", "a reduction"},
      {"__kmpc_alloc", "an allocate clause"},
      {"__kmpc_cancel", "a cancel construct"},
  };
  for (const auto &[Prefix, Text] : Constructs)
    if (Name.starts_with(Prefix))
      return Text.str();
  return "";
}

CallFate replaceCall(CallInst &Call, const TaskSites &Sites) {
  if (Call.isInlineAsm())
    return CallFate::Other;
  Function *F = Call.getCalledFunction();
  if (!F)
    return CallFate::Other;
  if (Sites.KindOf.count(F)) {
    IRBuilder<> Builder(&Call);
    pass(Call, "__bm_omp_undeferred_task", {Call.getArgOperand(1)});
    return CallFate::Gone;
  }
  const CallFate Fate = replaceNamed(Call, F->getName(), Sites);
  if (Fate != CallFate::Other)
    return Fate;
  if (isa<MemIntrinsic>(Call) || isa<LifetimeIntrinsic>(Call) ||
      isa<AssumeInst>(Call) || isa<DbgInfoIntrinsic>(Call) ||
      (F->isIntrinsic() && Call.onlyAccessesInaccessibleMemory()) ||
      Call.doesNotAccessMemory() || F->getName().starts_with("__bm_omp_") ||
      F->getIntrinsicID() == Intrinsic::stacksave ||
      F->getIntrinsicID() == Intrinsic::stackrestore)
    return CallFate::Kept;
  return CallFate::Other;
}

} // namespace blockmaestro
