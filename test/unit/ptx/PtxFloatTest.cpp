// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The floating-point instructions of PTX: every rounding, special values, half
// and bfloat16, compared with the host's arithmetic in its rounding modes.

#include "PtxMachine.h"

#include "gtest/gtest.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <random>

using namespace blockmaestro;

namespace {

constexpr uint64_t Nan32 = 0x7fffffff;

PtxCase floats(const std::string &Instruction, std::vector<float> In,
               uint64_t Expected) {
  PtxCase Case{Instruction + " %0", {"=f"}, {}, {Expected}};
  for (float X : In) {
    Case.Inputs.push_back({"f", bits(X)});
    Case.Text += ", %" + std::to_string(Case.Inputs.size());
  }
  Case.Text += ";";
  return Case;
}

PtxCase halves(const std::string &Instruction, std::vector<uint64_t> In,
               uint64_t Expected, const char *Letter = "h") {
  PtxCase Case{
      Instruction + " %0", {std::string("=") + Letter}, {}, {Expected}};
  for (uint64_t X : In) {
    Case.Inputs.push_back({Letter, X});
    Case.Text += ", %" + std::to_string(Case.Inputs.size());
  }
  Case.Text += ";";
  return Case;
}

struct Mode {
  const char *Name;
  int Rounding;
};
const Mode Modes[] = {{"rn", FE_TONEAREST},
                      {"rz", FE_TOWARDZERO},
                      {"rm", FE_DOWNWARD},
                      {"rp", FE_UPWARD}};

/// What the host computes while it rounds as \p M says.
template <typename Function> auto rounded(const Mode &M, Function Compute) {
  std::fesetround(M.Rounding);
  auto Result = Compute();
  std::fesetround(FE_TONEAREST);
  return Result;
}

/// Numbers of all sizes, zeros, subnormals, infinities.
template <typename T> std::vector<T> numbers() {
  std::vector<T> Out = {T(0),
                        T(-0.0),
                        T(1),
                        T(-1),
                        T(3),
                        T(0.1),
                        T(-0.7),
                        std::numeric_limits<T>::max(),
                        -std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::min(),
                        std::numeric_limits<T>::denorm_min(),
                        -3 * std::numeric_limits<T>::denorm_min(),
                        std::numeric_limits<T>::infinity()};
  std::mt19937_64 Random(7);
  while (Out.size() < 20) {
    using Int = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    T X = std::bit_cast<T>(Int(Random()));
    if (std::isfinite(X))
      Out.push_back(X);
  }
  return Out;
}

template <typename T>
void addCase(std::vector<PtxCase> &Cases, const std::string &Instruction,
             std::vector<T> In, T Expected) {
  if (std::isnan(Expected))
    return;
  const char *Letter = sizeof(T) == 4 ? "f" : "d";
  PtxCase Case{
      Instruction + " %0", {std::string("=") + Letter}, {}, {bits(Expected)}};
  for (T X : In) {
    Case.Inputs.push_back({Letter, bits(X)});
    Case.Text += ", %" + std::to_string(Case.Inputs.size());
  }
  Case.Text += ";";
  Cases.push_back(Case);
}

template <typename T> void checkDirected(const char *Type) {
  std::vector<PtxCase> Cases;
  std::vector<T> All = numbers<T>();
  for (const Mode &M : Modes) {
    std::string Suffix = std::string(".") + M.Name + Type;
    for (T A : All)
      for (size_t N = 0; N < All.size(); N += 5) {
        volatile T X = A, Y = All[N], Z = All[(N * 5 + 2) % All.size()];
        auto Add = [&](const char *Name, std::vector<T> In, auto Compute) {
          addCase<T>(Cases, Name + Suffix, In, rounded(M, Compute));
        };
        Add("add", {X, Y}, [&] { return T(X + Y); });
        Add("mul", {X, Y}, [&] { return T(X * Y); });
        Add("div", {X, Y}, [&] { return T(X / Y); });
        Add("fma", {X, Y, Z}, [&] { return std::fma(X, Y, Z); });
        if (N == 0) {
          Add("sqrt", {X}, [&] { return std::sqrt(X); });
          Add("rcp", {X}, [&] { return T(T(1) / X); });
        }
      }
  }
  runPtxCases(Cases);
}

} // namespace

TEST(PtxFloat, DirectedSingle) { checkDirected<float>(".f32"); }

TEST(PtxFloat, DirectedDouble) { checkDirected<double>(".f64"); }

