// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessCollection.h"

#include "CallSummaries.h"
#include "Calls.h"
#include "Linkage.h"
#include "MemoryExpansion.h"
#include "PrintCalls.h"
#include "PtxAssembly.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Functions that touch no memory another block can see, although their
/// attributes do not say so.
constexpr const char *HarmlessPrefixes[] = {
    "llvm.nvvm.barrier",
    "llvm.nvvm.bar.",
    "llvm.nvvm.membar.",
    "llvm.nvvm.fence.",
    "llvm.nvvm.shfl.",
    "llvm.nvvm.vote.",
    "llvm.nvvm.match.",
    "llvm.nvvm.activemask",
    "llvm.nvvm.redux.",
    "llvm.nvvm.elect",
    "llvm.nvvm.read.ptx.sreg.",
    "llvm.nvvm.nanosleep",
    "llvm.nvvm.exit",
    "llvm.nvvm.mbarrier.",
    "llvm.nvvm.ldmatrix.",
    "llvm.nvvm.stmatrix.",
    "llvm.nvvm.prefetch",
    "llvm.nvvm.applypriority.",
    "llvm.nvvm.setmaxnreg.",
    "llvm.nvvm.wgmma.",
    "llvm.nvvm.cp.async.mbarrier.",
    "llvm.nvvm.cp.async.bulk.commit.group",
    "llvm.nvvm.cp.async.bulk.wait.group",
    "llvm.nvvm.cp.async.bulk.prefetch.L2",
    "llvm.nvvm.barrier0",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.nvvm.griddepcontrol.",
    "llvm.nvvm.cp.async.commit.group",
    "llvm.nvvm.cp.async.wait.",
    "llvm.lifetime.",
    "llvm.trap",
    "llvm.debugtrap",
    "llvm.prefetch",
    "llvm.convergence",
    "__nvvm_reflect",
    "__assertfail",
};

/// Intrinsics that reach memory through a descriptor: their attributes speak of
/// the descriptor only.
constexpr const char *DescriptorPrefixes[] = {
    "llvm.nvvm.cp.async.bulk.tensor.",
    "llvm.nvvm.cp.async.bulk.prefetch.tensor.",
    "llvm.nvvm.tensormap.",
    "llvm.nvvm.tex.",
    "llvm.nvvm.tld4.",
    "llvm.nvvm.suld.",
    "llvm.nvvm.sust.",
};

/// Intrinsics that read a fixed number of bytes through operand Pointer, and
/// otherwise touch only shared memory.
struct FixedRead {
  Intrinsic::ID Intrinsic;
  unsigned Pointer;
  uint64_t Bytes; ///< 0: the size of the result.
};

constexpr FixedRead FixedReads[] = {
    {Intrinsic::nvvm_ldu_global_f, 0, 0},
    {Intrinsic::nvvm_ldu_global_i, 0, 0},
    {Intrinsic::nvvm_ldu_global_p, 0, 0},
    {Intrinsic::nvvm_cp_async_ca_shared_global_4, 1, 4},
    {Intrinsic::nvvm_cp_async_ca_shared_global_8, 1, 8},
    {Intrinsic::nvvm_cp_async_ca_shared_global_16, 1, 16},
    {Intrinsic::nvvm_cp_async_cg_shared_global_16, 1, 16},
};

class Collector {
public:
  Collector(const Function &F, function_ref<void(const RawAccess &)> OnAccess,
            function_ref<void(const CallBase &)> OnCall)
      : DL(F.getDataLayout()), OnAccess(OnAccess), OnCall(OnCall) {}

  void visit(const Instruction &I);

private:
  void add(const Instruction &I, const Value *Pointer, AccessKind Kind,
           uint64_t Bytes) {
    OnAccess({&I, Pointer, Kind, Bytes, nullptr, {}});
  }
  void addTyped(const Instruction &I, const Value *Pointer, AccessKind Kind,
                Type *T) {
    add(I, Pointer, Kind, DL.getTypeStoreSize(T).getFixedValue());
  }
  void addLoose(const Instruction &I, const Value *Pointer, AccessKind Kind,
                ReasonKind Why, const Value *Length = nullptr) {
    OnAccess({&I, Pointer, Kind, 0, Length, {Why, ""}});
  }
  void addAnywhere(const Instruction &I, ReasonKind Why,
                   const std::string &Detail);
  void visitCall(const CallBase &Call);
  void visitAssembly(const CallBase &Call);
  bool visitKnownIntrinsic(const CallBase &Call);
  void visitMemory(const MemIntrinsic &Copy);
  void visitArguments(const CallBase &Call);
  void visitPrint(const CallBase &Call);

