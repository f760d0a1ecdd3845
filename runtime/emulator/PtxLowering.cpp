// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxLowering.h"

#include "PtxCode.h"
#include "PtxOpcodes.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr StringRef RefusedAttribute = "bm-refused";

const StringMap<PtxHandler> &handlers() {
  static const StringMap<PtxHandler> All = [] {
    StringMap<PtxHandler> Map;
    for (ArrayRef<PtxRow> Rows :
         {ptxArithmeticRows(), ptxIntegerRows(), ptxBitRows(), ptxCompareRows(),
          ptxConvertRows(), ptxMemoryRows(), ptxAtomicRows(), ptxWarpRows(),
          ptxVideoRows(), ptxMbarrierRows(), ptxTextureRows(), ptxMatrixRows()})
      for (const PtxRow &Row : Rows)
        Map[Row.Base] = Row.Handler;
    return Map;
  }();
  return All;
}

/// "instruction 'tex.2d...'"
std::string nameOf(const PtxStatement &S) {
  switch (S.Kind) {
  case PtxStatementKind::Declaration:
    return "declaration '.reg ." + S.opcode() + "'";
  case PtxStatementKind::Label:
    return "label '" + S.Names[0] + "'";
  default:
    return "instruction '" + S.opcode() + "'";
  }
}

/// "contains the PTX instruction 'tex.2d...' (a texture read)".
std::string describe(const PtxStatement &S, StringRef Why) {
  const PtxOpcode *Row = S.Kind == PtxStatementKind::Instruction
                             ? findPtxOpcode(S.Words)
                             : nullptr;
  std::string Words = "contains the PTX " + nameOf(S);
  if (Row && *Row->Words)
    return Words + " (" + Row->Words + ")";
  if (!Why.empty())
    Words += (" (" + Why + " is not understood)").str();
  return Words;
}

/// Lowers one instruction, which runs always.
void lowerInstruction(PtxCode &C, const PtxStatement &S) {
  PtxInstruction I(S);
  auto Handler = handlers().find(I.Base);
  if (Handler == handlers().end())
    return C.refuse();
  Handler->second(C, I);
  if (!I.Words.empty())
    C.refuse("'." + I.Words.front().str() + "'");
}

void declareRegisters(PtxCode &C, const PtxStatement &S) {
  std::optional<PtxType> Type = parsePtxType(S.Words.front());
  if (!Type)
    return C.refuse("the type of a register");
  for (const std::string &Name : S.Names)
    C.declare(Name, *Type);
}

/// Lowers an instruction that runs when its guard says so.
void lowerGuarded(PtxCode &C, const PtxStatement &S) {
  Value *Set = C.readPredicate(S.Guard);
  BasicBlock *From = C.B.GetInsertBlock();
  BasicBlock *After = C.makeBlock("ptx.after");
  BasicBlock *Then = C.makeBlock("ptx.then");
  BranchInst::Create(Then, After, Set, From);
  C.B.SetInsertPoint(Then);
  lowerInstruction(C, S);
  C.B.CreateBr(After);
  C.B.SetInsertPoint(After);
}

void lowerStatement(PtxCode &C, const PtxStatement &S) {
  switch (S.Kind) {
  case PtxStatementKind::Declaration:
    return declareRegisters(C, S);
  case PtxStatementKind::Label: {
    BasicBlock *Block = C.label(S.Names[0]);
    C.B.CreateBr(Block);
    Block->moveAfter(C.B.GetInsertBlock());
    C.B.SetInsertPoint(Block);
    return;
  }
  case PtxStatementKind::ScopeBegin:
    return C.openScope();
  case PtxStatementKind::ScopeEnd:
    return C.closeScope();
  case PtxStatementKind::Instruction:
    return S.Guarded ? lowerGuarded(C, S) : lowerInstruction(C, S);
  }
}

