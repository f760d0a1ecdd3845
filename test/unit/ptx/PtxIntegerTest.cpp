// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The integer and bit instructions of PTX, by tables of operands and results.

#include "PtxMachine.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

PtxCase words(const char *Instruction, std::vector<uint64_t> Inputs,
              uint64_t Expected) {
  PtxCase Case;
  Case.Text = std::string(Instruction) + " %0";
  Case.Outputs = {"=r"};
  for (uint64_t Input : Inputs) {
    Case.Inputs.push_back({"r", Input});
    Case.Text += ", %" + std::to_string(Case.Inputs.size());
  }
  Case.Text += ";";
  Case.Expected = {Expected};
  return Case;
}

PtxCase typed(const char *Text, const char *Out,
              std::vector<std::pair<std::string, uint64_t>> Inputs,
              uint64_t Expected) {
  return {Text, {Out}, std::move(Inputs), {Expected}};
}

} // namespace

TEST(PtxInteger, Sums) {
  runPtxCases({
      words("add.s32", {5, 0xfffffffe}, 3),
      words("sub.u32", {1, 2}, 0xffffffff),
      words("add.sat.s32", {0x7fffffff, 1}, 0x7fffffff),
      words("sub.sat.s32", {0x80000000, 1}, 0x80000000),
      words("add.u16x2", {0xffff0001, 0x00020003}, 0x00010004),
      words("neg.s32", {5}, 0xfffffffb),
      words("abs.s32", {0xfffffffb}, 5),
      typed("add.s64 %0, %1, 7;", "=l", {{"l", 0xffffffff}}, 0x100000006),
      typed("sub.s16 %0, %1, %2;", "=h", {{"h", 1}, {"h", 2}}, 0xffff),
  });
}

TEST(PtxInteger, Products) {
  runPtxCases({
      words("mul.lo.s32", {0x10000, 0x10001}, 0x10000),
      words("mul.hi.u32", {0x80000000, 6}, 3),
      words("mul.hi.s32", {0x80000000, 6}, 0xfffffffd),
      words("mad.lo.u32", {3, 4, 5}, 17),
      words("mad.hi.s32", {0xffffffff, 1, 5}, 4),
      words("mul24.lo.u32", {0xff000003, 5}, 15),
      words("mul24.hi.s32", {0x00ffffff, 1}, 0xffffffff),
      words("mad24.lo.s32", {0x00ffffff, 2, 10}, 8),
      words("sad.s32", {3, 0xffffffff, 10}, 14),
      words("sad.u32", {3, 0xffffffff, 10}, 6),
      typed("mul.wide.s32 %0, %1, %2;", "=l", {{"r", 0xffffffff}, {"r", 2}},
            0xfffffffffffffffe),
      typed("mul.wide.u16 %0, %1, %2;", "=r", {{"h", 0xffff}, {"h", 2}},
            0x1fffe),
      typed("mad.wide.u32 %0, %1, %2, %3;", "=l",
            {{"r", 0xffffffff}, {"r", 0xffffffff}, {"l", 1}},
            0xfffffffe00000002),
      typed("mul.hi.u64 %0, %1, %2;", "=l",
            {{"l", 0x8000000000000000}, {"l", 4}}, 2),
  });
}

TEST(PtxInteger, Division) {
  runPtxCases({
      words("div.s32", {0xfffffff9, 2}, 0xfffffffd),
      words("rem.s32", {0xfffffff9, 2}, 0xffffffff),
      words("div.u32", {7, 0}, 0xffffffff),
      words("rem.u32", {7, 0}, 7),
      words("div.s32", {0x80000000, 0xffffffff}, 0x80000000),
      words("rem.s32", {0x80000000, 0xffffffff}, 0),
  });
}

TEST(PtxInteger, Carries) {
  PtxCase Add{"{ add.cc.u32 %0, %3, %5; addc.cc.u32 %1, %4, %6; addc.u32 %2, "
              "0, 0; }",
              {"=r", "=r", "=r"},
              {{"r", 0xffffffff}, {"r", 0xffffffff}, {"r", 1}, {"r", 0}},
              {0, 0, 1}};
  PtxCase Sub{"{ sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5; }",
              {"=r", "=r"},
              {{"r", 0}, {"r", 5}, {"r", 1}, {"r", 2}},
              {0xffffffff, 2}};
  PtxCase Mad{"{ mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0; }",
              {"=r", "=r"},
              {{"r", 0xffffffff}, {"r", 0xffffffff}, {"r", 0xffffffff}},
              {0, 0xffffffff}};
  runPtxCases({Add, Sub, Mad});
}

TEST(PtxInteger, MinimaAndDots) {
  runPtxCases({
      words("min.s32", {0xffffffff, 1}, 0xffffffff),
      words("max.u32", {0xffffffff, 1}, 0xffffffff),
      words("max.s32.relu", {0xffffffff, 0xfffffff0}, 0),
      words("min.s16x2", {0xffff0005, 0x00010003}, 0xffff0003),
      words("max.u16x2", {0xffff0005, 0x00010003}, 0xffff0005),
      words("max.s16x2.relu", {0xffff0005, 0xfffe0003}, 0x00000005),
      words("dp4a.s32.s32", {0x01ff02fe, 0x01010101, 100}, 100),
      words("dp4a.u32.u32", {0x01ff02fe, 0x01010101, 100}, 612),
      words("dp2a.lo.s32.s32", {0x0002ffff, 0x00000304, 1}, 3),
      words("dp2a.hi.u32.u32", {0x00020003, 0x03040000, 1}, 19),
  });
}

