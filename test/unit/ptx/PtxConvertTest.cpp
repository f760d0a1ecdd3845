// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// PTX's cvt, set, setp and selp.

#include "PtxMachine.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>

using namespace blockmaestro;

namespace {

PtxCase one(const std::string &Instruction, const char *Out, const char *In,
            uint64_t Value, uint64_t Expected) {
  return {Instruction + " %0, %1;", {Out}, {{In, Value}}, {Expected}};
}

} // namespace

TEST(PtxConvert, FloatToInteger) {
  runPtxCases({
      one("cvt.rni.s32.f32", "=r", "f", bits(2.5F), 2),
      one("cvt.rzi.s32.f32", "=r", "f", bits(-2.9F), 0xfffffffe),
      one("cvt.rmi.s32.f32", "=r", "f", bits(-2.1F), 0xfffffffd),
      one("cvt.rpi.s32.f32", "=r", "f", bits(2.1F), 3),
      one("cvt.rzi.s32.f32", "=r", "f", bits(1e20F), 0x7fffffff),
      one("cvt.rzi.u32.f32", "=r", "f", bits(-5.0F), 0),
      one("cvt.rzi.s32.f32", "=r", "f", bits(NAN), 0),
      one("cvt.rzi.s64.f32", "=l", "f", bits(NAN), 0x8000000000000000),
      one("cvt.rzi.s32.f64", "=r", "d", bits(double(NAN)), 0x80000000),
      one("cvt.rzi.u64.f64", "=l", "d", bits(1e30), 0xffffffffffffffff),
      one("cvt.rzi.s8.f16", "=r", "h", 0xc500, 0xfffffffb),
      one("cvt.rzi.u8.f16", "=r", "h", 0x7bff, 0xff),
      one("cvt.rni.s16.f16", "=h", "h", 0x4100, 2),
  });
}

TEST(PtxConvert, IntegerToFloat) {
  runPtxCases({
      one("cvt.rn.f32.s32", "=f", "r", 0xffffffff, bits(-1.0F)),
      one("cvt.rn.f32.u32", "=f", "r", 0xffffffff, bits(4294967296.0F)),
      one("cvt.rz.f32.u32", "=f", "r", 0xffffffff, bits(4294967040.0F)),
      one("cvt.rp.f32.s32", "=f", "r", 0x01000001, bits(16777218.0F)),
      one("cvt.rm.f32.s32", "=f", "r", 0x01000001, bits(16777216.0F)),
      one("cvt.rz.f32.u64", "=f", "l", ~0ULL, bits(0x1.fffffep63F)),
      one("cvt.rp.f32.s64", "=f", "l", 0x4000000000000001,
          bits(0x1.000002p62F)),
      one("cvt.rm.f64.s64", "=d", "l", 0x7fffffffffffffff,
          bits(0x1.fffffffffffffp62)),
      one("cvt.rp.f64.u64", "=d", "l", ~0ULL, bits(0x1p64)),
      one("cvt.rm.f64.u64", "=d", "l", 0, bits(0.0)),
      one("cvt.rn.f16.s32", "=h", "r", 65519, 0x7bff),
      one("cvt.rn.f16.s32", "=h", "r", 65520, 0x7c00),
      one("cvt.rz.f16.u64", "=h", "l", ~0ULL, 0x7bff),
      one("cvt.rn.bf16.s32", "=h", "r", 257, 0x4380),
      one("cvt.rp.bf16.s64", "=h", "l", 257, 0x4381),
  });
}

