// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What warps of kernels do, traced, comes to what the same block costs, in each
// of the forms in which a kernel can run.

#include "KernelFixture.h"

#include <algorithm>
#include <vector>

using namespace blockmaestro;

namespace {

struct Sink final : EventSink {
  void blockRan(const Event &, const BlockCost *) override {}
  uint32_t warpsOneIn() const override { return 2; }
  void warpsRan(const BlockTrace &What) override { Traces.push_back(What); }
  std::vector<BlockTrace> Traces;
};

bool hasRegister(const std::vector<uint32_t> &In, uint32_t Number) {
  return std::find(In.begin(), In.end(), Number) != In.end();
}

class WarpTraceTest : public KernelFixture {
protected:
  /// The trace of block 0, held against what it costs without one.
  template <typename... Types>
  BlockTrace trace(const std::string &Kernel, Dim3 Block, Types... Values) {
    Launch L = launch(Kernel, {1}, Block, Values...);
    BlockCost Plain, Traced;
    Device->traceWarps(nullptr);
    EXPECT_TRUE(Device->run(L, 0, 0, &Plain).ok());
    Device->traceWarps(&Told);
    Status Ran = Device->run(L, 0, 0, &Traced);
    EXPECT_TRUE(Ran.ok()) << Ran.message();
    EXPECT_EQ(Plain.globalSectors(), Traced.globalSectors()) << Kernel;
    EXPECT_FALSE(Told.Traces.empty());
    const BlockTrace Out = Told.Traces.back();
    Told.Traces.clear();
    expectCost(Out, Plain, Kernel);
    return Out;
  }

  static void expectCost(const BlockTrace &Of, const BlockCost &Cost,
                         const std::string &Kernel) {
    uint64_t Global = 0, Sectors = 0, Shared = 0, Wavefronts = 0, Barriers = 0;
    for (const auto &Warp : Of.Warps) {
      for (const WarpAccess &A : Warp->Route->Accesses) {
        (A.Shared ? Shared : Global) += A.Count > 0;
        (A.Shared ? Wavefronts : Sectors) += A.Count;
      }
      for (const WarpVisit &V : Warp->Route->Visits)
        for (const WarpInstruction &I : Of.Code->Steps[V.Step].Instructions)
          Barriers += I.Class == WarpClass::Barrier;
    }
    EXPECT_EQ(Global, Cost.globalAccesses()) << Kernel;
    EXPECT_EQ(Sectors, Cost.globalSectors()) << Kernel;
    EXPECT_EQ(Shared, Cost.sharedAccesses()) << Kernel;
    EXPECT_EQ(Wavefronts, Cost.SharedWavefronts) << Kernel;
    EXPECT_EQ(Barriers, Cost.Barriers) << Kernel;
  }

  /// The most reads that a step has one after the other, before any result is
  /// used by an instruction of the class.
  static size_t readsTogether(const BlockTrace &Of,
                              WarpClass Use = WarpClass::Single) {
    size_t Most = 0;
    for (const WarpVisit &V : Of.Warps[0]->Route->Visits) {
      size_t Reads = 0;
      for (const WarpInstruction &I : Of.Code->Steps[V.Step].Instructions) {
        Reads = I.Class == Use ? 0 : Reads + (I.Class == WarpClass::Read);
        Most = std::max(Most, Reads);
      }
    }
    return Most;
  }

  /// How many instructions of a class the first warp has executed.
  static size_t countOf(const BlockTrace &Of, WarpClass Class) {
    size_t Out = 0;
    for (const WarpVisit &V : Of.Warps[0]->Route->Visits)
      for (const WarpInstruction &I : Of.Code->Steps[V.Step].Instructions)
        Out += I.Class == Class;
    return Out;
  }

  Sink Told;
  alignas(256) float In[4096] = {};
  alignas(256) float Out[4096] = {};
};

} // namespace