TEST(PtxInteger, Bits) {
  runPtxCases({
      words("and.b32", {0xff00, 0x0ff0}, 0x0f00),
      words("or.b32", {0xff00, 0x0ff0}, 0xfff0),
      words("xor.b32", {0xff00, 0x0ff0}, 0xf0f0),
      words("not.b32", {0}, 0xffffffff),
      words("cnot.b32", {0}, 1),
      words("shl.b32", {1, 31}, 0x80000000),
      words("shl.b32", {1, 32}, 0),
      words("shr.u32", {0x80000000, 40}, 0),
      words("shr.s32", {0x80000000, 40}, 0xffffffff),
      words("shf.l.wrap.b32", {0x80000000, 1, 33}, 3),
      words("shf.l.clamp.b32", {0x80000000, 1, 33}, 0x80000000),
      words("shf.r.wrap.b32", {2, 1, 1}, 0x80000001),
      words("shf.r.clamp.b32", {2, 7, 99}, 7),
      words("brev.b32", {1}, 0x80000000),
      words("popc.b32", {0xf0f0}, 8),
      words("clz.b32", {0x10000}, 15),
      words("clz.b32", {0}, 32),
      words("bfind.u32", {0x10000}, 16),
      words("bfind.s32", {0xffffffff}, 0xffffffff),
      words("bfind.shiftamt.u32", {0x10000}, 15),
      typed("popc.b64 %0, %1;", "=r", {{"l", 0xf0f0f0f0f0f0f0f0}}, 32),
      typed("bfind.u64 %0, %1;", "=r", {{"l", 1ULL << 40}}, 40),
      typed("lop3.b32 %0, %1, %2, %3, 0x96;", "=r",
            {{"r", 0xf0}, {"r", 0xcc}, {"r", 0xaa}}, 0x96),
  });
}

TEST(PtxInteger, Fields) {
  runPtxCases({
      words("bfe.u32", {0x12345678, 8, 8}, 0x56),
      words("bfe.s32", {0x0000f000, 12, 4}, 0xffffffff),
      words("bfe.u32", {0x12345678, 28, 8}, 1),
      words("bfe.s32", {0x80000000, 28, 8}, 0xfffffff8),
      words("bfe.u32", {0x12345678, 0, 0}, 0),
      words("bfe.u32", {0x12345678, 40, 8}, 0),
      words("bfe.s32", {0x80000000, 40, 8}, 0xffffffff),
      words("bfi.b32", {0xab, 0x11111111, 8, 8}, 0x1111ab11),
      words("bfi.b32", {0xab, 0x11111111, 28, 8}, 0xb1111111),
      words("prmt.b32", {0x33221100, 0x77665544, 0x7410}, 0x77441100),
      words("prmt.b32", {0x00008000, 0, 0x0009}, 0x000000ff),
      words("prmt.b32.f4e", {0x33221100, 0x77665544, 1}, 0x44332211),
      words("prmt.b32.rc8", {0x33221100, 0, 2}, 0x22222222),
      words("fns.b32", {0xf0, 0, 2}, 5),
      words("fns.b32", {0xf0, 31, 0xffffffff}, 7),
      words("szext.wrap.s32", {0xff, 8}, 0xffffffff),
      words("szext.clamp.u32", {0xffffffff, 40}, 0xffffffff),
      words("bmsk.clamp.b32", {4, 8}, 0xff0),
      words("bmsk.clamp.b32", {0, 32}, 0xffffffff),
  });
}

TEST(PtxInteger, Video) {
  runPtxCases({
      words("vadd2.u32.u32.u32", {0xffff0001, 0x00010001, 0}, 0x00000002),
      words("vadd2.s32.s32.s32.sat", {0x7fff8000, 0x0001ffff, 0}, 0x7fff8000),
      words("vadd4.u32.u32.u32.sat", {0xff010203, 0x01010101, 0}, 0xff020304),
      words("vsub4.u32.u32.u32", {0x00010203, 0x01010101, 0}, 0xff000102),
      words("vabsdiff4.u32.u32.u32.add", {0x01020304, 0x04030201, 5}, 13),
      words("vabsdiff2.s32.s32.s32", {0x0005fffe, 0x00070001, 0}, 0x00020003),
      words("vavrg4.u32.u32.u32", {0x01020304, 0x02020202, 0}, 0x02020303),
      words("vmin2.s32.s32.s32", {0xffff0001, 0x00010002, 0}, 0xffff0001),
      words("vmax4.u32.u32.u32", {0x01ff0300, 0x02020202, 0}, 0x02ff0302),
      words("vset4.u32.u32.eq", {0x01020304, 0x01ff03ff, 0}, 0x01000100),
      words("vset2.s32.s32.lt", {0xffff0002, 0x00000001, 0}, 0x00010000),
  });
}
