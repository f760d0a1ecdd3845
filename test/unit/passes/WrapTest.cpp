// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels at launch numbers at which their 32-bit arithmetic wraps, or is of a
// sign that the footprint's integers do not have: no byte may be lost. At other
// numbers the same kernels are followed, so that this says something.

#include "AnalysedModule.h"
#include "FootprintText.h"
#include "Instance.h"

#include "gtest/gtest.h"

#include <cstring>

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
  const char *Before; ///< Of k(p, n, m), all before it touches p[%i]; %t is
                      ///< threadIdx.x.
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
    {"of a counter that is halved from below zero",
     "%x = sub i32 %t, %n\nbr label %l\nl:\n%i = phi i32 [%x, %entry], [%y, "
     "%l]\n",
     "%y = ashr i32 %i, 1\n%c = icmp slt i32 %y, %m\n"
     "br i1 %c, label %l, label %e\ne:\n",
     {0, 0},
     {4, -1},
     [](uint32_t T, Arguments A) {
       Touched Bytes;
       int32_t I = number(T - bits(A.N));
       do {
         Bytes.push_back(I);
         I >>= 1;
       } while (I < A.M);
       return Bytes;
     }},
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
};

std::string textOf(const Wrap &Of) {
  return "define ptx_kernel void @k(ptr %p, i32 %n, i32 %m) {\nentry:\n"
         "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
         std::string(Of.Before) +
         "%w = sext i32 %i to i64\n%q = getelementptr i8, ptr %p, i64 %w\n"
         "store i8 0, ptr %q\n" +
         Of.After + "ret void\n}\n";
}

/// The footprint of a launch with one block.
class Said {
public:
  Said(const KernelRecord &Kernel, Arguments A) {
    Launch At;
    At.Kernel = &Kernel;
    At.Grid = {1, 1, 1};
    At.Block = {Threads, 1, 1};
    At.Arguments.resize(Kernel.ArgumentBytes);
    std::memcpy(At.Arguments.data() + Kernel.Parameters[1].Offset, &A.N, 4);
    std::memcpy(At.Arguments.data() + Kernel.Parameters[2].Offset, &A.M, 4);
    Instance Here(Kernel.Bytes, At);
    for (const Access &Each : Kernel.Bytes.Accesses) {
      AccessBytes Is = Here.bytes(Each, {0, 0, 0});
      Whole |= Is.How != Meaning::Points;
      Set.add(Is.Set);
    }
    Set.normalise();
  }

  bool covers(int64_t Byte) const { return Whole || Set.contains(Byte); }
  bool isWhole() const { return Whole; }

private:
  Bytes Set;
  bool Whole = false;
};

} // namespace

TEST(Wraps, NoByteIsLost) {
  for (const Wrap &Each : All) {
    auto Made = analyse(textOf(Each));
    ASSERT_EQ(Made->Record.Kernels.size(), 1u);
    const KernelRecord &Kernel = Made->Record.Kernels[0];
    SCOPED_TRACE(Each.Lost + ("\n" + toText(Kernel)));
    EXPECT_EQ(Said(Kernel, Each.Plain).isWhole(), !Each.IsFollowed);
    for (Arguments A : {Each.Plain, Each.Wrapping}) {
      Said Is(Kernel, A);
      for (uint32_t T = 0; T < Threads; ++T)
        for (int64_t Byte : Each.Truth(T, A))
          EXPECT_TRUE(Is.covers(Byte)) << "thread " << T << " touches " << Byte;
    }
  }
}
