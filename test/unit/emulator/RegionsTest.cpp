// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with barriers, run as regions and interpreted step by step.
// BM_REGION_SEEDS sets how many (60).

#include "BarrierProgram.h"

#include "BlockContext.h"
#include "BlockFunction.h"
#include "WarpCalls.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>

using namespace blockmaestro;

namespace {

using BlockCode = void (*)(BlockContext *);

/// Compiles block functions one after another.
class RegionsTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  }
  void SetUp() override {
    auto Quick = llvm::orc::JITTargetMachineBuilder::detectHost();
    ASSERT_TRUE(bool(Quick));
    Quick->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
    auto Made = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(*Quick))
                    .create();
    ASSERT_TRUE(bool(Made)) << llvm::toString(Made.takeError());
    Jit = std::move(*Made);
    auto Host = llvm::orc::JITTargetMachineBuilder::detectHost();
    ASSERT_TRUE(bool(Host));
    auto Machine = Host->createTargetMachine();
    ASSERT_TRUE(bool(Machine));
    Target = std::move(*Machine);
    llvm::cantFail(Jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(
        {{Jit->mangleAndIntern("bm_lanes"),
          {llvm::orc::ExecutorAddr::fromPtr(bm_lanes),
           llvm::JITSymbolFlags::Exported}}})));
  }

  BlockCode compile(const BarrierProgram &P, BlockShape Shape, bool Optimized,
                    unsigned Seed, bool OfWarps = false);
  void compare(unsigned Seed, unsigned Divergence, bool Optimized);
  bool compareWarps(unsigned Seed, unsigned Divergence, bool Optimized);

  std::unique_ptr<llvm::orc::LLJIT> Jit;
  std::unique_ptr<llvm::TargetMachine> Target;
};

void optimize(llvm::Module &M, llvm::TargetMachine &Target) {
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CAM;
  llvm::ModuleAnalysisManager MAM;
  llvm::PassBuilder Builder(&Target);
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CAM, MAM);
  Builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(M, MAM);
}

BlockCode RegionsTest::compile(const BarrierProgram &P, BlockShape Shape,
                               bool Optimized, unsigned Seed, bool OfWarps) {
  std::string Name = "block" + std::to_string(Seed);
  auto Context = std::make_unique<llvm::LLVMContext>();
  auto M = std::make_unique<llvm::Module>("program", *Context);
  M->setDataLayout(Jit->getDataLayout());
  M->setTargetTriple(Jit->getTargetTriple());
  llvm::Function &Body = *emitBody(*M, P);
  if (!OfWarps)
    makeBlockFunction(Body, Name, Shape);
  else if (!makeBlockFunctionOfWarps(Body, Name, Shape))
    return nullptr;
  std::string Why;
  llvm::raw_string_ostream Stream(Why);
  if (llvm::verifyModule(*M, &Stream)) {
    ADD_FAILURE() << "seed " << Seed << ": " << Why << P.text();
    return nullptr;
  }
  if (Optimized)
    optimize(*M, *Target);
  llvm::cantFail(Jit->addIRModule(
      llvm::orc::ThreadSafeModule(std::move(M), std::move(Context))));
  auto Address = Jit->lookup(Name);
  if (!Address) {
    ADD_FAILURE() << llvm::toString(Address.takeError());
    return nullptr;
  }
  return Address->toPtr<BlockCode>();
}

/// Memory for the frames of one block.
struct BlockMemory {
  std::vector<std::unique_ptr<uint64_t[]>> Parts;

  static void *allocate(BlockContext *Context, uint64_t Bytes) {
    auto &Parts = static_cast<BlockMemory *>(Context->Arena)->Parts;
    Parts.push_back(std::make_unique<uint64_t[]>(Bytes / 8 + 16));
    std::memset(Parts.back().get(), 0xA5, Bytes + 128);
    auto At = reinterpret_cast<uintptr_t>(Parts.back().get());
    return reinterpret_cast<void *>((At + FrameAlignment - 1) / FrameAlignment *
                                    FrameAlignment);
  }
};

struct ProgramArguments {
  uint32_t *Out;
  uint32_t Parameters[ProgramParameters];
};

