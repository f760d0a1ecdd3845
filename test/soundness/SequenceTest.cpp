// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sequences of launches: what is made is defined, what is not is noticed.

#include "Build.h"
#include "Contents.h"
#include "Generate.h"
#include "SequenceJudge.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <array>

using namespace blockmaestro;
using namespace blockmaestro::soundness;

namespace {

constexpr int64_t Middle = 512;

Node arrayNode(unsigned Id, Element Of) {
  Node N = node(Op::Array);
  N.Id = Id;
  N.Of = Of;
  return N;
}

Node intoArray(unsigned Id, Node Index, Element Of = Element::I32) {
  return advance(arrayNode(Id, Of), std::move(Index));
}

/// blockIdx.x * blockDim.x + threadIdx.x
Node number() { return plus(times(reg(1, 0), reg(2, 0)), reg(0, 0)); }

/// One kernel of two arrays of int, one shape of 2 blocks of 4 threads.
Sequence sequenceOf(std::vector<Node> Body) {
  Sequence S;
  Kernel K;
  K.Arrays = {{Element::I32}, {Element::I32}};
  K.Parameters = {{ParameterInfo::Array, 0}, {ParameterInfo::Array, 1}};
  K.Body = sequence(std::move(Body));
  S.Kernels = {K};
  Shape Only;
  Only.Case.Grid = {2, 1, 1};
  Only.Case.Block = {4, 1, 1};
  S.Shapes = {Only};
  S.Memories = {{1024, false, 0, 0}, {1024, false, 0, 0}};
  return S;
}

Operation launchAt(Place First, Place Second) {
  Operation O;
  O.Pointers = {First, Second};
  return O;
}

Operation transfer(Operation::Kind What, Place To, Place From, uint64_t Bytes) {
  Operation O;
  O.What = What;
  O.To = To;
  O.From = From;
  O.Bytes = Bytes;
  return O;
}

Judgement judgeOf(Sequence S, std::vector<Operation> Operations) {
  S.Operations = std::move(Operations);
  return judge(S);
}

const Node WriteOwn = node(Op::Write, {intoArray(0, number())});
const Place Here{0, Middle}, There{1, Middle};

TEST(Sequences, AreDefinedAndComeAgain) {
  for (bool Affine : {false, true})
    for (uint32_t Seed = 1; Seed <= 40; ++Seed) {
      Sequence S = makeSequence(Seed, Affine);
      const Judgement How = judge(S);
      EXPECT_EQ(How.Undefined, "") << "seed " << Seed;
      EXPECT_EQ(How.Deterministic, S.Deterministic) << "seed " << Seed;
      EXPECT_GE(S.Kernels.size(), 1u);
      EXPECT_LE(S.Kernels.size(), 4u);
      const auto Launches =
          std::ranges::count(S.Operations, Operation::Launch, &Operation::What);
      EXPECT_LE(Launches, 20) << "seed " << Seed;
      EXPECT_EQ(print(S, 5), print(makeSequence(Seed, Affine), 5));
    }
}

TEST(Sequences, HaveWhatTheyAreFor) {
  unsigned Kinds[7] = {}, Axes[3] = {}, Aliases = 0, Streams = 0, Ordered = 0;
  unsigned Ends = 0, Before = 0;
  for (uint32_t Seed = 1; Seed <= 60; ++Seed) {
    const Sequence S = makeSequence(Seed, false);
    Ordered += S.Deterministic;
    for (const Operation &O : S.Operations) {
      ++Kinds[O.What];
      Streams += O.Stream != 0;
      if (O.What != Operation::Launch)
        continue;
      const Dim3 Grid = S.Shapes[O.Shape].Case.Grid;
      ++Axes[Grid.Z > 1 ? 2 : Grid.Y > 1 ? 1 : 0];
      for (const Place &At : O.Pointers) {
        Ends += At.Offset == int64_t(S.Memories[At.Memory].Bytes);
        Before += At.Offset < 0;
      }
      for (size_t A = 1; A < O.Pointers.size(); ++A)
        Aliases += O.Pointers[A].Memory == O.Pointers[A - 1].Memory;
    }
  }
  for (unsigned Count : Kinds)
    EXPECT_GT(Count, 0u);
  for (unsigned Count : Axes)
    EXPECT_GT(Count, 30u);
  EXPECT_GT(Aliases, 100u);
  EXPECT_GT(Streams, 30u);
  EXPECT_GT(Ends, 10u);
  EXPECT_GT(Before, 10u);
  EXPECT_GT(Ordered, 20u);
  EXPECT_LT(Ordered, 50u);
}

/// What affine kernels may not have.
bool isAffine(const Node &N) {
  constexpr Op Never[] = {Op::OrElse, Op::Not,   Op::Choose,
                          Op::Load,   Op::Fetch, Op::CallVia,
                          Op::Switch, Op::Break, Op::DoWhile};
  if (std::ranges::count(Never, N.What))
    return false;
  if (N.What == Op::Binary &&
      (Operator(N.Value) == Operator::Divide ||
       Operator(N.Value) == Operator::Remainder || isShift(Operator(N.Value))))
    return false;
  if (N.What == Op::If && !N.Kids[2].Kids.empty())
    return false;
  return std::ranges::all_of(N.Kids, isAffine);
}

TEST(Generate, KernelsHaveEdges) {
  unsigned Bundles = 0, Assembly = 0, Exits = 0, Weak = 0, Decoys = 0,
           Large = 0;
  for (uint32_t Seed = 1; Seed <= 300; ++Seed) {
    const Kernel K = generate(Seed);
    Bundles += !K.Bundles.empty();
    Assembly += contains(K.Body, Op::Assembly);
    Exits += contains(K.Body, Op::Exit);
    Weak += hasWeakCode(K);
    Decoys += K.Relocatable;
    for (const BundleInfo &B : K.Bundles)
      Large += bytesOf(B) > 1024;
  }
  for (unsigned Count : {Bundles, Assembly, Exits, Weak})
    EXPECT_GT(Count, 10u);
  EXPECT_GT(Decoys, 5u);
  EXPECT_GT(Large, 3u);
}

/// What the weak definition of one file does is not what runs.
TEST(Print, WeakFunctionsOfTwoFiles) {
  Kernel K;
  Function F;
  F.Integer = F.Weak = true;
  F.Body = sequence({node(Op::ReturnInteger, {num(1)})});
  F.Decoy = sequence({node(Op::ReturnInteger, {num(2)})});
  K.Functions = {F};
  const std::string Weak = "__attribute__((weak)) __device__ int f0_0()";
  const auto Has = [](const std::string &Text, const std::string &Part) {
    return Text.find(Part) != std::string::npos;
  };
  EXPECT_TRUE(Has(print(K), Weak));
  EXPECT_TRUE(Has(print(K), "return 1;"));
  K.Relocatable = true;
  EXPECT_TRUE(Has(print(K), Weak));
  EXPECT_TRUE(Has(print(K), "return 2;"));
  EXPECT_FALSE(Has(printStrong(K), "weak"));
  EXPECT_TRUE(Has(printStrong(K), "return 1;"));
}

TEST(Generate, AffineKernelsAreAffine) {
  unsigned Others = 0;
  for (uint32_t Seed = 1; Seed <= 300; ++Seed) {
    EXPECT_TRUE(isAffine(generate(Seed, true).Body)) << Seed;
    Others += !isAffine(generate(Seed).Body);
  }
  EXPECT_GT(Others, 150u);
}

TEST(Judge, PointersStayInsideAndAreAligned) {
  const Sequence S = sequenceOf({WriteOwn});
  EXPECT_EQ(judgeOf(S, {launchAt(Here, There)}).Undefined, "");
  EXPECT_EQ(judgeOf(S, {launchAt({0, 1024 - 32}, There)}).Undefined, "");
  EXPECT_NE(judgeOf(S, {launchAt({0, 1024 - 28}, There)}).Undefined, "");
  EXPECT_NE(judgeOf(S, {launchAt({0, -4}, There)}).Undefined, "");
  EXPECT_EQ(judgeOf(S, {launchAt(Here, {1, 1024})}).Undefined, "")
      << "nothing is touched through it";
  EXPECT_NE(judgeOf(S, {launchAt(Here, {1, 1028})}).Undefined, "");
  EXPECT_NE(judgeOf(S, {launchAt({0, 510}, There)}).Undefined, "");
  EXPECT_NE(judgeOf(S, {launchAt(Here, {1, 510})}).Undefined, "")
      << "also where nothing is touched";
}

TEST(Judge, UndefinedArithmeticIsNoticed) {
  Node Huge = times(num(1 << 20), plus(num(1 << 20), cast(Int::I32, number())));
  const Sequence S = sequenceOf({node(Op::Write, {intoArray(0, Huge)})});
  EXPECT_NE(judgeOf(S, {launchAt(Here, There)}).Undefined, "");
}

/// p0[p1[i]] = 1: p1 holds what the interpreter reads from it, or nothing is
/// known of where p0 goes.
TEST(Judge, TablesHoldWhatWasRead) {
  Node Index = load(intoArray(1, number()));
  Sequence S = sequenceOf({node(Op::Write, {intoArray(0, Index)})});
  S.Kernels[0].Arrays[1].Table = true;
  ASSERT_TRUE(holdsContents(S.Kernels[0], 1));
  ASSERT_FALSE(holdsContents(S.Kernels[0], 0));
  const Operation Launch = launchAt(Here, There);
  Operation Fill = transfer(Operation::Contents, There, {}, 0);
  Fill.Array = 1;
  Fill.Range = {0, 32};
  EXPECT_NE(judgeOf(S, {Launch}).Undefined, "");
  EXPECT_EQ(judgeOf(S, {Fill, Launch, Launch}).Undefined, "");
  Operation Short = Fill;
  Short.Range = {0, 28};
  EXPECT_NE(judgeOf(S, {Short, Launch}).Undefined, "");
  const Operation Over = transfer(Operation::Fill, {1, 0}, {}, 4);
  EXPECT_NE(judgeOf(S, {Fill, Over, Launch}).Undefined, "");
  EXPECT_NE(judgeOf(S, {Fill, launchAt({1, 0}, There)}).Undefined, "");
}

/// An atomic's old value is an index: the counters are set back each time.
TEST(Judge, CountersAreSetBack) {
  Node Fetch = node(Op::Fetch, {intoArray(1, num(0)), num(1)});
  Fetch.Type = Int::I32;
  const Sequence S = sequenceOf({node(Op::Write, {intoArray(0, Fetch)})});
  Operation Fill = transfer(Operation::Contents, There, {}, 0);
  Fill.Array = 1;
  Fill.Range = {0, 4};
  const Operation Launch = launchAt(Here, There);
  const Judgement Both = judgeOf(S, {Fill, Launch, Fill, Launch});
  EXPECT_EQ(Both.Undefined, "");
  EXPECT_FALSE(Both.Deterministic) << "the order of blocks says who gets what";
  EXPECT_NE(judgeOf(S, {Fill, Launch, Launch}).Undefined, "");
}

TEST(Judge, CopiesDoNotOverlap) {
  const Sequence S = sequenceOf(
      {node(Op::Copy, {intoArray(0, num(0)), intoArray(1, num(0)), num(64)})});
  EXPECT_EQ(judgeOf(S, {launchAt(Here, There)}).Undefined, "");
  EXPECT_EQ(judgeOf(S, {launchAt(Here, {0, Middle + 64})}).Undefined, "");
  EXPECT_NE(judgeOf(S, {launchAt(Here, {0, Middle + 60})}).Undefined, "");
  auto Copy = [&](int64_t From) {
    return transfer(Operation::Copy, Here, {0, From}, 16);
  };
  EXPECT_EQ(judgeOf(S, {Copy(Middle + 16)}).Undefined, "");
  EXPECT_NE(judgeOf(S, {Copy(Middle - 15)}).Undefined, "");
  EXPECT_NE(judgeOf(S, {Copy(1020)}).Undefined, "");
}

struct OrderCase {
  std::vector<Node> Body;
  Place Second;
  bool Deterministic;
};

TEST(Judge, OrderOfBlocksShowsWhereTheyMeet) {
  Node WriteThread = node(Op::Write, {intoArray(0, reg(0, 0))});
  Node Count = node(Op::Atomic, {intoArray(0, num(0))});
  Node ReadNext = node(Op::Read, {intoArray(1, number())});
  const OrderCase Cases[] = {
      {{WriteOwn}, There, true},
      {{WriteThread}, There, false},
      {{Count}, There, true},
      {{Count, WriteOwn}, There, false},
      {{WriteOwn, ReadNext}, There, true},
      {{WriteOwn, ReadNext}, Here, true},
      {{WriteOwn, ReadNext}, {0, Middle + 4}, false},
      {{WriteOwn, ReadNext}, {0, Middle + 32}, true},
      {{ReadNext}, Here, true},
  };
  for (const OrderCase &Each : Cases) {
    const Judgement How =
        judgeOf(sequenceOf(Each.Body), {launchAt(Here, Each.Second)});
    EXPECT_EQ(How.Undefined, "");
    EXPECT_EQ(How.Deterministic, Each.Deterministic)
        << (&Each - Cases) << ": second array at " << Each.Second.Memory << " "
        << Each.Second.Offset;
  }
}

struct WrapCase {
  Node Value;
  bool Wraps;
};

/// What is compared, or an address, is the number that mathematics gives.
TEST(Interpret, WrappingAroundIsNoticed) {
  Node Less = minus(reg(0, 0), num(1, Int::U32));
  const WrapCase Cases[] = {
      {number(), false},
      {cast(Int::I32, Less), false},
      {plus(cast(Int::I32, Less), num(1)), false},
      {Less, true},
      {cast(Int::U8, plus(number(), num(250))), true},
      {less(num(-1), cast(Int::I32, number())), false},
      {less(num(-1), number()), true},
      {less(num(-1), cast(Int::I64, number())), false},
  };
  for (const WrapCase &Each : Cases) {
    Sequence S = sequenceOf({node(Op::Write, {intoArray(0, Each.Value)})});
    print(S.Kernels[0]);
    std::vector<BlockTruth> Blocks;
    Watched Seen;
    Seen.AskWraps = true;
    ASSERT_EQ(interpret(S.Kernels[0], S.Shapes[0].Case, Blocks, &Seen),
              Outcome::Done);
    EXPECT_EQ(Seen.Wraps, Each.Wraps) << (&Each - Cases);
  }
}

TEST(Interpret, KnowsHowFarPointersGo) {
  Sequence S = sequenceOf(
      {node(Op::Write, {intoArray(0, minus(cast(Int::I32, number()), num(2)))}),
       node(Op::Read, {intoArray(1, num(9))})});
  print(S.Kernels[0]);
  std::vector<BlockTruth> Blocks;
  Watched Seen;
  ASSERT_EQ(interpret(S.Kernels[0], S.Shapes[0].Case, Blocks, &Seen),
            Outcome::Done);
  EXPECT_EQ(Seen.Arrays[0].Within.Low, -8);
  EXPECT_EQ(Seen.Arrays[0].Within.High, 24);
  EXPECT_EQ(Seen.Arrays[1].Within.High, 40);
  EXPECT_EQ(Seen.Arrays[1].Align, 4);
}

TEST(Contents, AreSmallUnlessWild) {
  for (int64_t Offset = 0; Offset < 400; Offset += 4) {
    EXPECT_LT(contentsAt(1, 2, Offset, false, true), 40);
    EXPECT_GE(contentsAt(1, 2, Offset, false, true), -4);
    EXPECT_GE(contentsAt(1, 2, Offset, false, false), 0);
  }
  EXPECT_NE(contentsAt(1, 2, 0, true, true), contentsAt(1, 2, 4, true, true));
  EXPECT_NE(contentsAt(1, 2, 0, true, true), contentsAt(1, 3, 0, true, true));
}

size_t sizeOf(const Node &N) {
  size_t Count = 1;
  for (const Node &Kid : N.Kids)
    Count += sizeOf(Kid);
  return Count;
}

/// Blocks and threads, operations, and nodes of kernels.
std::array<uint64_t, 3> sizeOf(const Sequence &S) {
  std::array<uint64_t, 3> Size = {0, S.Operations.size(), 0};
  for (const Shape &Each : S.Shapes)
    Size[0] += Each.Case.Grid.count() + Each.Case.Block.count();
  for (const Kernel &K : S.Kernels)
    Size[2] += sizeOf(K.Body);
  return Size;
}

TEST(Sequences, SmallerOnesAreSmaller) {
  const Sequence S = makeSequence(3, false);
  const auto Before = sizeOf(S);
  unsigned Grids = 0, Single = 0, Kernels = 0;
  for (const Sequence &Each : smaller(S)) {
    const auto After = sizeOf(Each);
    for (unsigned I = 0; I < 3; ++I)
      EXPECT_LE(After[I], Before[I]);
    Grids += After[0] < Before[0];
    Single += After[1] + 1 == Before[1];
    Kernels += After[2] < Before[2];
  }
  EXPECT_GT(Grids, 0u);
  EXPECT_GE(Single, S.Operations.size());
  EXPECT_GT(Kernels, 0u);
}

TEST(Sequences, AreCalledByTheirLabel) {
  Sequence S = sequenceOf({WriteOwn});
  S.Kernels[0].Scalars = {{Int::I64, Role::Size, false}};
  S.Kernels[0].Parameters.push_back({ParameterInfo::Scalar, 0});
  S.Shapes[0].Case.Scalars = {-3};
  S.Operations = {launchAt(Here, {1, 8}),
                  transfer(Operation::Copy, Here, There, 12)};
  const std::string Text = print(S, 7);
  for (const char *Each :
       {"void k28(int *p0, int *p1, long s0)", "static void program7() {",
        "  begin(7);\n  memory(1024);\n  memory(1024);\n",
        "  k28<<<dim3(2, 1, 1), dim3(4, 1, 1), 0, on(0)>>>((int *)at(0, 512), "
        "(int *)at(1, 8), (long)18446744073709551613ull);\n",
        "  copy(0, at(0, 512), at(1, 512), 12);\n  end();\n"})
    EXPECT_NE(Text.find(Each), std::string::npos) << Each << " in\n" << Text;
}

} // namespace
