// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `i = blockIdx.x * blockDim.x + threadIdx.x + Shift; if (i P Limit) Out[x] =
// i` for every comparison P, where the sum wraps around and where it does not.

#include "BlockContext.h"
#include "BlockFunction.h"
#include "ContextCode.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

using namespace blockmaestro;
using namespace llvm;

namespace {

constexpr unsigned Threads = 40;

struct GuardArguments {
  uint32_t *Out;
  uint32_t Limit;
};

/// The kernel above, as Retarget leaves it.
Function *emitGuarded(Module &M, CmpInst::Predicate P, int Shift) {
  IRBuilder<> B(M.getContext());
  Type *Int = B.getInt32Ty();
  auto *FT =
      FunctionType::get(B.getVoidTy(), {B.getPtrTy(), Int, Int, Int}, false);
  auto *F = Function::Create(FT, GlobalValue::InternalLinkage, "bm.body", M);
  auto New = [&](const char *Name) {
    return BasicBlock::Create(M.getContext(), Name, F);
  };
  BasicBlock *Entry = New("entry"), *Pass = New("pass"), *End = New("end");
  B.SetInsertPoint(Entry);
  Value *Context = F->getArg(0);
  auto Field = [&](Type *T, uint64_t Offset) {
    return loadConstant(B, T, Context, Offset);
  };
  Value *First = B.CreateMul(Field(Int, offsetof(BlockContext, Index)),
                             Field(Int, offsetof(BlockContext, Block)));
  Value *I = B.CreateAdd(B.CreateAdd(First, F->getArg(1)), B.getInt32(Shift));
  Value *Packed = Field(B.getPtrTy(), offsetof(BlockContext, Arguments));
  Value *Limit = loadConstant(B, Int, Packed, offsetof(GuardArguments, Limit));
  B.CreateCondBr(B.CreateICmp(P, I, Limit), Pass, End);
  B.SetInsertPoint(Pass);
  Value *Out = loadConstant(B, B.getPtrTy(), Packed, 0);
  B.CreateStore(I, B.CreateInBoundsGEP(Int, Out, F->getArg(1)));
  B.CreateBr(End);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  return F;
}

bool compares(CmpInst::Predicate P, uint32_t L, uint32_t R) {
  return ICmpInst::compare(APInt(32, L), APInt(32, R), P);
}

/// Runs the block that begins at \p First against every limit near it.
void checkBlock(void (*Run)(BlockContext *), CmpInst::Predicate P, int Shift,
                uint32_t Index) {
  uint32_t From = Index * Threads + Shift;
  for (uint32_t Limit :
       {From - 1, From, From + 1, From + 17, From + Threads - 1, From + Threads,
        0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    std::vector<uint32_t> Out(Threads, 77), Want(Threads, 77);
    for (uint32_t T = 0; T < Threads; ++T)
      if (compares(P, From + T, Limit))
        Want[T] = From + T;
    GuardArguments Arguments{Out.data(), Limit};
    BlockContext Context{};
    Context.Arguments = reinterpret_cast<const uint8_t *>(&Arguments);
    Context.Block[0] = Threads;
    Context.Block[1] = Context.Block[2] = 1;
    Context.Index[0] = Index;
    Run(&Context);
    ASSERT_EQ(Out, Want) << CmpInst::getPredicateName(P).str() << " limit "
                         << Limit << " from " << From;
  }
}

TEST(GuardsTest, ThreadsThatPassAreTheOnesThatRun) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto Jit = cantFail(orc::LLJITBuilder().create());
  unsigned Number = 0;
  for (CmpInst::Predicate P : ICmpInst::predicates())
    for (int Shift : {0, -1, 3}) {
      std::string Name = "block" + std::to_string(Number++);
      auto Context = std::make_unique<LLVMContext>();
      auto M = std::make_unique<Module>("guarded", *Context);
      M->setDataLayout(Jit->getDataLayout());
      makeBlockFunction(*emitGuarded(*M, P, Shift), Name);
      cantFail(Jit->addIRModule(
          orc::ThreadSafeModule(std::move(M), std::move(Context))));
      auto *Run = cantFail(Jit->lookup(Name)).toPtr<void (*)(BlockContext *)>();
      for (uint32_t Index : {0u, 1u, 1000u, 0x7fffffffu / Threads,
                             0x80000000u / Threads + 1, 0xffffffffu / Threads})
        checkBlock(Run, P, Shift, Index);
    }
}

} // namespace
