// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessCollection.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
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
  explicit Collector(const Function &F) : DL(F.getDataLayout()) {}

  void visit(const Instruction &I);
  std::vector<RawAccess> take() { return std::move(Found); }

private:
  void add(const Instruction &I, const Value *Pointer, AccessKind Kind,
           uint64_t Bytes) {
    Found.push_back({&I, Pointer, Kind, Bytes, nullptr, {}});
  }
  void addTyped(const Instruction &I, const Value *Pointer, AccessKind Kind,
                Type *T) {
    add(I, Pointer, Kind, DL.getTypeStoreSize(T).getFixedValue());
  }
  void addLoose(const Instruction &I, const Value *Pointer, AccessKind Kind,
                ReasonKind Why, const Value *Length = nullptr) {
    Found.push_back({&I, Pointer, Kind, 0, Length, {Why, ""}});
  }
  void addAnywhere(const Instruction &I, ReasonKind Why,
                   const std::string &Detail);
  void visitCall(const CallBase &Call);
  bool visitKnownIntrinsic(const CallBase &Call);
  void visitMemory(const MemIntrinsic &Copy);
  void visitArguments(const CallBase &Call);

  const DataLayout &DL;
  std::vector<RawAccess> Found;
};

template <size_t Count>
bool isNamed(const Function *Callee, const char *const (&Prefixes)[Count]) {
  return Callee && any_of(Prefixes, [&](const char *Prefix) {
           return Callee->getName().starts_with(Prefix);
         });
}

/// Assembly that neither names memory nor is said to touch it. An operand in
/// brackets is memory in PTX, whatever the constraints claim.
bool isHarmlessAssembly(const CallBase &Call) {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  StringRef Text = Asm->getAsmString();
  bool Synchronises = Text.starts_with("bar.") || Text.starts_with("barrier.");
  return !Text.contains('[') && !Text.contains("call") &&
         (Synchronises || Call.doesNotAccessMemory());
}

void Collector::addAnywhere(const Instruction &I, ReasonKind Why,
                            const std::string &Detail) {
  for (AccessKind Kind : {AccessKind::Read, AccessKind::Write})
    Found.push_back({&I, nullptr, Kind, 0, nullptr, {Why, Detail}});
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

void Collector::visitCall(const CallBase &Call) {
  if (Call.isInlineAsm()) {
    if (!isHarmlessAssembly(Call))
      addAnywhere(Call, ReasonKind::InlineAssembly, "");
    return;
  }
  const Function *Callee = Call.getCalledFunction();
  if (isNamed(Callee, DescriptorPrefixes))
    return addAnywhere(Call, ReasonKind::Descriptor, "");
  if (isNamed(Callee, HarmlessPrefixes) || Call.doesNotAccessMemory() ||
      Call.onlyAccessesInaccessibleMemory() || visitKnownIntrinsic(Call))
    return;
  if (!Callee)
    return addAnywhere(Call, ReasonKind::CallIndirect, "");
  if (Call.onlyAccessesArgMemory() ||
      (Callee->isDeclaration() && Callee->getName().starts_with("__nv_")))
    return visitArguments(Call);
  addAnywhere(Call, ReasonKind::CallNotInlined, Callee->getName().str());
}

bool Collector::visitKnownIntrinsic(const CallBase &Call) {
  if (const auto *Copy = dyn_cast<MemIntrinsic>(&Call)) {
    visitMemory(*Copy);
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

} // namespace

std::vector<RawAccess> collectAccesses(const Function &F) {
  Collector Accesses(F);
  for (const BasicBlock *Block :
       ReversePostOrderTraversal<const Function *>(&F))
    for (const Instruction &I : *Block)
      Accesses.visit(I);
  return Accesses.take();
}

} // namespace blockmaestro