TEST_F(WarpTraceTest, AKernelOfOneBlockIsAReadThatItsWriteNeeds) {
  const BlockTrace T = trace("strided", {64}, &Out[0], (const float *)In, 2, 0);
  ASSERT_EQ(T.Warps.size(), 2u);
  const WarpPath &P = *T.Warps[0];
  ASSERT_EQ(P.Route->Visits.size(), 1u);
  EXPECT_EQ(P.Route->Visits[0].Lanes, ~0u);
  ASSERT_EQ(P.Route->Accesses.size(), 2u);
  EXPECT_EQ(P.Route->Accesses[0].Count, 8u);
  EXPECT_EQ(P.Route->Accesses[0].Together, 2u) << "every other word";
  EXPECT_EQ(P.Route->Accesses[1].Together, 1u);
  EXPECT_EQ(P.Sectors.front(), uint64_t(In) / 32);
  EXPECT_EQ(P.Sectors.back(), uint64_t(Out) / 32 + 3);
  const auto &Code = T.Code->Steps[P.Route->Visits[0].Step].Instructions;
  const WarpInstruction *Read = nullptr, *Write = nullptr;
  for (const WarpInstruction &I : Code) {
    Read = I.Class == WarpClass::Read ? &I : Read;
    Write = I.Class == WarpClass::Write ? &I : Write;
  }
  ASSERT_TRUE(Read && Write);
  EXPECT_NE(Read->Result, NoRegister);
  EXPECT_EQ(
      std::count(Write->Operands.begin(), Write->Operands.end(), Read->Result),
      1);
}

TEST_F(WarpTraceTest, GuardsLeaveLanesOut) {
  const BlockTrace T =
      trace("guarded", {32}, &Out[0], (const float *)In, int(5));
  ASSERT_GE(T.Warps[0]->Route->Visits.size(), 2u);
  EXPECT_EQ(T.Warps[0]->Route->Visits[1].Lanes, 0x1fu);
}

TEST_F(WarpTraceTest, KernelsWithBarriersComeToWhatTheyCost) {
  trace("banks", {32}, &Out[0], int(1));
  trace("banks", {96}, &Out[0], int(8));
  trace("wideBanks", {64}, &Out[0]);
}

TEST_F(WarpTraceTest, WideAccessesAreOne) {
  trace("wide", {32}, &Out[0], (const float *)In);
  trace("moved", {32}, &Out[0], (const float *)In);
  const BlockTrace T = trace("pieces", {32}, &Out[0], &In[0]);
  EXPECT_EQ(T.Warps[0]->Route->Accesses.size(), 3u);
}

TEST_F(WarpTraceTest, DivergenceLoopsAndFibersComeToWhatTheyCost) {
  trace("votes", {64}, reinterpret_cast<int *>(Out), int(1));
  trace("triangle", {64}, &Out[0], (const float *)In);
  trace("nested", {64}, &Out[0], (const float *)In);
  trace("rotate", {64}, &Out[0], (const float *)In, int(3));
  trace("recursive", {32}, &Out[0], (const float *)In);
  trace("generic", {32}, &Out[0], &In[0], int(0));
  trace("generic", {32}, &Out[0], &In[0], int(32));
}

TEST_F(WarpTraceTest, IterationsOfALoopAreReadTogether) {
  const BlockTrace T = trace("totals", {32}, &Out[0], (const float *)In, 16);
  EXPECT_EQ(readsTogether(T), 8u);
}

TEST_F(WarpTraceTest, OnlyWhatIsInAnotherLoopIsUnrolledTwice) {
  const float *From = &In[0];
  EXPECT_EQ(readsTogether(trace("totals", {32}, &Out[0], From, 64)), 8u);
  EXPECT_GT(readsTogether(trace("totalsOfRows", {32}, &Out[0], From, 2, 64)),
            8u);
}

TEST_F(WarpTraceTest, ReadsPassAtomicsThatDoNotChangeThem) {
  int *Bins = reinterpret_cast<int *>(&Out[0]);
  const int *Of = reinterpret_cast<const int *>(&In[0]);
  EXPECT_EQ(
      readsTogether(trace("sharedBins", {32}, Bins, Of, 16), WarpClass::Atomic),
      4u)
      << "of an iteration that is unrolled by four";
  EXPECT_EQ(
      readsTogether(trace("globalBins", {32}, Bins, Of, 16), WarpClass::Atomic),
      1u);
}

