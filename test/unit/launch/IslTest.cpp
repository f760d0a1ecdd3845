// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// isl as a second oracle, at sizes nobody can enumerate: the relation of two
// kernels, composed symbolically from the formulas, equals ours.

#include "Oracle.h"
#include "Programs.h"

#include <gtest/gtest.h>
#include <isl/ctx.h>
#include <isl/map.h>

using namespace blockmaestro;
using namespace blockmaestro::test;

using namespace short_names;

static const std::vector<std::string> Names = {
    "tx", "ty", "tz", "bx", "by", "bz", "", "",  "",
    "",   "",   "",   "",   "",   "",   "", "k", "l"};

/// { [bx, by, bz] -> [array, element] } of one access.
static isl_map *mapOf(isl_ctx *Context, const Case &What, size_t Index) {
  const AccessSpec &Spec = What.Accesses[Index];
  const std::vector<int64_t> Numbers = What.numbers();
  auto Range = [](const std::string &Name, int64_t Size) {
    return " and 0 <= " + Name + " < " + std::to_string(Size);
  };
  std::string Text = "{ [bx, by, bz] -> [array, e] : exists tx, ty, tz, k, l: "
                     "array = " +
                     std::to_string(What.Pointers[Spec.Pointer] >> 44) +
                     " and e = " + Spec.Index.text(Names, Numbers);
  for (unsigned D = 0; D < 3; ++D)
    Text += Range(Names[Tx + D], What.Block[D]) +
            Range(Names[Bx + D], What.Grid[D]);
  Text += Range("k", What.Extents[0].at(Numbers)) +
          Range("l", What.Extents[1].at(Numbers));
  for (const Poly &Guard : Spec.Guards)
    Text += " and " + Guard.text(Names, Numbers) + " >= 0";
  return isl_map_read_from_str(Context, (Text + " }").c_str());
}

/// { consumer -> producer } for all hazards.
static isl_map *truth(isl_ctx *Context, const Case &P, const Case &C) {
  isl_map *All =
      isl_map_read_from_str(Context, "{ [a, b, c] -> [d, e, f] : 1 = 0 }");
  for (size_t I = 0; I < P.Accesses.size(); ++I)
    for (size_t J = 0; J < C.Accesses.size(); ++J)
      if (P.Accesses[I].Kind != AccessKind::Read ||
          C.Accesses[J].Kind != AccessKind::Read)
        All = isl_map_union(
            All, isl_map_apply_range(mapOf(Context, C, J),
                                     isl_map_reverse(mapOf(Context, P, I))));
  return All;
}

/// The relation as isl text, from BlockGraph.h's definition.
static std::string textOf(const Piece &P) {
  const char *C[] = {"cx", "cy", "cz"}, *Q[] = {"px", "py", "pz"};
  std::string Text = "{ [cx, cy, cz] -> [px, py, pz] : 0 = 0";
  for (unsigned D = 0; D < 3; ++D) {
    const QuasiAffine &Row = P.Rows[D];
    std::string Dot = "0";
    for (unsigned E = 0; E < 3; ++E)
      Dot += " + " + std::to_string(Row.A[E]) + "*" + C[E];
    auto Bound = [&](int64_t Constant) {
      return "floor((" + Dot + " + " + std::to_string(Constant) + ")/" +
             std::to_string(Row.D) + ")";
    };
    auto Within = [](const char *Name, int64_t Low, int64_t High) {
      return " and " + std::to_string(Low) + " <= " + Name +
             " <= " + std::to_string(High);
    };
    Text += " and " + Bound(Row.Low) + " <= " + Q[D] +
            " <= " + Bound(Row.High) +
            Within(C[D], P.Consumer.Low[D], P.Consumer.High[D]) +
            Within(Q[D], P.Producer.Low[D], P.Producer.High[D]);
  }
  return Text + " }";
}

static void expectEqual(const Case &P, const Case &C) {
  const Relation R = relateCases(P, C, memory(uint64_t(1) << 40));
  ASSERT_TRUE(R.Exact) << R.Reason;
  ASSERT_FALSE(R.Full);
  isl_ctx *Context = isl_ctx_alloc();
  isl_map *Ours =
      isl_map_read_from_str(Context, "{ [a, b, c] -> [d, e, f] : 1 = 0 }");
  for (const Piece &Each : R.Pieces)
    Ours = isl_map_union(Ours,
                         isl_map_read_from_str(Context, textOf(Each).c_str()));
  isl_map *Theirs = truth(Context, P, C);
  EXPECT_EQ(isl_map_is_equal(Ours, Theirs), isl_bool_true);
  isl_map_free(Ours);
  isl_map_free(Theirs);
  isl_ctx_free(Context);
}

TEST(Isl, VectorOfAMillion) {
  expectEqual(vectorMap(A, B, 1000003, 256), vectorMap(B, C, 1000003, 256));
}

TEST(Isl, VectorWithOtherBlockSizes) {
  expectEqual(vectorMap(A, B, 1000003, 256), vectorMap(B, C, 1000003, 96));
  expectEqual(vectorMap(A, B, 1000003, 96), vectorMap(B, C, 999999, 256));
}

TEST(Isl, StencilOfAMillion) {
  expectEqual(stencil(A, B, 1024, 1024, {16, 16, 1}),
              stencil(B, A, 1024, 1024, {16, 16, 1}));
  expectEqual(stencil(A, B, 1001, 1003, {32, 8, 1}),
              stencil(B, A, 1001, 1003, {32, 8, 1}));
}

TEST(Isl, TransposeOfAMillion) {
  expectEqual(transpose(A, B, 1000, 1111, 32, 8),
              matrixAdd(B, C, C, 1111, 1000, {32, 32, 1}));
}
