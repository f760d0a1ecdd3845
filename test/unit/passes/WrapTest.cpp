// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels at launch numbers at which their 32-bit arithmetic wraps, or is of a
// sign that the footprint's integers do not have: no byte may be lost, and none
// invented where the footprint is exact. At other numbers the same kernels are
// followed, so that this says something.

#include "AnalysedModule.h"
#include "FootprintText.h"
#include "Instance.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace blockmaestro;
using namespace blockmaestro::test;
using soundness::AccessBytes;
using soundness::Bytes;
using soundness::Instance;
using soundness::Meaning;

namespace {

constexpr uint32_t Threads = 16;

struct Arguments {
  int32_t N, M;
};

/// The bytes of p that thread T touches.
using Touched = std::vector<int64_t>;

struct Wrap {
  const char *Lost;   ///< Which bytes would be.
  const char *Before; ///< Of k(p, n, m, q), all before it touches p[%i]; %t is
                      ///< threadIdx.x; q is full of -8.
  const char *After;
  Arguments Plain, Wrapping;
  Touched (*Truth)(uint32_t T, Arguments A);
  bool IsFollowed = true; ///< Not the whole allocation at Plain.
};

uint32_t bits(int32_t Number) { return static_cast<uint32_t>(Number); }
int32_t number(uint32_t Bits) { return static_cast<int32_t>(Bits); }
Touched only(uint32_t Index) { return {number(Index)}; }
Touched where(bool Holds, uint32_t Index) {
  return Holds ? only(Index) : Touched();
}

/// What T - n is while it is halved and below m, and once more; at most Most.
Touched halved(uint32_t T, Arguments A, int32_t Most) {
  Touched Bytes;
  int32_t I = number(T - bits(A.N));
  do {
    Bytes.push_back(std::min(I, Most));
    I >>= 1;
  } while (I < A.M);
  return Bytes;
}

const Wrap All[] = {
    {"where a product that wraps is equal",
     "%i = add i32 %t, 0\n%x = mul i32 %t, %n\n%c = icmp eq i32 %x, %m\n"
     "br i1 %c, label %s, label %e\ns:\n",
     "br label %e\ne:\n",
     {3, 6},
     {1 << 30, 0},
     [](uint32_t T, Arguments A) {
       return where(T * bits(A.N) == bits(A.M), T);
     }},
    {"where what is shifted is below zero",
     "%x = mul i32 %t, %n\n%i = lshr i32 %x, %m\n",
     "",
     {6, 1},
     {-1, 28},
     [](uint32_t T, Arguments A) { return only(T * bits(A.N) >> A.M); }},
    {"where what is shifted with its sign wraps",
     "%x = mul i32 %t, %n\n%i = ashr i32 %x, %m\n",
     "",
     {6, 1},
     {1 << 30, 28},
     [](uint32_t T, Arguments A) {
       return only(bits(number(T * bits(A.N)) >> A.M));
     }},
    {"where an unsigned numerator is below zero",
     "%x = sub i32 %t, %n\n%i = udiv i32 %x, %m\n",
     "",
     {-3, 2},
     {3, 5},
     [](uint32_t T, Arguments A) { return only((T - bits(A.N)) / bits(A.M)); }},
    {"where an unsigned denominator wraps",
     "%i = add i32 %t, 0\n%x = mul i32 %n, %m\n%y = udiv i32 %t, %x\n"
     "%c = icmp ugt i32 %y, 2\nbr i1 %c, label %s, label %e\ns:\n",
     "br label %e\ne:\n",
     {2, 2},
     {641, 6700417},
     [](uint32_t T, Arguments A) {
       return where(T / (bits(A.N) * bits(A.M)) > 2, T);
     }},
    {"where a sum of arguments is below zero and divided",
     "%x = add i32 %t, %n\n%i = sdiv i32 %x, %m\n",
     "",
     {5, 3},
     {-17, 16},
     [](uint32_t T, Arguments A) {
       return only(bits(number(T + bits(A.N)) / A.M));
     }},
    {"where a numerator of any sign wraps",
     "%x = mul i32 %t, %n\n%y = sub i32 %x, 1\n%i = sdiv i32 %y, %m\n",
     "",
     {5, 3},
     {1 << 30, 64},
     [](uint32_t T, Arguments A) {
       return only(bits(number(T * bits(A.N) - 1) / A.M));
     }},
    {"where a signed denominator wraps",
     "%x = mul i32 %n, %m\n%i = sdiv i32 %t, %x\n",
     "",
     {2, 2},
     {641, 6700417},
     [](uint32_t T, Arguments A) {
       return only(bits(number(T) / number(bits(A.N) * bits(A.M))));
     }},
    {"where the smaller of two is not below zero",
     "%x = sub i32 %t, %n\n%c = icmp ult i32 %x, %m\n"
     "%i = select i1 %c, i32 %x, i32 %m\n",
     "",
     {-3, 9},
     {17, 9},
     [](uint32_t T, Arguments A) {
       return only(std::min(T - bits(A.N), bits(A.M)));
     }},
    {"of a counter that is halved from below zero",
     "%x = sub i32 %t, %n\nbr label %l\nl:\n%i = phi i32 [%x, %entry], [%y, "
     "%l]\n",
     "%y = ashr i32 %i, 1\n%c = icmp slt i32 %y, %m\n"
     "br i1 %c, label %l, label %e\ne:\n",
     {0, 0},
     {4, -1},
     [](uint32_t T, Arguments A) { return halved(T, A, INT32_MAX); }},
    {"of a counter that is doubled from above its bound",
     "br label %l\nl:\n%i = phi i32 [%n, %entry], [%y, %l]\n",
     "%y = shl nsw i32 %i, 1\n%c = icmp slt i32 %y, %m\n"
     "br i1 %c, label %l, label %e\ne:\n",
     {1, 9},
     {5, 3},
     [](uint32_t, Arguments A) {
       Touched Bytes;
       int32_t I = A.N;
       do {
         Bytes.push_back(I);
         I *= 2;
       } while (I < A.M);
       return Bytes;
     },
     false},
    {"of a minimum of a counter that is halved from below zero",
     "%x = sub i32 %t, %n\nbr label %l\nl:\n"
     "%v = phi i32 [%x, %entry], [%y, %l]\n"
     "%d = icmp slt i32 %v, 9\n%i = select i1 %d, i32 %v, i32 9\n",
     "%y = ashr i32 %v, 1\n%c = icmp slt i32 %y, %m\n"
     "br i1 %c, label %l, label %e\ne:\n",
     {0, 0},
     {4, -1},
     [](uint32_t T, Arguments A) { return halved(T, A, 9); }},
    {"none, where a quotient is not below zero as its divisor is",
     "%i = add i32 %t, 0\n%x = sdiv i32 %t, %n\n%c = icmp sge i32 %x, 0\n"
     "br i1 %c, label %s, label %e\ns:\n",
     "br label %e\ne:\n",
     {3, 0},
     {-1, 0},
     [](uint32_t T, Arguments A) { return where(number(T) / A.N >= 0, T); }},
    {"where a quotient is below zero as its divisor is",
     "%i = add i32 %t, 0\n%x = sdiv i32 %t, %n\n%c = icmp slt i32 %x, 0\n"
     "br i1 %c, label %s, label %e\ns:\n",
     "br label %e\ne:\n",
     {3, 0},
     {-1, 0},
     [](uint32_t T, Arguments A) { return where(number(T) / A.N < 0, T); }},
    {"where a shifted quotient is below zero as its divisor is",
     "%x = sdiv i32 %t, %n\n%i = ashr i32 %x, 10\n",
     "",
     {3, 0},
     {-1, 0},
     [](uint32_t T, Arguments A) { return only(bits(number(T) / A.N >> 10)); }},
    {"where no remainder seems to be, as the divisor is below zero",
     "%c = icmp slt i32 %n, 0\nbr i1 %c, label %s, label %e\ns:\n"
     "%x = sub i32 %t, 5\n%y = srem i32 %x, %n\n%i = sdiv i32 %y, 3\n",
     "br label %e\ne:\n",
     {7, 0},
     {-7, 0},
     [](uint32_t T, Arguments A) {
       return where(A.N < 0, bits(number(T - 5) % A.N / 3));
     }},
    {"where the larger of a quotient and a number seems to be the quotient",
     "%x = sdiv i32 %t, %n\n%c = icmp slt i32 %x, -3\n"
     "%i = select i1 %c, i32 -3, i32 %x\n",
     "",
     {3, 0},
     {-1, 0},
     [](uint32_t T, Arguments A) {
       return only(bits(std::max(number(T) / A.N, -3)));
     }},
    {"where a power of 2 has the highest bit of all",
     "%x = zext i32 %n to i64\n%y = shl i64 1, %x\n%z = sub i64 %y, 1\n"
     "%j = lshr i64 %z, 62\n%i = trunc i64 %j to i32\n",
     "",
     {9, 0},
     {63, 0},
     [](uint32_t, Arguments A) {
       return only(static_cast<uint32_t>(((1ull << A.N) - 1) >> 62));
     }},
    {"where no masked value seems to be, as the mask is below zero",
     "%c = icmp slt i32 %n, 0\nbr i1 %c, label %s, label %e\ns:\n"
     "%x = load i32, ptr %q\n%y = and i32 %x, %n\n"
     "%d = icmp slt i32 %y, 5\n%i = select i1 %d, i32 %y, i32 5\n",
     "br label %e\ne:\n",
     {7, 0},
     {-1, 0},
     [](uint32_t, Arguments A) {
       return where(A.N < 0, bits(std::min(-8 & A.N, 5)));
     }},
};

std::string textOf(const Wrap &Of) {
  return "define ptx_kernel void @k(ptr %p, i32 %n, i32 %m, ptr %q) {\nentry:\n"
         "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
         std::string(Of.Before) +
         "%w = sext i32 %i to i64\n%a = getelementptr i8, ptr %p, i64 %w\n"
         "store i8 0, ptr %a\n" +
         Of.After + "ret void\n}\n";
}

/// The footprint of a launch with one block.
class OneBlock {
public:
  OneBlock(const KernelRecord &Kernel, Arguments A) {
    Launch At;
    At.Kernel = &Kernel;
    At.Grid = {1, 1, 1};
    At.Block = {Threads, 1, 1};
    At.Arguments.resize(Kernel.ArgumentBytes);
    std::memcpy(At.Arguments.data() + Kernel.Parameters[1].Offset, &A.N, 4);
    std::memcpy(At.Arguments.data() + Kernel.Parameters[2].Offset, &A.M, 4);
    Instance Here(Kernel.Bytes, At);
    for (const Access &Each : Kernel.Bytes.Accesses) {
      if (Each.Base.Kind != RootKind::Argument || Each.Base.Argument != 0)
        continue;
      AccessBytes Is = Here.bytes(Each, {0, 0, 0});
      Whole |= Is.How != Meaning::Points;
      All.add(Is.Set);
      if (Each.How == Exactness::Exact && !Is.Loose)
        Exact.add(Is.Set);
    }
    All.normalise();
    Exact.normalise();
  }

