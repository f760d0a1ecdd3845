// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Signatures.h"

#include "BlockContext.h"
#include "KernelSource.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// \p Old with the four parameters before its own.
FunctionType *withThread(FunctionType *Old) {
  LLVMContext &C = Old->getContext();
  Type *Int = Type::getInt32Ty(C);
  SmallVector<Type *> Types = {PointerType::getUnqual(C), Int, Int, Int};
  append_range(Types, Old->params());
  return FunctionType::get(Old->getReturnType(), Types, false);
}

/// \p Old for a function or call that takes four more parameters and reads and
/// writes what the context says. Nothing else is known of it.
AttributeList shifted(LLVMContext &C, AttributeList Old, unsigned Count) {
  SmallVector<AttributeSet> Parameters(LeadingParameters);
  for (unsigned I = 0; I < Count; ++I)
    Parameters.push_back(Old.getParamAttrs(I));
  AttrBuilder Kept(C);
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::Convergent, Attribute::NoReturn})
    if (Old.hasFnAttr(Kind))
      Kept.addAttribute(Kind);
  return AttributeList::get(C, AttributeSet::get(C, Kept), Old.getRetAttrs(),
                            Parameters);
}

class Signatures {
public:
  Signatures(Function &Root, ThreadCode &T)
      : M(*Root.getParent()), Root(Root), T(T) {}

  void run();

private:
  Function *replacement(Function &Old);
  void moveCode(Function &Old, Function &New);
  void exposeAddress(Function &Old);
  void rewriteCalls(Function &F);
  void rewriteCall(CallInst &Call, Function &Caller);

  Module &M;
  Function &Root;
  ThreadCode &T;
  DenseMap<Function *, Function *> New;
};

/// An empty function in the place of \p Old.
Function *Signatures::replacement(Function &Old) {
  bool IsBody = T.IsKernel && &Old == &Root;
  LLVMContext &C = M.getContext();
  FunctionType *Type =
      withThread(IsBody ? FunctionType::get(Old.getReturnType(), false)
                        : Old.getFunctionType());
  auto *F = Function::Create(Type, GlobalValue::InternalLinkage,
                             IsBody ? "bm.body" : "bm." + Old.getName(), M);
  F->setAttributes(
      shifted(C, Old.getAttributes(), IsBody ? 0 : Old.arg_size()));
  F->addFnAttr(Attribute::NoUnwind);
  F->addParamAttr(0, Attribute::NonNull);
  F->addDereferenceableParamAttr(0, sizeof(BlockContext));
  return F;
}

/// Moves the code of \p Old behind an entry block of its own.
void Signatures::moveCode(Function &Old, Function &New) {
  New.splice(New.begin(), &Old);
  New.setSubprogram(Old.getSubprogram());
  Old.setSubprogram(nullptr);
  BasicBlock *Code = &New.getEntryBlock();
  BasicBlock *Entry =
      BasicBlock::Create(M.getContext(), "bm.entry", &New, Code);
  Instruction *Branch = BranchInst::Create(Code, Entry);
  for (Instruction &I : make_early_inc_range(*Code))
    if (auto *Local = dyn_cast<AllocaInst>(&I))
      if (isa<ConstantInt>(Local->getArraySize()))
        I.moveBefore(Branch->getIterator());
  if (T.IsKernel && &Old == &Root)
    return;
  for (Argument &A : Old.args())
    A.replaceAllUsesWith(New.getArg(LeadingParameters + A.getArgNo()));
}

/// Whatever uses \p Old now uses its address: the function that is compiled on
/// its own, or this very one.
void Signatures::exposeAddress(Function &Old) {
  Function *Own = New.lookup(&Old);
  if (!T.IsKernel && &Old == &Root) {
    Own->takeName(&Old);
    Own->setLinkage(GlobalValue::ExternalLinkage);
    Old.replaceAllUsesWith(Own);
    return;
  }
  if (Old.use_empty())
    return;
  std::string Name = Old.getName().str();
  Old.setName("");
  auto *Address = Function::Create(withThread(Old.getFunctionType()),
                                   GlobalValue::ExternalLinkage, Name, M);
  Old.replaceAllUsesWith(Address);
}

/// Makes \p Call pass on the thread of \p Caller.
void Signatures::rewriteCall(CallInst &Call, Function &Caller) {
  Function *Callee = Call.getCalledFunction();
  Value *Target = Callee ? New.lookup(Callee) : Call.getCalledOperand();
  if (!Target || Call.isInlineAsm())
    return;
  SmallVector<Value *> Arguments;
  for (unsigned I = 0; I < LeadingParameters; ++I)
    Arguments.push_back(Caller.getArg(I));
  append_range(Arguments, Call.args());
  auto *Now = CallInst::Create(withThread(Call.getFunctionType()), Target,
                               Arguments, "", Call.getIterator());
  Now->setAttributes(
      shifted(M.getContext(), Call.getAttributes(), Call.arg_size()));
  Now->setDebugLoc(Call.getDebugLoc());
  Now->takeName(&Call);
  Call.replaceAllUsesWith(Now);
  Call.eraseFromParent();
}

void Signatures::rewriteCalls(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      rewriteCall(*Call, F);
}

void Signatures::run() {
  SmallVector<Function *> Defined = {&Root};
  for (Function &F : M)
    if (!F.isDeclaration() && &F != &Root)
      Defined.push_back(&F);
  for (Function *Old : Defined) {
    New[Old] = replacement(*Old);
    T.Functions.push_back(New[Old]);
  }
  T.Body = New[&Root];
  for (Function *Old : Defined)
    moveCode(*Old, *New[Old]);
  for (Function *F : T.Functions)
    rewriteCalls(*F);
  SmallVector<Function *> Olds;
  for (Function &F : M)
    if (isFunctionName(F.getName()) && !(T.IsKernel && &F == &Root))
      Olds.push_back(&F);
  for (Function *Old : Olds) {
    exposeAddress(*Old);
    Old->eraseFromParent();
  }
}

} // namespace

void giveThreadParameters(Function &Root, ThreadCode &T) {
  Signatures(Root, T).run();
}

} // namespace blockmaestro
