// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Assembly texts and what is read out of them.

#include "DescribedAssembly.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

/// The effects of Text with constraints "l,l,r" over two pointers and a number.
AssemblyEffects effectsOf(const std::string &Text,
                          const std::string &Third = "i32 %n") {
  return test::effectsOfCall("void", Text, "l,l,r,~{memory}",
                             "ptr %a, i64 %b, " + Third);
}

struct Case {
  const char *Text;
  AccessKind Kind;
  unsigned Address;
  int64_t Displacement;
  uint64_t Bytes;
  bool Sometimes;
};

} // namespace

TEST(PtxAssembly, OneAccess) {
  constexpr AccessKind Read = AccessKind::Read, Write = AccessKind::Write,
                       Atomic = AccessKind::Atomic;
  const Case Cases[] = {
      {"ld.global.u32 x, [$0];", Read, 0, 0, 4, false},
      {"ld.global.v4.f32 {a,b,c,d}, [$1+16];", Read, 1, 16, 16, false},
      {"ld.acquire.gpu.b64 x, [$0 + -8];", Read, 0, -8, 8, false},
      {"ld.relaxed.sys.global.b128 x, [$0];", Read, 0, 0, 16, false},
      {"ld.global.nc.L1::no_allocate.L2::128B.v2.u64 {a,b}, [$0];", Read, 0, 0,
       16, false},
      {"st.global.u8 [$1], 1;", Write, 1, 0, 1, false},
      {"st.v2.b16 [$0+$2], {x,y};", Write, 0, 7, 4, false},
      {"{ .reg .pred p; @!p st.release.gpu.u32 [$0], 1; }", Write, 0, 0, 4,
       true},
      {"again: st.u32 [$0], 1;\\0A bra again;", Write, 0, 0, 4, true},
      {"atom.global.add.f64 x, [$0], y;", Atomic, 0, 0, 8, false},
      {"atom.add.noftz.f16x2 x,[$0],y;", Atomic, 0, 0, 4, false},
      {"atom.global.v4.f32.add {a,b,c,d}, [$0], {e,f,g,h};", Atomic, 0, 0, 16,
       false},
      {"red.relaxed.gpu.global.add.bf16x2 [$1], y;", Atomic, 1, 0, 4, false},
      {"atom.cas.b128 x, [$0], y, z;", Atomic, 0, 0, 16, false},
      {"cp.async.ca.shared.global [s], [$1], 8;", Read, 1, 0, 8, false},
      {"cp.async.cg.shared.global.L2::128B [s], [$1], 16, $2;", Read, 1, 0, 7,
       false},
      {"{ .reg .u64 q; mov.u64 q, $0; st.u32 [q], 1; }", Write, 0, 0, 4, false},
      {"{ .reg .b64 q<3>; cvta.to.global.u64 q2, $1; add.s64 q0, q2, 24; "
       "sub.u64 q0, q0, 0x4; st.u32 [q0+-16], 1; }",
       Write, 1, 4, 4, false},
      {"add.u64 $0, $0, 8; st.u32 [$0], 1;", Write, 0, 8, 4, false},
      {"st.u32 [${0}], 1;", Write, 0, 0, 4, false},
      {"exit; st.u32 [$0], 1;", Write, 0, 0, 4, true},
      {"{ .reg .u64 q; { .reg .u64 p; mov.u64 p, $1; } st.u32 [$0], 1; }",
       Write, 0, 0, 4, false},
      {"bra $$END; $$END: st.u32 [$0], 1;", Write, 0, 0, 4, true},
      {"WAIT${:uid}: st.u32 [$0], 1; @p bra WAIT${:uid};", Write, 0, 0, 4,
       true},
      {".loc 1 7 0\\0A st.u32 [$0], 1;", Write, 0, 0, 4, false},
      {".pragma \\22nounroll\\22; st.u32 [$0], 1;", Write, 0, 0, 4, false},
      {"st.u32[$0],1;", Write, 0, 0, 4, false},
      {"/* /* */ st.u32 [$0], 0f3F800000; // */", Write, 0, 0, 4, false},
      {"ld.global.L2::cache_hint.u32 x, [$0], $1;", Read, 0, 0, 4, false},
      {"cp.async.cg.shared.global.L2::cache_hint [s], [$1], 16, $2;", Read, 1,
       0, 16, false},
      {"cp.async.ca.shared.global [s], [$1], 8, p;", Read, 1, 0, 8, true},
      {"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [$0], [s], 16, x;",
       Write, 0, 0, 16, true},
      {"/* copy */ st.u32 [$0], 1; // ld.u32 x, [q];", Write, 0, 0, 4, false},
      {"st.u32 [$0 - 8], 1;", Write, 0, -8, 4, false},
      {"st.u32 [$0 + 4 + 2 * (1 + 1)], 1;", Write, 0, 8, 4, false},
      {"{ .reg .u64 q; mov.u64 q, $1; st.u32 [q-4], 1; }", Write, 1, -4, 4,
       false},
      {"st.u32 [${0:c}], 1;", Write, 0, 0, 4, false},
      {"{ .reg .b64 q<4096>; st.u32 [$0], 1 } ;", Write, 0, 0, 4, false},
  };
  for (const Case &C : Cases) {
    AssemblyEffects E = effectsOf(C.Text, "i32 7");
    ASSERT_TRUE(E.Understood) << C.Text;
    ASSERT_EQ(E.Accesses.size(), 1u) << C.Text;
    const AssemblyAccess &A = E.Accesses[0];
    EXPECT_EQ(A.Kind, C.Kind) << C.Text;
    EXPECT_EQ(A.Address, C.Address) << C.Text;
    EXPECT_EQ(A.Displacement, C.Displacement) << C.Text;
    EXPECT_EQ(A.Bytes, C.Bytes) << C.Text;
    EXPECT_EQ(A.Sometimes, C.Sometimes) << C.Text;
  }
}