  bool isWhole() const { return Whole; }
  std::optional<int64_t> misses(const Bytes &Truth) const {
    return Whole ? std::nullopt : Truth.firstOutside(All);
  }
  std::optional<int64_t> invents(const Bytes &Truth) const {
    return Exact.firstOutside(Truth);
  }

private:
  Bytes All, Exact;
  bool Whole = false;
};

} // namespace

TEST(Wraps, NoByteIsLost) {
  for (const Wrap &Each : All) {
    auto Made = analyse(textOf(Each));
    ASSERT_EQ(Made->Record.Kernels.size(), 1u);
    const KernelRecord &Kernel = Made->Record.Kernels[0];
    SCOPED_TRACE(Each.Lost + ("\n" + toText(Kernel)));
    EXPECT_EQ(OneBlock(Kernel, Each.Plain).isWhole(), !Each.IsFollowed);
    for (Arguments A : {Each.Plain, Each.Wrapping}) {
      Bytes Truth;
      for (uint32_t T = 0; T < Threads; ++T)
        for (int64_t Byte : Each.Truth(T, A))
          Truth.add(Byte, Byte);
      Truth.normalise();
      OneBlock Is(Kernel, A);
      EXPECT_EQ(Is.misses(Truth), std::nullopt) << "at " << A.N << ", " << A.M;
      EXPECT_EQ(Is.invents(Truth), std::nullopt) << "at " << A.N << ", " << A.M;
    }
  }
}
