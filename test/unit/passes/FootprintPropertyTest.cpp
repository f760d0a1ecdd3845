// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The property every footprint must have, on random IR of 8, 16 and 32 bits:
// what a block really touches is inside its footprint, and is all of it when
// that is exact. test/soundness has the same for random CUDA.

#include "FootprintText.h"
#include "Footprints.h"
#include "Instance.h"
#include "RandomKernel.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace blockmaestro;
using namespace blockmaestro::randomir;
using soundness::AccessBytes;
using soundness::Bytes;
using soundness::Instance;
using soundness::Meaning;

namespace {

struct Tally {
  unsigned Exact = 0, Bounded = 0, Widened = 0, Allocation = 0;
};

ModuleRecord analyze(const std::string &Text) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Error;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(Text, Error, Context);
  EXPECT_TRUE(M) << Error.getMessage().str() << "\n" << Text;
  auto Record = analyzeDeviceModule(*M, /*Relocatable=*/false);
  EXPECT_TRUE(bool(Record));
  return std::move(*Record);
}

/// The launch as a record of the kernel sees it; the pointers are all null.
Launch launchOf(const KernelRecord &R, const RandomLaunch &L,
                unsigned Pointers) {
  Launch Out;
  Out.Kernel = &R;
  Out.Grid = L.Grid;
  Out.Block = L.Block;
  Out.Arguments.resize(R.ArgumentBytes);
  for (unsigned I = 0; I < 2; ++I) {
    const Parameter &P = R.Parameters[Pointers + I];
    std::memcpy(Out.Arguments.data() + P.Offset, &L.Scalars[I], P.Bytes);
  }
  return Out;
}

/// What the accesses through one pointer say of one block.
struct Said {
  Bytes All, Exact;
  bool Whole = false, Degraded = false, Inexact = false;
};

Said saidOf(const Instance &Here, const Footprint &F, unsigned Pointer,
            Dim3 Block) {
  Said Out;
  for (const Access &A : F.Accesses) {
    if (A.Base.Kind != RootKind::Argument || A.Base.Argument != Pointer)
      continue;
    AccessBytes Is = Here.bytes(A, Block);
    Out.Whole |= Is.How != Meaning::Points;
    Out.Degraded |= Is.How != Meaning::Points && A.How <= Exactness::Bounded;
    Out.Inexact |= A.How != Exactness::Exact;
    Out.All.add(Is.Set);
    if (A.How == Exactness::Exact && !Is.Loose)
      Out.Exact.add(Is.Set);
  }
  Out.All.normalise();
  Out.Exact.normalise();
  return Out;
}

/// Compares pointer Pointer of every block of L with the truth.
void check(const RandomKernel &Kernel, const KernelRecord &R,
           const RandomLaunch &L, unsigned Pointer, Tally &Count) {
  Launch Made = launchOf(R, L, Kernel.accesses());
  Instance Here(R.Bytes, Made);
  Said Last;
  for (uint64_t B = 0; B < L.Grid.count(); ++B) {
    auto Touched = Kernel.run(L, B);
    Bytes True;
    for (int64_t Offset : Touched[Pointer])
      True.add(Offset, Offset);
    True.normalise();
    Last = saidOf(Here, R.Bytes, Pointer, blockOf(B, L.Grid));
    auto Missing = True.firstOutside(Last.All);
    ASSERT_TRUE(Last.Whole || !Missing)
        << "pointer " << Pointer << " block " << B << " misses " << *Missing
        << " scalars " << L.Scalars[0] << " " << L.Scalars[1];
    auto Surplus = Last.Exact.firstOutside(True);
    ASSERT_FALSE(Surplus) << "pointer " << Pointer << " block " << B
                          << " does not touch " << *Surplus << " scalars "
                          << L.Scalars[0] << " " << L.Scalars[1];
  }
  ++(Last.Degraded  ? Count.Widened
     : Last.Whole   ? Count.Allocation
     : Last.Inexact ? Count.Bounded
                    : Count.Exact);
}

} // namespace

TEST(FootprintProperty, NeverSmallerThanTheTruthAndEqualWhenExact) {
  Tally Count;
  for (uint32_t Seed = 0; Seed < 400; ++Seed) {
    RandomKernel Kernel(Seed);
    ModuleRecord Record = analyze(Kernel.text());
    ASSERT_EQ(Record.Kernels.size(), 1u);
    SCOPED_TRACE("seed " + std::to_string(Seed) + "\n" + Kernel.text() +
                 toText(Record.Kernels[0]));
    for (unsigned I = 0; I < 3; ++I) {
      RandomLaunch L = Kernel.launch();
      for (unsigned Pointer = 0; Pointer < Kernel.accesses(); ++Pointer)
        check(Kernel, Record.Kernels[0], L, Pointer, Count);
    }
    if (HasFatalFailure())
      return;
  }
  RecordProperty("exact", std::to_string(Count.Exact));
  RecordProperty("bounded", std::to_string(Count.Bounded));
  RecordProperty("widened", std::to_string(Count.Widened));
  RecordProperty("allocation", std::to_string(Count.Allocation));
  EXPECT_GT(Count.Exact, 800u);
  EXPECT_GT(Count.Widened, 20u);
}

TEST(FootprintProperty, SameTextTwice) {
  for (uint32_t Seed = 0; Seed < 20; ++Seed) {
    std::string Text = RandomKernel(Seed).text();
    EXPECT_EQ(toText(analyze(Text).Kernels[0]),
              toText(analyze(Text).Kernels[0]));
  }
}
