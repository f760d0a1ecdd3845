// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The property every footprint must have, on random kernels: what a block
// really touches is inside its footprint, and is all of it when that is exact.

#include "FootprintText.h"
#include "Footprints.h"
#include "RandomKernel.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

using Offsets = std::set<int64_t>;

/// The numbers of one thread, one block and one iteration of every loop.
struct Point {
  Dim3 Thread, Block;
  std::vector<int64_t> Counters;
};

class Instance {
public:
  Instance(const Footprint &F, const RandomLaunch &L, unsigned Pointers)
      : F(F), L(L), Pointers(Pointers) {}

  /// The bytes of A in block B; Sound is cleared when an assumption fails.
  Offsets bytes(const Access &A, uint64_t B, bool &Sound) const {
    Offsets Found;
    for (uint64_t T = 0; T < L.Block.count(); ++T) {
      Point P{blockOf(T, L.Block), blockOf(B, L.Grid), {}};
      P.Counters.resize(F.CounterExtents.size());
      visit(A, P, 0, Found, Sound);
    }
    return Found;
  }

private:
  int64_t value(const Symbol &S, const Point &P) const {
    switch (S.Kind) {
    case SymbolKind::ThreadIdx:
      return P.Thread[S.Dimension];
    case SymbolKind::BlockIdx:
      return P.Block[S.Dimension];
    case SymbolKind::BlockDim:
      return L.Block[S.Dimension];
    case SymbolKind::GridDim:
      return L.Grid[S.Dimension];
    case SymbolKind::Argument:
      return L.Scalars[S.Index - Pointers];
    case SymbolKind::Counter:
      return P.Counters[S.Index];
    default:
      ADD_FAILURE() << "not made by this generator";
    }
    return 0;
  }

  int64_t value(const Polynomial &Sum, const Point &P) const {
    int64_t Total = 0;
    for (const Monomial &M : Sum.Terms) {
      int64_t Product = M.Coefficient;
      for (uint16_t Factor : M.Factors)
        Product *= value(F.Symbols[Factor], P);
      Total += Product;
    }
    return Total;
  }

  bool usesCounter(const Access &A, size_t Counter) const {
    std::vector<const Polynomial *> All{&A.Offset};
    for (const Constraint &C : A.Domain)
      All.push_back(&C.Value);
    for (const Assumption &S : A.Assumptions)
      All.push_back(&S.Value);
    for (size_t I = Counter + 1; I < F.CounterExtents.size(); ++I)
      if (usesCounter(A, I))
        All.push_back(&F.CounterExtents[I]);
    for (const Polynomial *Sum : All)
      for (const Monomial &M : Sum->Terms)
        for (uint16_t Factor : M.Factors)
          if (F.Symbols[Factor].Kind == SymbolKind::Counter &&
              F.Symbols[Factor].Index == Counter)
            return true;
    return false;
  }

  void visit(const Access &A, Point &P, size_t Counter, Offsets &Found,
             bool &Sound) const {
    if (Counter == F.CounterExtents.size())
      return add(A, P, Found, Sound);
    bool Used = usesCounter(A, Counter);
    int64_t Count = Used ? value(F.CounterExtents[Counter], P) : 1;
    // A loop that does not run hides the points at which an assumption about
    // its length would fail, so those are looked at once more.
    if (Count <= 0)
      checkAssumptions(A, P, Sound);
    for (P.Counters[Counter] = 0; P.Counters[Counter] < Count;
         ++P.Counters[Counter])
      visit(A, P, Counter + 1, Found, Sound);
    P.Counters[Counter] = 0;
  }

  void checkAssumptions(const Access &A, const Point &P, bool &Sound) const {
    for (const Assumption &S : A.Assumptions) {
      int64_t V = value(S.Value, P);
      int64_t Half = int64_t(1) << (S.Bits - 1);
      if (S.Bits < 62)
        Sound &= S.Signed ? V >= -Half && V < Half : V >= 0 && V < Half * 2;
    }
  }

  void add(const Access &A, const Point &P, Offsets &Found, bool &Sound) const {
    checkAssumptions(A, P, Sound);
    for (const Constraint &C : A.Domain) {
      int64_t V = value(C.Value, P);
      if (C.Equality ? V != 0 : V < 0)
        return;
    }
    int64_t First = value(A.Offset, P);
    for (uint32_t I = 0; I < A.ElementBytes; ++I)
      Found.insert(First + I);
  }

  const Footprint &F;
  const RandomLaunch &L;
  unsigned Pointers;
};

struct Tally {
  unsigned Exact = 0, Bounded = 0, Widened = 0, Allocation = 0;
};

ModuleRecord analyze(const std::string &Text) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Error;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(Text, Error, Context);
  EXPECT_TRUE(M) << Error.getMessage().str() << "\n" << Text;
  auto Record = analyzeDeviceModule(*M);
  EXPECT_TRUE(bool(Record));
  return std::move(*Record);
}

/// Compares pointer Pointer of every block of L with the truth.
void check(const RandomKernel &Kernel, const Footprint &F,
           const RandomLaunch &L, unsigned Pointer, Tally &Count) {
  const Access *A = nullptr;
  for (const Access &Candidate : F.Accesses)
    if (Candidate.Base.Kind == RootKind::Argument &&
        Candidate.Base.Argument == Pointer)
      A = &Candidate;
  if (A && A->How == Exactness::Allocation) {
    ++Count.Allocation;
    return;
  }
  Instance Numbers(F, L, Kernel.accesses());
  bool Sound = true;
  std::map<uint64_t, Offsets> Said;
  for (uint64_t B = 0; A && B < L.Grid.count(); ++B)
    Said[B] = Numbers.bytes(*A, B, Sound);
  if (!Sound) {
    ++Count.Widened;
    return;
  }
  for (uint64_t B = 0; B < L.Grid.count(); ++B) {
    Offsets True = Kernel.run(L, B)[Pointer];
    for (int64_t Offset : True)
      ASSERT_TRUE(Said[B].count(Offset))
          << "pointer " << Pointer << " block " << B << " misses " << Offset
          << " scalars " << L.Scalars[0] << " " << L.Scalars[1];
    if (!A || A->How == Exactness::Exact) {
      ASSERT_EQ(True, Said[B]) << "pointer " << Pointer << " block " << B;
    }
  }
  ++(A && A->How == Exactness::Bounded ? Count.Bounded : Count.Exact);
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
        check(Kernel, Record.Kernels[0].Bytes, L, Pointer, Count);
    }
    if (HasFatalFailure())
      return;
  }
  RecordProperty("exact", std::to_string(Count.Exact));
  RecordProperty("bounded", std::to_string(Count.Bounded));
  RecordProperty("widened", std::to_string(Count.Widened));
  RecordProperty("allocation", std::to_string(Count.Allocation));
  EXPECT_GT(Count.Exact, 800u);
  EXPECT_GT(Count.Bounded, 200u);
  EXPECT_GT(Count.Widened, 20u);
}

TEST(FootprintProperty, SameTextTwice) {
  for (uint32_t Seed = 0; Seed < 20; ++Seed) {
    std::string Text = RandomKernel(Seed).text();
    EXPECT_EQ(toText(analyze(Text).Kernels[0]),
              toText(analyze(Text).Kernels[0]));
  }
}