TEST(PtxAssembly, BulkCopiesHaveALength) {
  AssemblyEffects E = effectsOf("cp.async.bulk.shared::cluster.global.mbarrier"
                                "::complete_tx::bytes [s], [$0], $2, [m];");
  ASSERT_EQ(E.Accesses.size(), 1u);
  EXPECT_EQ(E.Accesses[0].Bytes, 0u);
  EXPECT_EQ(E.Accesses[0].Length, 2u);
  EXPECT_TRUE(E.Bulk);
  E = effectsOf("cp.async.bulk.global.shared::cta.bulk_group [$1], [s], 64;");
  ASSERT_EQ(E.Accesses.size(), 1u);
  EXPECT_EQ(E.Accesses[0].Kind, AccessKind::Write);
  EXPECT_EQ(E.Accesses[0].Bytes, 64u);
}

TEST(PtxAssembly, ThisTouchesNothing) {
  for (const char *Text :
       {"", "membar.gl;", "fence.acq_rel.gpu;", "mov.u32 x, %laneid;",
        "{ .reg .b32 t; cvt.rn.f16x2.f32 t, y, z; }",
        "st.shared.v4.u32 [s], {a,b,c,d};", "ld.shared::cta.u32 x, [y+4];",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a,b,c,d}, [s];",
        "cp.async.wait_group 0;", "mbarrier.init.shared::cta.b64 [s], 1;",
        "prefetch.global.L2 [$0];", "bar.warp.sync 0xffffffff;"}) {
    AssemblyEffects E = effectsOf(Text);
    EXPECT_TRUE(E.Understood) << Text;
    EXPECT_TRUE(E.Accesses.empty()) << Text;
    EXPECT_FALSE(E.Barrier) << Text;
  }
}

TEST(PtxAssembly, ThisMayTouchAnything) {
  for (const char *Text :
       {"ld.global.u32 x, [y];",
        "st.u32 [$0+y], 1;",
        "ld.const.u32 x, [$0];",
        "ld.param.u64 x, [$0];",
        "ld.u32 x, [$2];",
        "ld.global.pred x, [$0];",
        "st.async.u32 [$0], 1;",
        "multimem.red.add.u32 [$0], 1;",
        "discard.global.L2 [$0], 128;",
        "st.u32 [$0+4*$2], 1;",
        "st.u32 [$0+4+$2], 1;",
        "st.u32 [$0-$2], 1;",
        "st.u32 [$0+1.5], 1;",
        "st.u32 [0x1000], 1;",
        "st.u32 [$0+0xfffffff8], 1;",
        "ld.future.u32 x, [$0];",
        "st.u32 [$0, 4], 1;",
        "ld.u32 x, y, [$0];",
        "not.b32 x, [$0];",
        "cp.async.bulk.tensor.2d.shared::cluster.global [s], [$0];",
        "cp.async.ca.shared.global [s], [$0], $2;",
        "tex.1d.v4.s32.s32 {a,b,c,d}, [$0, {y}];",
        "wmma.load.a.sync.aligned.m16n16k16.row.f16 {a}, [$0], 16;",
        "{ .reg .u64 q; st.u32 [q], 1; }",
        "{ .reg .u64 q; @p mov.u64 q, $0; st.u32 [q], 1; }",
        "{ .reg .u64 q; mov.u64 q, $0; add.u64 q, q, $1; st.u32 [q], 1; }",
        "{ .reg .u64 q; mov.u64 q, $0; { .reg .u64 q; mov.u64 q, $1; } "
        "st.u32 [q], 1; }",
        "{ .reg .u64 q; mov.u64 q, $0; L: st.u32 [q], 1; }",
        "{ .reg .u32 q; mov.u64 q, $0; st.u32 [q], 1; }",
        "mov.u64 q, $0; st.u32 [q], 1;",
        "xor.b64 $0, $0, 4; st.u32 [$0], 1;",
        "mov.b64 {x, $0}, y; st.u32 [$0], 1;",
        "setp.ne.s32 p|$0, x, 0; st.u32 [$0], 1;"}) {
    AssemblyEffects E = effectsOf(Text);
    EXPECT_FALSE(E.Understood) << Text;
    EXPECT_FALSE(E.Exits) << Text;
    EXPECT_TRUE(E.Accesses.empty()) << Text;
  }
}

