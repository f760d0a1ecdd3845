// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxMachine.h"

#include "NvvmLowering.h"
#include "PtxLowering.h"
#include "SoftMath.h"

#include "gtest/gtest.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// The type of an operand with the constraint \p Letter.
Type *typeOf(IRBuilder<> &B, char Letter) {
  switch (Letter) {
  case 'h':
    return B.getInt16Ty();
  case 'l':
    return B.getInt64Ty();
  case 'f':
    return B.getFloatTy();
  case 'd':
    return B.getDoubleTy();
  default:
    return B.getInt32Ty();
  }
}

/// %0 as LLVM writes it: $0.
std::string llvmText(const std::string &Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    bool Escaped = Text[I] == '%' && I + 1 < Text.size() && Text[I + 1] == '%';
    if (Escaped)
      ++I;
    Out += Text[I] == '%' && !Escaped ? '$' : Text[I];
  }
  return Out;
}

/// void NAME(ptr In, ptr Out), whose inputs and outputs are 8 bytes apart.
void makeCase(Module &M, const PtxCase &Case, const std::string &Name) {
  IRBuilder<> B(M.getContext());
  auto *F = Function::Create(
      FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy()}, false),
      GlobalValue::ExternalLinkage, Name, M);
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "", F));
  std::string Constraints;
  SmallVector<Type *> Results;
  for (const std::string &Output : Case.Outputs) {
    Constraints += (Constraints.empty() ? "" : ",") + Output;
    Results.push_back(typeOf(B, Output.back()));
  }
  SmallVector<Value *> Inputs;
  SmallVector<Type *> Types;
  for (const auto &[Constraint, Value] : Case.Inputs) {
    Constraints += (Constraints.empty() ? "" : ",") + Constraint;
    Types.push_back(isDigit(Constraint[0]) ? Results[Constraint[0] - '0']
                                           : typeOf(B, Constraint[0]));
    auto *At =
        B.CreateConstGEP1_64(B.getInt64Ty(), F->getArg(0), Inputs.size());
    bool Known = Constraint == "n";
    Inputs.push_back(Known ? B.getInt32(Value)
                           : (llvm::Value *)B.CreateLoad(Types.back(), At));
  }
  Type *Result = Results.empty() ? B.getVoidTy()
                 : Results.size() == 1
                     ? Results[0]
                     : StructType::get(B.getContext(), Results);
  auto *Asm = InlineAsm::get(FunctionType::get(Result, Types, false),
                             llvmText(Case.Text), Constraints,
                             /*hasSideEffects=*/true);
  Value *Got = B.CreateCall(Asm, Inputs);
  for (unsigned N = 0; N < Results.size(); ++N)
    B.CreateStore(Results.size() == 1 ? Got : B.CreateExtractValue(Got, N),
                  B.CreateConstGEP1_64(B.getInt64Ty(), F->getArg(1), N));
  B.CreateRetVoid();
}

/// Lowers \p M as the emulator does; the statements that were refused.
std::string lower(Module &M) {
  lowerInlineAsm(M);
  std::string Refused;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallInst>(&I)) {
        if (Call->isInlineAsm())
          Refused += F.getName().str() + ": " + whyAsmRefused(*Call) + "\n";
        else
          lowerNvvmArithmetic(*Call);
      }
  return Refused;
}

/// What the generated code calls.
orc::SymbolMap hostSymbols(orc::LLJIT &Jit) {
  orc::SymbolMap Symbols;
  auto Add = [&](const char *Name, auto *Address) {
    Symbols[Jit.mangleAndIntern(Name)] = {orc::ExecutorAddr::fromPtr(Address),
                                          JITSymbolFlags::Exported};
  };
  Add("bm_directed_f64", &bm_directed_f64);
  Add("bm_directed_f64_i64", &bm_directed_f64_i64);
  Add("bm_to_e4m3", &bm_to_e4m3);
  Add("bm_to_e5m2", &bm_to_e5m2);
  Add("bm_from_e4m3", &bm_from_e4m3);
  Add("bm_from_e5m2", &bm_from_e5m2);
  Add("bm_find_nth", &bm_find_nth);
  return Symbols;
}

std::string hex(uint64_t Value) {
  std::string Out;
  raw_string_ostream(Out) << format_hex(Value, 2);
  return Out;
}

void check(const PtxCase &Case, void (*Run)(const uint64_t *, uint64_t *)) {
  std::vector<uint64_t> In;
  for (const auto &[Constraint, Value] : Case.Inputs)
    In.push_back(Value);
  std::vector<uint64_t> Out(Case.Outputs.size() + 1);
  In.push_back(0);
  Run(In.data(), Out.data());
  ASSERT_EQ(Case.Expected.size(), Case.Outputs.size()) << Case.Text;
  for (size_t N = 0; N < Case.Expected.size(); ++N) {
    std::string Inputs;
    for (const auto &[Constraint, Value] : Case.Inputs)
      Inputs += " " + hex(Value);
    EXPECT_EQ(hex(Out[N]), hex(Case.Expected[N]))
        << Case.Text << "\noutput " << N << " of" << Inputs;
  }
}

} // namespace

void runPtxCases(const std::vector<PtxCase> &Cases) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto Context = std::make_unique<LLVMContext>();
  auto M = std::make_unique<Module>("ptx", *Context);
  auto Jit = cantFail(orc::LLJITBuilder().create());
  M->setDataLayout(Jit->getDataLayout());
  for (size_t N = 0; N < Cases.size(); ++N)
    makeCase(*M, Cases[N], "case" + std::to_string(N));
  ASSERT_EQ(lower(*M), "");
  std::string Broken;
  raw_string_ostream OS(Broken);
  ASSERT_FALSE(verifyModule(*M, &OS)) << Broken;
  cantFail(
      Jit->getMainJITDylib().define(orc::absoluteSymbols(hostSymbols(*Jit))));
  cantFail(Jit->addIRModule(
      orc::ThreadSafeModule(std::move(M), std::move(Context))));
  for (size_t N = 0; N < Cases.size(); ++N) {
    auto Address = cantFail(Jit->lookup("case" + std::to_string(N)));
    check(Cases[N], Address.toPtr<void (*)(const uint64_t *, uint64_t *)>());
  }
}

std::string whyPtxRefused(const std::string &Text) {
  LLVMContext Context;
  Module M("ptx", Context);
  makeCase(M, {Text, {}, {}, {}}, "case");
  return lower(M);
}

} // namespace blockmaestro