  const DataLayout &DL;
  function_ref<void(const RawAccess &)> OnAccess;
  function_ref<void(const CallBase &)> OnCall;
};

template <size_t Count>
bool isNamed(const Function *Callee, const char *const (&Prefixes)[Count]) {
  return Callee && Callee->isDeclaration() &&
         any_of(Prefixes, [&](const char *Prefix) {
           return Callee->getName().starts_with(Prefix);
         });
}

void Collector::addAnywhere(const Instruction &I, ReasonKind Why,
                            const std::string &Detail) {
  for (AccessKind Kind : {AccessKind::Read, AccessKind::Write})
    OnAccess({&I, nullptr, Kind, 0, nullptr, {Why, Detail}});
}

void Collector::visit(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    addTyped(I, Load->getPointerOperand(), AccessKind::Read, I.getType());
  else if (const auto *Store = dyn_cast<StoreInst>(&I))
    addTyped(I, Store->getPointerOperand(), AccessKind::Write,
             Store->getValueOperand()->getType());
  else if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    addTyped(I, RMW->getPointerOperand(), AccessKind::Atomic, I.getType());
  else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    addTyped(I, Exchange->getPointerOperand(), AccessKind::Atomic,
             Exchange->getCompareOperand()->getType());
  else if (const auto *Call = dyn_cast<CallBase>(&I))
    visitCall(*Call);
  else if (I.mayReadOrWriteMemory() && !isa<FenceInst>(I))
    addAnywhere(I, ReasonKind::CallNotInlined, I.getOpcodeName());
}

/// Assembly that is understood stands beside plain accesses; what is left has
/// none, or may do anything.
void Collector::visitAssembly(const CallBase &Call) {
  AssemblyEffects Effects = describeAssembly(Call);
  if (Effects.Textures && !Effects.Understood)
    addAnywhere(Call, ReasonKind::Descriptor, "");
  else if (!Effects.Understood || !Effects.Accesses.empty())
    addAnywhere(Call,
                Effects.Descriptor ? ReasonKind::Descriptor
                                   : ReasonKind::InlineAssembly,
                "");
}

void Collector::visitCall(const CallBase &Call) {
  if (isExpanded(Call))
    return;
  if (Call.isInlineAsm())
    return visitAssembly(Call);
  const Function *Callee = Call.getCalledFunction();
  if (isNamed(Callee, DescriptorPrefixes))
    return addAnywhere(Call, ReasonKind::Descriptor, "");
  if (isNamed(Callee, HarmlessPrefixes) || Call.doesNotAccessMemory() ||
      Call.onlyAccessesInaccessibleMemory() || visitKnownIntrinsic(Call) ||
      isAllocation(Call) || isRelease(Call))
    return;
  if (Callee && Callee->isDeclaration() && Callee->getName() == "vprintf")
    return visitPrint(Call);
  if (!Callee || !Callee->isDeclaration())
    return OnCall(Call);
  if (Call.onlyAccessesArgMemory() || Callee->getName().starts_with("__nv_"))
    return visitArguments(Call);
  addAnywhere(Call,
              wasReplaceable(*Callee) ? ReasonKind::CodeReplaceable
                                      : ReasonKind::CallNotInlined,
              demangle(Callee->getName()));
}

/// The bytes printed are a thread's own, but for strings.
void Collector::visitPrint(const CallBase &Call) {
  PrintedStrings Strings = printedStrings(Call);
  for (const Value *Pointer : Strings.Pointers)
    addLoose(Call, Pointer, AccessKind::Read, ReasonKind::StringPrinted);
  if (Strings.Others)
    OnAccess({&Call,
              nullptr,
              AccessKind::Read,
              0,
              nullptr,
              {ReasonKind::StringPrinted, ""}});
}