TEST(PtxAssembly, ThisMayDoAnything) {
  for (const char *Text :
       {"call foo;",
        "call (x), foo, ($0);",
        "ret;",
        "unknown [$0];",
        "unknown;",
        ".file 1 \\22x.cu\\22\\0A st.u32 [$0], 1;",
        ".loc 1 7 0, function_name x, inlined_at 1 2 3 st.u32 [$0], 1;",
        ".pragma \\22used_bytes_mask 1\\22; ld.u32 x, [$0];",
        ".pragma \\22nounroll\\22\\0A st.u32 [$0], 1;",
        ".section .x { } st.u32 [$0], 1;",
        ".align 4;",
        ".global .b32 x;",
        ".reg .v2 .b32 x;",
        ".reg .b32 x<4097>;",
        ".callprototype _;",
        "# 1 \\22x.cu\\22\\0A st.u32 [$0], 1;",
        "\\\\",
        "st .global .u32 [$0], 1;",
        "st.u32 [$0], 1 st.u32 [$0], 1;",
        "{ st.u32 [$0], 1; ",
        "} st.u32 [$0], 1; {",
        "@p",
        "st.u32 [${0:n}], 1;",
        "tcgen05.fence;",
        "st.u32 [$0x], 1;",
        "mov.u32 x$2, 1;",
        "bra.uni $2;",
        "mov.b32 %%r1, 1;",
        "$(st.u32 [$0], 1;$|$)",
        "bra OUT;",
        "brx.idx x, y;",
        "st.u32 [$0].unified, 1;",
        "st.u32 [$0], '1';",
        "{ .reg .u64 %rd1; mov.u64 %rd1, $1; st.u32 [$0], 1; }",
        "{ .reg .pred %p<2>; st.u32 [$0], 1; }",
        "st.u32 [$0, 1;",
        "mov.b32 x, ((((((((((((((((((1))))))))))))))))));"}) {
    AssemblyEffects E = effectsOf(Text);
    EXPECT_FALSE(E.Understood) << Text;
    EXPECT_TRUE(E.Exits) << Text;
    EXPECT_TRUE(E.Accesses.empty()) << Text;
  }
}

TEST(PtxAssembly, Flags) {
  const struct {
    const char *Text;
    bool AssemblyEffects::*Flag;
  } Cases[] = {
      {"bar.sync 0;", &AssemblyEffects::Barrier},
      {"barrier.sync.aligned 1, 64;", &AssemblyEffects::Barrier},
      {"@p exit;", &AssemblyEffects::Exits},
      {"trap;", &AssemblyEffects::Traps},
      {"mov.u64 x, %clock64;", &AssemblyEffects::Clock},
      {"mov.u32 x, %envreg2;", &AssemblyEffects::Grid},
      {"mov.u32 x, %cluster_ctarank;", &AssemblyEffects::Cluster},
      {"st.shared::cluster.u32 [x], 1;", &AssemblyEffects::Cluster},
      {"mov.u32 x, %ctaid.x;", &AssemblyEffects::ReadsIndices},
      {"griddepcontrol.wait;", &AssemblyEffects::EarlyLaunch},
      {"suld.b.1d.b32.trap {x}, [$0, {y}];", &AssemblyEffects::Textures},
      {"mbarrier.arrive.shared::cta.b64 x, [s];",
       &AssemblyEffects::SharedBarrier},
  };
  for (const auto &C : Cases)
    EXPECT_TRUE(effectsOf(C.Text).*C.Flag) << C.Text;
  EXPECT_TRUE(effectsOf("ld.global.nc.u32 x, [$0];").Accesses[0].NonCoherent);
  EXPECT_FALSE(effectsOf("ld.global.cs.u32 x, [$0];").Accesses[0].NonCoherent);
}
