// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what this decoder has besides the steps of
// ../transformer/Reference.h, once more on the host, and what must hold of it.

#ifndef BLOCKMAESTRO_BENCHMARKS_DECODE_REFERENCE_H
#define BLOCKMAESTRO_BENCHMARKS_DECODE_REFERENCE_H

#include "../transformer/Reference.h"
#include "Model.h"

namespace bench {

/// Every row of \p By times \p In.
inline Singles productsOf(const Weights &By, const Values &In) {
  Singles Result(By.Rows);
  parallelFor(By.Rows, [&](size_t Row) {
    Result[Row] = dot(In.size(), By.row(Row).data(), In.data());
  });
  return Result;
}

inline Halves halved(const Singles &Of) {
  Halves Result;
  for (const Rounded<float> &Each : Of)
    Result.push_back(halved(Each));
  return Result;
}

/// Whether the steps of a token at \p Position are checked: \p Checked of all
/// tokens are, evenly spread, the last one among them.
inline bool isChecked(const Shape &Of, int Position) {
  auto Before = [&](int End) { return 1ll * End * Of.Checked / Of.Tokens; };
  return Before(Position) < Before(Position + 1);
}

/// Each head's keys and values once for every head that has them.
inline Values repeated(int Dim, int Sharing, const Values &Of) {
  Values Result;
  for (size_t Head = 0; Head < Of.size(); Head += Dim)
    for (int I = 0; I < Sharing; ++I)
      Result.insert(Result.end(), Of.begin() + Head, Of.begin() + Head + Dim);
  return Result;
}

/// Weights on both sides, products with one column, heads that share keys
/// against heads with keys of their own, and how many tokens are checked.
inline void checkModel(Program &Run) {
  Weights Matrix(48, 40, Spread::keepsSize(Run.seed(), 40));
  std::vector<__half> Made = Matrix.Device.download();
  double Squares = 0;
  for (int Row = 0; Row < 48; ++Row) {
    auto First = Made.begin() + Row * 40;
    Run.compare("weights", std::vector<__half>(First, First + 40),
                Matrix.halves(Row));
    for (float Each : Matrix.row(Row))
      Squares += double(Each) * Each / 48;
  }
  Run.expect(std::fabs(Squares - 1) < 0.2, "rows of weights have length 1");
  Values Unit(40), Column;
  Unit[7] = 1;
  for (int Row = 0; Row < 48; ++Row)
    Column.push_back(Matrix.row(Row)[7]);
  Run.compare("a column", valuesOf(productsOf(Matrix, Unit)), Column);

  Random From(Run.seed());
  Values Query = randomVector<float>(From, 24, -1, 1);
  Values Cached = randomVector<float>(From, 5 * 8, -1, 1);
  Values Own = repeated(4, 3, Cached);
  Run.compare("shared keys", valuesOf(scored(4, Query, Cached, 0.5f, 3)),
              valuesOf(scored(4, Query, Own, 0.5f)));
  Values Shares = randomVector<float>(From, 6 * 5, 0, 1);
  Run.compare("shared values", valuesOf(attended(4, Shares, Cached, 24, 3)),
              valuesOf(attended(4, Shares, Own, 24)));

  for (int Checked : {1, 3, 7}) {
    Shape Of{};
    Of.Tokens = 7;
    Of.Checked = Checked;
    int Count = 0;
    for (int I = 0; I < 7; ++I)
      Count += isChecked(Of, I);
    Run.expect(Count == Checked && isChecked(Of, 6), "tokens are checked");
  }
}

} // namespace bench

#endif
