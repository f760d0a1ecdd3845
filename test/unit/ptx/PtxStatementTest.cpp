// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What statements are made of: registers, guards, labels, vectors, memory,
// ties; and what is refused.

#include "PtxMachine.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

uint64_t address(void *P) { return reinterpret_cast<uint64_t>(P); }

} // namespace

TEST(PtxStatement, RegistersGuardsAndTies) {
  runPtxCases({
      {"{ .reg .pred %%p; setp.lt.s32 %%p, %1, 5; @%%p mov.s32 %0, 7; "
       "@!%%p mov.s32 %0, 8; }",
       {"=r"},
       {{"r", 4}},
       {7}},
      {"{ .reg .pred p; setp.lt.s32 p, %1, 5; @p add.s32 %0, %0, 100; }",
       {"=r"},
       {{"r", 9}, {"0", 1}},
       {1}},
      {"{ .reg .b32 r<3>; mov.b32 r0, %1; mov.b32 r2, r0; add.u32 %0, r2, "
       "0x10U; }",
       {"=r"},
       {{"r", 4}},
       {20}},
      {"// a comment\n mov.b64 {%0, %1}, %2; /* another */",
       {"=r", "=r"},
       {{"l", 0x1122334455667788}},
       {0x55667788, 0x11223344}},
      {".pragma \"nounroll\";\n mov.u32 %0, 5;", {"=r"}, {}, {5}},
      {".loc 1 7 0\n mov.u32 %0, 6; .loc 1 8 3", {"=r"}, {}, {6}},
      {"mov.b32 %0, {0, %1};", {"=r"}, {{"h", 0x3f80}}, {0x3f800000}},
      {"mov.u32 %0, WARP_SZ;", {"=r"}, {}, {32}},
      {"add.u32 %0, %1, %2;", {"=r"}, {{"r", 1}, {"n", 41}}, {42}},
      {"mov.f32 %0, 0f3F800000;", {"=f"}, {}, {0x3f800000}},
      {"add.f32 %0, %1, 1.5;", {"=f"}, {{"f", 0x3f800000}}, {0x40200000}},
      {"add.f32 %0, %1, -15e-1;", {"=f"}, {{"f", 0x3f800000}}, {0xbf000000}},
      {"mov.f32 %0, -0f3F800000;", {"=f"}, {}, {0xbf800000}},
      {"mov.u32 %0, 4 * 10 + 1;", {"=r"}, {}, {41}},
      {"mov.u32 %0, ${1:c}", {"=r"}, {{"n", 41}}, {41}},
      {"{ .reg .u32 a<2>; mov.u32 a1, 1; { .reg .u32 a1; mov.u32 a1, 2; "
       "mov.u32 %0, a1; } mov.u32 %1, a1; }",
       {"=r", "=r"},
       {},
       {2, 1}},
  });
}

TEST(PtxStatement, LabelsAndBranches) {
  runPtxCases({
      {"{ .reg .pred p; .reg .u32 i; mov.u32 i, %1; mov.u32 %0, 0;\n"
       "AGAIN: add.u32 %0, %0, i; sub.u32 i, i, 1; setp.ne.u32 p, i, 0; "
       "@p bra AGAIN; }",
       {"=r"},
       {{"r", 4}},
       {10}},
      {"{ .reg .pred p; setp.eq.u32 p, %1, 0; mov.u32 %0, 1; @p bra.uni DONE; "
       "mov.u32 %0, 2; DONE: }",
       {"=r"},
       {{"r", 0}},
       {1}},
      {"mov.u32 %0, 1; bra OUT${:uid}; mov.u32 %0, 2; OUT${:uid}:",
       {"=r"},
       {},
       {1}},
  });
}