/// Lowers \p Statements in their order; the first that cannot be, or null.
const PtxStatement *lowerAll(PtxCode &C,
                             const std::vector<PtxStatement> &Statements) {
  for (const PtxStatement &S : Statements) {
    if (S.Kind == PtxStatementKind::Label)
      C.declareLabel(S.Names[0]);
    if (C.refused())
      return &S;
  }
  for (const PtxStatement &S : Statements) {
    lowerStatement(C, S);
    if (C.refused())
      return &S;
  }
  return nullptr;
}

/// A statement without text keeps the compiler from moving memory accesses.
bool lowerEmpty(CallInst &Asm) {
  if (!Asm.getType()->isVoidTy())
    return false;
  if (cast<InlineAsm>(Asm.getCalledOperand())->hasSideEffects())
    IRBuilder<>(&Asm).CreateFence(AtomicOrdering::SequentiallyConsistent,
                                  SyncScope::SingleThread);
  Asm.eraseFromParent();
  return true;
}

/// Takes the code made so far away again.
void abandon(PtxCode &C, BasicBlock &Head, BasicBlock &Tail) {
  for (BasicBlock *Block : C.blocks())
    Block->dropAllReferences();
  for (BasicBlock *Block : C.blocks())
    Block->eraseFromParent();
  Head.getTerminator()->eraseFromParent();
  BranchInst::Create(&Tail, &Head);
}

/// Lowers \p Statements in place of \p Asm, which is the first instruction of
/// its block. Why not; empty when it has been done.
std::string lowerStatements(CallInst &Asm, BasicBlock &Head,
                            const std::vector<PtxStatement> &Statements) {
  BasicBlock &Tail = *Asm.getParent();
  IRBuilder<> B(Asm.getContext());
  B.SetCurrentDebugLocation(Asm.getDebugLoc());
  PtxCode C(Asm, B);
  Head.getTerminator()->setSuccessor(0, B.GetInsertBlock());
  const PtxStatement *Refused = lowerAll(C, Statements);
  if (Refused) {
    abandon(C, Head, Tail);
    return describe(*Refused, C.why());
  }
  Value *Result = C.result();
  B.CreateBr(&Tail);
  if (Result)
    Asm.replaceAllUsesWith(Result);
  Asm.eraseFromParent();
  return "";
}

bool isBrace(const PtxStatement &S) {
  return S.Kind == PtxStatementKind::ScopeBegin ||
         S.Kind == PtxStatementKind::ScopeEnd;
}

/// Lowers \p Asm or marks it with the reason why not.
void lowerCall(CallInst &Asm) {
  std::string Text(cast<InlineAsm>(Asm.getCalledOperand())->getAsmString());
  Result<std::vector<PtxStatement>> Statements = readPtx(Text);
  std::string Why;
  if (!Statements.ok())
    Why = "contains inline assembly that is not understood: " +
          Statements.status().message();
  else if (all_of(*Statements, isBrace) && lowerEmpty(Asm))
    return;
  if (Why.empty()) {
    BasicBlock *Head = Asm.getParent();
    BasicBlock *Tail = SplitBlock(Head, &Asm);
    Why = lowerStatements(Asm, *Head, *Statements);
    if (!Why.empty())
      MergeBlockIntoPredecessor(Tail);
  }
  if (!Why.empty())
    Asm.addFnAttr(Attribute::get(Asm.getContext(), RefusedAttribute, Why));
}

} // namespace

void lowerInlineAsm(Module &M) {
  for (Function &F : M) {
    SmallVector<CallInst *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
        Calls.push_back(Call);
    for (CallInst *Call : Calls)
      lowerCall(*Call);
    if (!Calls.empty())
      EliminateUnreachableBlocks(F);
  }
}

std::string whyAsmRefused(const CallBase &Asm) {
  Attribute Why = Asm.getFnAttr(RefusedAttribute);
  return Why.isValid() ? Why.getValueAsString().str()
                       : "contains inline assembly";
}

} // namespace blockmaestro