/// How many reads the first step that a warp visits has.
static size_t readsOfFirstStep(const BlockTrace &Of) {
  const auto &Code =
      Of.Code->Steps[Of.Warps[0]->Route->Visits[0].Step].Instructions;
  return size_t(
      std::count_if(Code.begin(), Code.end(), [](const WarpInstruction &I) {
        return I.Class == WarpClass::Read;
      }));
}

TEST_F(WarpTraceTest, ReadsBehindAPredicateAreInFrontOfIt) {
  const int *Keys = reinterpret_cast<const int *>(&In[64]);
  EXPECT_EQ(readsOfFirstStep(
                trace("sumOfEqual", {32}, &Out[0], (const float *)In, Keys)),
            4u);
  EXPECT_EQ(readsOfFirstStep(trace("countEqual", {32},
                                   reinterpret_cast<int *>(&Out[0]), Keys)),
            1u);
}

TEST_F(WarpTraceTest, AReadStaysBehindAWriteThatMayHaveChangedIt) {
  const BlockTrace T = trace("behindWrite", {32}, &Out[0], (const float *)In);
  const auto &Accesses = T.Warps[0]->Route->Accesses;
  ASSERT_EQ(Accesses.size(), 3u);
  EXPECT_EQ(T.Warps[0]->Sectors[0], uint64_t(Out) / 32);
  EXPECT_EQ(T.Warps[0]->Sectors[4], uint64_t(In) / 32);
}

TEST_F(WarpTraceTest, ASmallGuardIsAPredicate) {
  const BlockTrace T =
      trace("guarded", {32}, &Out[0], (const float *)In, int(5));
  EXPECT_EQ(countOf(T, WarpClass::Branch), 1u); // The end of the kernel.
}

TEST_F(WarpTraceTest, DivisionsAreWhatAGpuIssuesForThem) {
  const BlockTrace Floats = trace("ratios", {32}, &Out[0], int(3));
  EXPECT_EQ(countOf(Floats, WarpClass::Approximation), 2u) << "one is a check";
  EXPECT_EQ(countOf(Floats, WarpClass::Single), 5u);
  EXPECT_EQ(countOf(Floats, WarpClass::Branch), 3u) << "and the kernel's end";
  EXPECT_EQ(countOf(Floats, WarpClass::Special), 0u);
  const BlockTrace Rounded = trace("roundedRatios", {32}, &Out[0], int(3));
  EXPECT_EQ(countOf(Rounded, WarpClass::Single), 5u);
  EXPECT_EQ(countOf(Rounded, WarpClass::Special), 0u);
  const BlockTrace Integers =
      trace("remainders", {32}, reinterpret_cast<int *>(Out), int(3));
  EXPECT_EQ(countOf(Integers, WarpClass::Approximation), 1u);
  EXPECT_EQ(countOf(Integers, WarpClass::Conversion), 2u);
  EXPECT_EQ(countOf(Integers, WarpClass::Comparison), 4u);
}

TEST_F(WarpTraceTest, AnApproximationOfPtxIsOneInstructionAndASignIsNone) {
  const BlockTrace T = trace("reciprocals", {32}, &Out[0], int(3));
  EXPECT_EQ(countOf(T, WarpClass::Approximation), 1u);
  EXPECT_EQ(countOf(T, WarpClass::Single), 0u);
}

TEST_F(WarpTraceTest, ADivisionsResultNeedsAllThatMakesIt) {
  const BlockTrace T = trace("ratios", {32}, &Out[0], int(3));
  const auto &Code = T.Code->Steps[T.Warps[0]->Route->Visits[0].Step];
  uint32_t Last = NoRegister;
  size_t Links = 0;
  for (const WarpInstruction &I : Code.Instructions) {
    const bool Begins =
        I.Class == WarpClass::Approximation && I.Result != NoRegister;
    if (!Begins && !(Last != NoRegister && hasRegister(I.Operands, Last)))
      continue;
    Last = I.Result;
    ++Links;
  }
  EXPECT_EQ(Links, 7u) << "an approximation, five products and the write";
}