TEST(PtxFloat, MinimaAndNan) {
  runPtxCases({
      floats("min.f32", {1, NAN}, bits(1.0F)),
      floats("max.f32", {NAN, -2}, bits(-2.0F)),
      floats("min.NaN.f32", {1, NAN}, Nan32),
      floats("min.f32", {0.0F, -0.0F}, bits(-0.0F)),
      floats("max.f32", {-0.0F, 0.0F}, bits(0.0F)),
      floats("min.xorsign.abs.f32", {-2, 1}, bits(-1.0F)),
      floats("max.xorsign.abs.f32", {-2, -1}, bits(2.0F)),
      floats("abs.f32", {-2}, bits(2.0F)),
      floats("neg.f32", {-0.0F}, 0),
      floats("copysign.f32", {-1, 2}, bits(-2.0F)),
  });
}

TEST(PtxFloat, FlushAndSaturate) {
  float Small = 0x1p-140F;
  runPtxCases({
      floats("add.ftz.f32", {Small, 0}, 0),
      floats("add.f32", {Small, 0}, bits(Small)),
      floats("mul.ftz.f32", {-0x1p-100F, 0x1p-40F}, bits(-0.0F)),
      floats("add.sat.f32", {1, 1}, bits(1.0F)),
      floats("add.sat.f32", {-1, 0.5F}, 0),
      floats("add.sat.f32", {NAN, 1}, 0),
      floats("fma.rn.sat.f32", {2, 0.25F, 0.25F}, bits(0.75F)),
  });
}

TEST(PtxFloat, Half) {
  runPtxCases({
      halves("add.f16", {0x3c00, 0x3c00}, 0x4000),
      halves("add.rn.f16", {0x7bff, 0x7bff}, 0x7c00),
      halves("sub.f16", {0x3c00, 0x3c00}, 0),
      halves("mul.f16", {0x3c01, 0x3c01}, 0x3c02),
      halves("fma.rn.f16", {0x3c01, 0x3c01, 0x0001}, 0x3c02),
      // 1 + 2^-11 is half way; the product's tail decides.
      halves("fma.rn.f16", {0x2800, 0x2400, 0x3c00}, 0x3c00),
      halves("fma.rn.f16", {0x2801, 0x2400, 0x3c00}, 0x3c01),
      halves("fma.rn.relu.f16", {0xbc00, 0x3c00, 0}, 0),
      halves("fma.rn.sat.f16", {0x4000, 0x3c00, 0}, 0x3c00),
      halves("min.f16", {0x7e00, 0x3c00}, 0x3c00),
      halves("min.NaN.f16", {0x7e00, 0x3c00}, 0x7fff),
      halves("neg.f16", {0x3c00}, 0xbc00),
      halves("abs.f16", {0xbc00}, 0x3c00),
      halves("add.f16x2", {0x3c004000, 0x3c003c00}, 0x40004200, "r"),
      halves("fma.rn.f16x2", {0x3c004000, 0x3c004000, 0x00003c00}, 0x3c004500,
             "r"),
      halves("max.f16x2", {0x3c00bc00, 0x40000000}, 0x40000000, "r"),
  });
}

TEST(PtxFloat, BFloat) {
  runPtxCases({
      halves("add.rn.bf16", {0x3f80, 0x3f80}, 0x4000),
      halves("mul.rn.bf16", {0x3f81, 0x3f81}, 0x3f82),
      halves("fma.rn.bf16", {0x3f80, 0x3f81, 0x0001}, 0x3f81),
      halves("fma.rn.bf16x2", {0x3f803f80, 0x40003f80, 0x3f800000}, 0x40403f80,
             "r"),
      halves("min.bf16x2", {0x3f80ff80, 0x00007f80}, 0x0000ff80, "r"),
      halves("max.NaN.bf16", {0x7fc0, 0x3f80}, 0x7fff),
      halves("fma.rn.relu.bf16", {0xbf80, 0x3f80, 0}, 0),
  });
}

/// The smallest cases where rounding twice goes wrong.
TEST(PtxFloat, RoundedOnce) {
  runPtxCases({
      // 1 + 2^-8 is half way between two numbers and goes to the even one;
      // a product that is a little greater does not.
      halves("fma.rn.bf16", {0x3f80, 0x3b80, 0x3f80}, 0x3f80),
      halves("fma.rn.bf16", {0x3f81, 0x3b80, 0x3f80}, 0x3f81),
      // (1 + 2^-4)^2 = 1 + 2^-3 + 2^-8 is half way too; 2^-133 decides.
      halves("fma.rn.bf16", {0x3f88, 0x3f88, 0}, 0x3f90),
      halves("fma.rn.bf16", {0x3f88, 0x3f88, 0x0001}, 0x3f91),
      // 0x1p-133 * 0.75 rounds up to the least number, not to zero.
      halves("mul.rn.bf16", {0x0001, 0x3f40}, 0x0001),
      halves("mul.rn.bf16", {0x0001, 0x3f00}, 0x0000),
      halves("mul.rn.bf16", {0x0003, 0x3f00}, 0x0002),
  });
}
