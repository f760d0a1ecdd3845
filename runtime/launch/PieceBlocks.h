// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a piece of a relation read for one consumer block, and the blocks
// of a box one by one.
// On the data's way: inside Implied and Refit, which look at few blocks. What
// executors read is decoded by Encoding.h.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_PIECEBLOCKS_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_PIECEBLOCKS_H

#include "Affine.h"

#include "blockmaestro/BlockGraph.h"

#include <algorithm>

namespace blockmaestro {

/// What Row lets through for consumer C, the boxes aside; none when Low > High.
inline WideInterval boundsAt(const QuasiAffine &Row, Dim3 C) {
  Wide Dot = 0;
  for (unsigned I = 0; I < 3; ++I)
    Dot += Wide(Row.A[I]) * C[I];
  return {floorDivWide(Dot + Row.Low, Row.D),
          floorDivWide(Dot + Row.High, Row.D)};
}

/// The producers P gives block C; empty when any Low > High.
inline Box producersAt(const Piece &P, Dim3 C) {
  Box Out = P.Producer;
  for (unsigned D = 0; D < 3; ++D) {
    const WideInterval Row = boundsAt(P.Rows[D], C);
    if (C[D] < P.Consumer.Low[D] || C[D] > P.Consumer.High[D] ||
        Row.Low > Out.High[D] || Row.High < Out.Low[D]) {
      Out.High[D] = Out.Low[D] - 1;
      continue;
    }
    Out.Low[D] = int64_t(std::max<Wide>(Row.Low, Out.Low[D]));
    Out.High[D] = int64_t(std::min<Wide>(Row.High, Out.High[D]));
  }
  return Out;
}

/// Calls Visit with the linear number of each block of Over until it is false.
template <typename Visitor>
bool allBlocks(const Box &Over, Dim3 Grid, Visitor Visit) {
  for (int64_t Z = Over.Low[2]; Z <= Over.High[2]; ++Z)
    for (int64_t Y = Over.Low[1]; Y <= Over.High[1]; ++Y)
      for (int64_t X = Over.Low[0]; X <= Over.High[0]; ++X)
        if (!Visit(linearOf({uint32_t(X), uint32_t(Y), uint32_t(Z)}, Grid)))
          return false;
  return true;
}

} // namespace blockmaestro

#endif