TEST_F(WarpTraceTest, WhatHas32BitsBecomesAFloatByArithmetic) {
  const BlockTrace T = trace("wholes", {32}, &Out[0], int(3));
  EXPECT_EQ(countOf(T, WarpClass::Conversion), 0u);
}

TEST_F(WarpTraceTest, ALoopsEndIsAComparisonAndAPredicateIsMadeAhead) {
  const BlockTrace Loop = trace("triangle", {32}, &Out[0], (const float *)In);
  EXPECT_GT(countOf(Loop, WarpClass::Comparison), 0u);
  const BlockTrace Guard =
      trace("guarded", {32}, &Out[0], (const float *)In, int(5));
  EXPECT_EQ(countOf(Guard, WarpClass::Comparison), 0u);
}

TEST_F(WarpTraceTest, ThreeNumbersAreAddedAtOnce) {
  const BlockTrace T =
      trace("sums", {32}, reinterpret_cast<int *>(Out), int(3));
  EXPECT_EQ(countOf(T, WarpClass::Integer), 2u) << "of four numbers";
}

TEST_F(WarpTraceTest, AnIndexByAConstantIsPartOfItsAddress) {
  const BlockTrace T = trace("scaled", {32}, &Out[0], (const float *)In);
  EXPECT_EQ(countOf(T, WarpClass::Integer), 0u);
  EXPECT_EQ(countOf(T, WarpClass::Product), 2u);
}

TEST_F(WarpTraceTest, WhatWouldWaitIsPassed) {
  const BlockTrace T = trace("powers", {32}, &Out[0], int(3));
  const auto &Code = T.Code->Steps[T.Warps[0]->Route->Visits[0].Step];
  std::vector<WarpClass> Order;
  for (const WarpInstruction &I : Code.Instructions)
    if (I.Class == WarpClass::Approximation || I.Class == WarpClass::Single)
      Order.push_back(I.Class);
  EXPECT_EQ(Order, (std::vector<WarpClass>{
                       WarpClass::Approximation, WarpClass::Approximation,
                       WarpClass::Single, WarpClass::Single}));
}

TEST_F(WarpTraceTest, ReadsPassNothingThatNeedsOneOfThem) {
  std::vector<float> Numbers(32 * 32);
  const BlockTrace T = trace("manyReads", {32}, &Out[0],
                             const_cast<const float *>(Numbers.data()));
  const WarpVisit &First = T.Warps[0]->Route->Visits[0];
  size_t Reads = 0, Most = 0;
  for (const WarpInstruction &I : T.Code->Steps[First.Step].Instructions) {
    Reads += I.Class == WarpClass::Read;
    if (I.Class == WarpClass::Single && Most == 0)
      Most = Reads;
  }
  EXPECT_EQ(Reads, 32u);
  EXPECT_EQ(Most, 20u) << "registers";
}

TEST_F(WarpTraceTest, WhatNeedsAReadOfTheStepBeforeLetsAReadPass) {
  const BlockTrace T =
      trace("guardedPair", {32}, &Out[0], (const float *)In, int(5));
  const WarpVisit &Last = T.Warps[0]->Route->Visits.back();
  bool Added = false;
  for (const WarpInstruction &I : T.Code->Steps[Last.Step].Instructions) {
    EXPECT_FALSE(Added && I.Class == WarpClass::Read);
    Added |= I.Class == WarpClass::Single;
  }
  EXPECT_TRUE(Added);
}

TEST_F(WarpTraceTest, OnlyEverySecondBlockIsTraced) {
  Launch L =
      launch("strided", {5}, {32}, &Out[0], (const float *)In, int(1), int(0));
  Device->countCosts(true);
  Device->traceWarps(&Told);
  ASSERT_TRUE(Device->prepare(L).ok());
  BlockCost Cost;
  for (uint64_t Block = 0; Block < 5; ++Block)
    ASSERT_TRUE(Device->run(L, Block, 0, &Cost).ok());
  ASSERT_EQ(Told.Traces.size(), 3u);
  EXPECT_EQ(Told.Traces[1].Block, 2u);
}