/// Runs \p Code once; what its threads leave.
std::vector<uint32_t> runBlock(BlockCode Code, BlockShape Shape,
                               ProgramArguments &Arguments) {
  unsigned Threads = Shape.threads();
  std::vector<uint32_t> Out(Threads * ProgramVariables, ~0u);
  Arguments.Out = Out.data();
  std::vector<uint32_t> Shared(2 * Threads);
  BlockMemory Memory;
  BlockContext Context{};
  Context.Arguments = reinterpret_cast<const uint8_t *>(&Arguments);
  Context.Shared = reinterpret_cast<uint8_t *>(Shared.data());
  Context.Allocate = BlockMemory::allocate;
  Context.Arena = &Memory;
  for (unsigned D = 0; D < 3; ++D)
    Context.Block[D] = Shape.Extent[D];
  Code(&Context);
  return Out;
}

void RegionsTest::compare(unsigned Seed, unsigned Divergence, bool Optimized) {
  std::mt19937 Random(Seed);
  BarrierProgram P = randomProgram(Random, Divergence);
  BlockShape Shape{{1 + unsigned(Random() % 37), 1 + unsigned(Random() % 3),
                    1 + unsigned(Random() % 2)}};
  BlockCode Run =
      compile(P, Random() % 2 ? Shape : BlockShape{}, Optimized, Seed);
  if (!Run)
    return;
  unsigned Threads = Shape.threads();
  ProgramArguments Arguments{};
  for (uint32_t &Parameter : Arguments.Parameters)
    Parameter = Random() % 4;
  ASSERT_EQ(runBlock(Run, Shape, Arguments),
            interpret(P, Threads, Arguments.Parameters))
      << "seed " << Seed << ", divergence " << Divergence << ", optimized "
      << Optimized << ", " << Threads << " threads\n"
      << P.text();
}

/// The shape of a block whose rows end with warps or do not.
BlockShape randomShape(std::mt19937 &Random) {
  static constexpr unsigned Widths[] = {32, 64, 96, 1, 31, 33, 40, 100};
  return {{Widths[Random() % std::size(Widths)], 1 + unsigned(Random() % 3),
           1 + unsigned(Random() % 2)}};
}

/// Whether the program with steps of warps could be compiled.
bool RegionsTest::compareWarps(unsigned Seed, unsigned Divergence,
                               bool Optimized) {
  std::mt19937 Random(Seed);
  BarrierProgram P = randomProgram(Random, Divergence, /*OfWarps=*/true);
  BlockShape Shape = randomShape(Random);
  BlockCode Run = compile(P, Shape, Optimized, Seed, /*OfWarps=*/true);
  if (!Run)
    return false;
  ProgramArguments Arguments{};
  for (uint32_t &Parameter : Arguments.Parameters)
    Parameter = Random() % 4;
  auto Right = interpretWarps(P, Shape.threads(), Arguments.Parameters);
  EXPECT_TRUE(Right && runBlock(Run, Shape, Arguments) == *Right)
      << "seed " << Seed << ", divergence " << Divergence << ", optimized "
      << Optimized << ", " << Shape.Extent[0] << " x " << Shape.Extent[1]
      << " x " << Shape.Extent[2] << " threads, "
      << (Right ? "other results\n" : "lanes do not come together\n")
      << P.text();
  return true;
}

unsigned seeds() {
  const char *Text = std::getenv("BM_REGION_SEEDS");
  return Text ? std::atoi(Text) : 60;
}

TEST_F(RegionsTest, WarpsDoAsInterpreted) {
  unsigned Compiled = 0;
  for (unsigned Seed = 0; Seed < seeds() && !HasFailure(); ++Seed)
    Compiled += compareWarps(Seed, Seed % 3 ? 0 : 15, Seed % 8 == 0);
  EXPECT_GE(Compiled, seeds() / 2);
}

TEST_F(RegionsTest, UniformProgramsDoAsInterpreted) {
  for (unsigned Seed = 0; Seed < seeds() && !HasFailure(); ++Seed)
    compare(Seed, 0, Seed % 8 == 0);
}

TEST_F(RegionsTest, ProgramsWithSomeDivergenceDoAsInterpreted) {
  for (unsigned Seed = 0; Seed < seeds() && !HasFailure(); ++Seed)
    compare(Seed, 20, Seed % 8 == 0);
}

TEST_F(RegionsTest, DivergentProgramsDoAsInterpreted) {
  for (unsigned Seed = 0; Seed < seeds() && !HasFailure(); ++Seed)
    compare(Seed, 70, Seed % 8 == 0);
}

} // namespace