TEST(PtxStatement, Memory) {
  alignas(16) uint32_t Data[8] = {1, 2, 3, 4, 0xffffff85, 6, 7, 8};
  alignas(16) uint32_t Room[8] = {};
  uint64_t From = address(Data);
  uint64_t To = address(Room);
  runPtxCases({
      {"ld.global.nc.u32 %0, [%1+4];", {"=r"}, {{"l", From}}, {2}},
      {"ld.global.u32 %0, [%1 - 4];", {"=r"}, {{"l", From + 12}}, {3}},
      {"ld.global.u32 %0, [%1 + 2 * (1 + 1)];", {"=r"}, {{"l", From}}, {2}},
      {"ld.acquire.gpu.u32 %0, [%1];", {"=r"}, {{"l", From}}, {1}},
      {"ld.global.ca.L2::128B.u32 %0, [%1];", {"=r"}, {{"l", From}}, {1}},
      {"ld.s8 %0, [%1+16];", {"=r"}, {{"l", From}}, {0xffffff85}},
      {"{ .reg .u8 d; ld.volatile.u8 d, [%1+16]; cvt.u16.u8 %0, d; }",
       {"=h"},
       {{"l", From}},
       {0x85}},
      {"ld.v4.u32 {%0, %1, %2, %3}, [%4];",
       {"=r", "=r", "=r", "=r"},
       {{"l", From}},
       {1, 2, 3, 4}},
      {"ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];",
       {"=l", "=l"},
       {{"l", From}},
       {0x200000001, 0x400000003}},
      {"st.global.v2.u32 [%0], {%1, %2};",
       {},
       {{"l", To}, {"r", 11}, {"r", 12}},
       {}},
      {"st.release.sys.u32 [%0+8], %1;", {}, {{"l", To}, {"r", 13}}, {}},
      {"st.relaxed.gpu.v4.u32 [%0+16], {%1, %1, %1, %2};",
       {},
       {{"l", To}, {"r", 14}, {"r", 15}},
       {}},
      {"fence.acq_rel.gpu; membar.gl; fence.proxy.async;", {}, {}, {}},
      {"prefetch.global.L2::evict_last [%0];", {}, {{"l", To}}, {}},
  });
  uint32_t Expected[8] = {11, 12, 13, 0, 14, 14, 14, 15};
  for (int I = 0; I < 8; ++I)
    EXPECT_EQ(Room[I], Expected[I]) << I;
}

TEST(PtxStatement, Atomics) {
  alignas(16) static uint64_t Cells[16];
  auto Cell = [&](int N, uint64_t Value) {
    Cells[N] = Value;
    return std::pair<std::string, uint64_t>("l", address(&Cells[N]));
  };
  runPtxCases({
      {"atom.add.release.gpu.u32 %0,[%1],%2;",
       {"=r"},
       {Cell(0, 5), {"r", 3}},
       {5}},
      {"atom.global.min.s32 %0,[%1],%2;",
       {"=r"},
       {Cell(1, 5), {"r", 0xffffffff}},
       {5}},
      {"atom.max.u32 %0,[%1],%2;",
       {"=r"},
       {Cell(2, 5), {"r", 0xffffffff}},
       {5}},
      {"atom.inc.u32 %0,[%1],%2;", {"=r"}, {Cell(3, 7), {"r", 7}}, {7}},
      {"atom.dec.u32 %0,[%1],%2;", {"=r"}, {Cell(4, 0), {"r", 7}}, {0}},
      {"atom.exch.b64 %0,[%1],%2;", {"=l"}, {Cell(5, 1), {"l", 2}}, {1}},
      {"atom.cas.acq_rel.sys.b32 %0,[%1],%2,%3;",
       {"=r"},
       {Cell(6, 1), {"r", 1}, {"r", 9}},
       {1}},
      {"atom.add.f32 %0,[%1],%2;",
       {"=f"},
       {Cell(7, 0x3f800000), {"f", 0x3f800000}},
       {0x3f800000}},
      {"atom.add.noftz.f16 %0,[%1],%2;",
       {"=h"},
       {Cell(8, 0x3c00), {"h", 0x3c00}},
       {0x3c00}},
      {"atom.global.add.noftz.f16x2 %0,[%1],%2;",
       {"=r"},
       {Cell(9, 0x3c003c00), {"r", 0x40003c00}},
       {0x3c003c00}},
      {"red.global.add.noftz.bf16x2 [%0],%1;",
       {},
       {Cell(10, 0x3f803f80), {"r", 0x3f804000}},
       {}},
      {"red.or.relaxed.cta.b32 [%0],%1;", {}, {Cell(11, 1), {"r", 6}}, {}},
      {"atom.cas.b16 %0,[%1],%2,%3;",
       {"=h"},
       {Cell(12, 1), {"h", 1}, {"h", 3}},
       {1}},
      {"atom.global.v2.f32.add {%0, %1},[%2],{%3, %4};",
       {"=f", "=f"},
       {Cell(13, 0x3f80000040000000), {"f", 0x3f800000}, {"f", 0x3f800000}},
       {0x40000000, 0x3f800000}},
  });
  uint64_t Expected[] = {
      8,          0xffffffff, 0xffffffff, 0,          7, 2, 9,
      0x40000000, 0x4000,     0x42004000, 0x40004040, 7, 3, 0x4000000040400000};
  for (size_t I = 0; I < std::size(Expected); ++I)
    EXPECT_EQ(Cells[I], Expected[I]) << I;
}