bool Collector::visitKnownIntrinsic(const CallBase &Call) {
  if (const auto *Copy = dyn_cast<MemIntrinsic>(&Call)) {
    visitMemory(*Copy);
    return true;
  }
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->getName().starts_with("llvm.nvvm.atomic.")) {
    addTyped(Call, Call.getArgOperand(0), AccessKind::Atomic, Call.getType());
    return true;
  }
  for (const FixedRead &Row : FixedReads) {
    if (Row.Intrinsic != Call.getIntrinsicID())
      continue;
    const Value *Pointer = Call.getArgOperand(Row.Pointer);
    if (Row.Bytes)
      add(Call, Pointer, AccessKind::Read, Row.Bytes);
    else
      addTyped(Call, Pointer, AccessKind::Read, Call.getType());
    return true;
  }
  return false;
}

void Collector::visitMemory(const MemIntrinsic &Copy) {
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  const auto *Transfer = dyn_cast<MemTransferInst>(&Copy);
  auto Add = [&](const Value *Pointer, AccessKind Kind) {
    if (!Length || Length->getValue().ugt(UINT32_MAX))
      addLoose(Copy, Pointer, Kind, ReasonKind::SizeUnknown, Copy.getLength());
    else if (!Length->isZero())
      add(Copy, Pointer, Kind, Length->getZExtValue());
  };
  if (Transfer)
    Add(Transfer->getRawSource(), AccessKind::Read);
  Add(Copy.getRawDest(), AccessKind::Write);
}

void Collector::visitArguments(const CallBase &Call) {
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    const Value *Pointer = Call.getArgOperand(I);
    if (Pointer->getType()->isVectorTy() &&
        Pointer->getType()->isPtrOrPtrVectorTy())
      return addAnywhere(Call, ReasonKind::PointerUnknown, "");
    if (!Pointer->getType()->isPointerTy() || Call.doesNotAccessMemory(I))
      continue;
    if (!Call.onlyWritesMemory(I))
      addLoose(Call, Pointer, AccessKind::Read, ReasonKind::ArgumentByCallee);
    if (!Call.onlyReadsMemory(I))
      addLoose(Call, Pointer, AccessKind::Write, ReasonKind::ArgumentByCallee);
  }
}

/// Turns what a call may touch into accesses of the kernel.
class CallAccesses {
public:
  explicit CallAccesses(std::vector<RawAccess> &Found) : Found(Found) {}

  void add(const CallBase &Call) {
    CallSummary Summary = Summaries.of(Call);
    const Function *Callee = Call.getCalledFunction();
    std::string Name = Callee ? demangle(Callee->getName()) : "";
    Rejection Inside = {ReasonKind::CallReaches, Name};
    for (unsigned I = 0; I < Summary.Parameters.size(); ++I)
      addKinds(Call, Call.getArgOperand(I), Summary.Parameters[I], Inside);
    for (const auto &[Global, Kinds] : Summary.Globals)
      addKinds(Call, Global, Kinds, Inside);
    addKinds(Call, nullptr, Summary.Anywhere, Summary.Why);
  }

private:
  void addKinds(const CallBase &Call, const Value *Pointer, KindSet Kinds,
                const Rejection &Why) {
    for (AccessKind Kind :
         {AccessKind::Read, AccessKind::Write, AccessKind::Atomic})
      if (Kinds.has(Kind))
        Found.push_back({&Call, Pointer, Kind, 0, nullptr, Why});
  }

  std::vector<RawAccess> &Found;
  CallSummaries Summaries;
};

} // namespace

void collectOwnAccesses(const Function &F,
                        function_ref<void(const RawAccess &)> OnAccess,
                        function_ref<void(const CallBase &)> OnCall) {
  Collector Accesses(F, OnAccess, OnCall);
  for (const BasicBlock *Block :
       ReversePostOrderTraversal<const Function *>(&F))
    for (const Instruction &I : *Block)
      Accesses.visit(I);
}

std::vector<RawAccess> collectAccesses(const Function &F) {
  std::vector<RawAccess> Found;
  CallAccesses Calls(Found);
  collectOwnAccesses(
      F, [&](const RawAccess &A) { Found.push_back(A); },
      [&](const CallBase &Call) { Calls.add(Call); });
  return Found;
}

} // namespace blockmaestro