TEST(PtxConvert, BetweenFloats) {
  runPtxCases({
      one("cvt.rn.f16.f32", "=h", "f", bits(1.0F + 0x1p-11F), 0x3c00),
      one("cvt.rn.f16.f32", "=h", "f", bits(1.0F + 0x3p-11F), 0x3c02),
      one("cvt.rz.f16.f32", "=h", "f", bits(1.0F + 0x3p-11F), 0x3c01),
      one("cvt.rp.f16.f32", "=h", "f", bits(1e-10F), 0x0001),
      one("cvt.rm.f16.f32", "=h", "f", bits(-1e-10F), 0x8001),
      one("cvt.rz.f16.f32", "=h", "f", bits(1e10F), 0x7bff),
      one("cvt.rn.f16.f32", "=h", "f", bits(NAN), 0x7fff),
      one("cvt.rn.f16.f64", "=h", "d", bits(1.0 + 0x1p-11 + 0x1p-40), 0x3c01),
      one("cvt.f32.f16", "=f", "h", 0x0001, bits(0x1p-24F)),
      one("cvt.rn.bf16.f32", "=h", "f", bits(1.0F + 0x1p-8F), 0x3f80),
      one("cvt.rn.bf16.f32", "=h", "f", bits(1.0F + 0x3p-8F), 0x3f82),
      one("cvt.rz.bf16.f32", "=h", "f", bits(1.0F + 0x3p-8F), 0x3f81),
      one("cvt.rn.bf16.f32", "=h", "f", bits(NAN), 0x7fff),
      one("cvt.rn.relu.bf16.f32", "=h", "f", bits(-1.0F), 0),
      one("cvt.rn.f32.f64", "=f", "d", bits(0x1.000001p0), bits(1.0F)),
      one("cvt.rp.f32.f64", "=f", "d", bits(0x1.000001p0), bits(0x1.000002p0F)),
      one("cvt.rz.f32.f64", "=f", "d", bits(-1e300), bits(-0x1.fffffep127F)),
      one("cvt.rni.f32.f32", "=f", "f", bits(3.5F), bits(4.0F)),
      one("cvt.rmi.f16.f16", "=h", "h", 0xb800, 0xbc00),
      one("cvt.sat.f32.f32", "=f", "f", bits(7.0F), bits(1.0F)),
      one("cvt.rna.tf32.f32", "=r", "f", bits(1.0F + 0x1p-11F), 0x3f802000),
      one("cvt.rn.f16x2.e4m3x2", "=r", "h", 0x387e, 0x3c005f00),
      one("cvt.rn.satfinite.e4m3x2.f16x2", "=h", "r", 0x3c007bff, 0x387e),
      one("cvt.rn.f16x2.e5m2x2", "=r", "h", 0x3c7c, 0x3c007c00),
  });
  runPtxCases({
      {"cvt.rn.f16x2.f32 %0, %1, %2;",
       {"=r"},
       {{"f", bits(1.0F)}, {"f", bits(2.0F)}},
       {0x3c004000}},
      {"cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;",
       {"=h"},
       {{"f", bits(1.0F)}, {"f", bits(1e9F)}},
       {0x3c7b}},
  });
}

TEST(PtxConvert, Integers) {
  runPtxCases({
      one("cvt.u32.u16", "=r", "h", 0x8000, 0x8000),
      one("cvt.s32.s16", "=r", "h", 0x8000, 0xffff8000),
      one("cvt.s64.s32", "=l", "r", 0x80000000, 0xffffffff80000000),
      one("cvt.u32.u64", "=r", "l", 0x123456789, 0x23456789),
      one("cvt.sat.u8.s32", "=r", "r", 300, 255),
      one("cvt.sat.s8.s32", "=r", "r", 300, 127),
      one("cvt.sat.u32.s32", "=r", "r", 0xfffffff0, 0),
      one("cvt.s32.s8", "=r", "r", 0xff, 0xffffffff),
  });
}

TEST(PtxConvert, Comparisons) {
  auto Set = [](const std::string &Text, uint64_t X, uint64_t Y,
                uint64_t Expected) {
    return PtxCase{Text, {"=r"}, {{"f", X}, {"f", Y}}, {Expected}};
  };
  std::string P = "{ .reg .pred p; setp.";
  std::string Q = ".f32 p, %1, %2; selp.u32 %0, 1, 0, p; }";
  runPtxCases({
      Set(P + "lt" + Q, bits(1.0F), bits(2.0F), 1),
      Set(P + "lt" + Q, bits(NAN), bits(2.0F), 0),
      Set(P + "ltu" + Q, bits(NAN), bits(2.0F), 1),
      Set(P + "ne" + Q, bits(NAN), bits(2.0F), 0),
      Set(P + "neu" + Q, bits(NAN), bits(2.0F), 1),
      Set(P + "num" + Q, bits(1.0F), bits(2.0F), 1),
      Set(P + "nan" + Q, bits(1.0F), bits(NAN), 1),
      Set("set.gt.u32.f32 %0, %1, %2;", bits(3.0F), bits(2.0F), 0xffffffff),
      Set("set.gt.f32.f32 %0, %1, %2;", bits(3.0F), bits(2.0F), bits(1.0F)),
      {"set.lt.f16x2.f16x2 %0, %1, %2;",
       {"=r"},
       {{"r", 0x3c004000}, {"r", 0x40003c00}},
       {0x3c000000}},
      {"set.le.u32.bf16x2 %0, %1, %2;",
       {"=r"},
       {{"r", 0x3f804000}, {"r", 0x3f803f80}},
       {0xffff0000}},
      {"{ .reg .pred p, q; setp.eq.and.s32 p|q, %2, 5, 1; selp.b32 %0, 1, 0, "
       "p; selp.b32 %1, 1, 0, q; }",
       {"=r", "=r"},
       {{"r", 5}},
       {1, 0}},
      {"slct.u32.s32 %0, %1, %2, %3;",
       {"=r"},
       {{"r", 1}, {"r", 2}, {"r", 0xffffffff}},
       {2}},
  });
}