TEST(PtxStatement, Mbarrier) {
  static uint64_t Barrier;
  uint64_t At = address(&Barrier);
  runPtxCases({
      {"mbarrier.init.b64 [%0], 2;", {}, {{"l", At}}, {}},
      {"{ .reg .pred p; .reg .b64 t; mbarrier.arrive.b64 t, [%2]; "
       "mbarrier.test_wait.b64 p, [%2], t; selp.b32 %0, 1, 0, p; "
       "mbarrier.arrive.b64 _, [%2]; mbarrier.test_wait.b64 p, [%2], t; "
       "selp.b32 %1, 1, 0, p; }",
       {"=r", "=r"},
       {{"l", At}},
       {0, 1}},
      {"{ .reg .pred p; mbarrier.try_wait.parity.b64 p, [%2], 0; "
       "selp.b32 %0, 1, 0, p; mbarrier.try_wait.parity.b64 p, [%2], 1; "
       "selp.b32 %1, 1, 0, p; }",
       {"=r", "=r"},
       {{"l", At}},
       {1, 0}},
      {"{ .reg .b64 t; mbarrier.arrive_drop.b64 t, [%1]; "
       "mbarrier.pending_count.b64 %0, t; }",
       {"=r"},
       {{"l", At}},
       {2}},
  });
}

TEST(PtxStatement, RefusedByName) {
  EXPECT_NE(whyPtxRefused("{ .reg .f32 a; tex.2dms.v4.f32.s32 {a, a, a, a}, "
                          "[1, {1, a, a, a}]; }")
                .find("(a texture read)"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused("{ .reg .b32 a; sured.b.add.1d.u32.trap [1, {a}], "
                          "a; }")
                .find("(a surface operation)"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused("{ .reg .b32 a; txq.width.b32 a, [1]; }")
                .find("(a texture query)"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused("{ .reg .u32 a; addc.u32 a, 1, 2; }").find("carry"),
            std::string::npos);
  EXPECT_EQ(whyPtxRefused("cp.async.bulk.commit_group;"), "");
  EXPECT_NE(whyPtxRefused("cp.async.bulk.tensor.1d.shared::cluster.global."
                          "mbarrier::complete_tx::bytes [1], [1, {2}], [3];")
                .find("(TMA)"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused("wgmma.fence.sync.aligned;").find("'wgmma.fence"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused("{ .reg .f32 a; sin.full.bogus.f32 a, a; }")
                .find("'.bogus'"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused("add.u32 nowhere, 1, 2;").find("add.u32"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused(".pragma \"other\";").find("not understood"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused(".loc 1 7 0, name").find("not understood"),
            std::string::npos);
  EXPECT_NE(whyPtxRefused("add.u32 %0 %1").find("not understood"),
            std::string::npos);
  EXPECT_EQ(
      whyPtxRefused("{ .reg .u32 b1, b<2>; }"),
      "case: contains the PTX declaration '.reg .u32' (the second declaration "
      "of b1 is not understood)\n");
  EXPECT_EQ(
      whyPtxRefused("{ L: } { L: }"),
      "case: contains the PTX label 'L' (a second label of its name is not "
      "understood)\n");
  EXPECT_EQ(whyPtxRefused("{ .reg .u32 a; } { .reg .u32 a; }"), "");
  EXPECT_EQ(
      whyPtxRefused("{ .reg .u32 a; mov.u32 a, 4*a; }"),
      "case: contains the PTX instruction 'mov.u32' (an expression is not "
      "understood)\n");
  EXPECT_EQ(
      whyPtxRefused("{ .reg .u32 a; ld.u32 a, [4+4+a]; }"),
      "case: contains the PTX instruction 'ld.u32' (the form of its address "
      "is not understood)\n");
  EXPECT_EQ(
      whyPtxRefused("{ .reg .u32 a; mov.u32 a, (1, 2); }"),
      "case: contains the PTX instruction 'mov.u32' (a list in parentheses is "
      "not understood)\n");
  EXPECT_NE(whyPtxRefused("mov.u32 ${0:n}, 1;").find("not understood"),
            std::string::npos);
  EXPECT_EQ(whyPtxRefused(""), "");
}
