// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which blocks of an earlier launch a block of a later launch must
// wait for, as a union of pieces, each labelled with its hazards.
// On the data's way: made by runtime/launch/Graph from two LaunchAccesses, read
// by encoding, recording and dumps.
// A piece relates consumer block c to producer block p when
//   c in Consumer, p in Producer, and for every dimension j:
//   floor((A_j . c + Low_j) / D_j) <= p_j <= floor((A_j . c + High_j) / D_j).
// Delta (p = c + d): A = unit, D = 1, Low = High = d. Everything in dimension
// j: A = 0, Low = 0, High = Grid_j - 1. Transposed: A_x = (0,1,0), A_y =
// (1,0,0). Invariants: the union is a superset of the true pairs and equal to
// them when Exact; Full means every pair (neither Pieces nor List); a
// relation with a List has no Pieces. D_j > 0. Boxes are inside the grids.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_BLOCKGRAPH_H
#define BLOCKMAESTRO_BLOCKGRAPH_H

#include "blockmaestro/BlockList.h"
#include "blockmaestro/Launch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

/// Bits of a hazard set.
enum Hazard : uint8_t {
  HazardRAW = 1,
  HazardWAR = 2,
  HazardWAW = 4,
};

/// Between an earlier block and a later one that do this to one byte.
constexpr uint8_t hazardsOf(bool EarlierReads, bool EarlierWrites,
                            bool LaterReads, bool LaterWrites) {
  return uint8_t((EarlierWrites && LaterReads ? HazardRAW : 0) |
                 (EarlierReads && LaterWrites ? HazardWAR : 0) |
                 (EarlierWrites && LaterWrites ? HazardWAW : 0));
}

struct Box {
  int64_t Low[3] = {0, 0, 0};
  int64_t High[3] = {0, 0, 0}; ///< Inclusive.
};

struct QuasiAffine {
  int64_t A[3] = {0, 0, 0};
  int64_t D = 1;
  int64_t Low = 0;
  int64_t High = 0;
};

struct Piece {
  Box Consumer;
  Box Producer;
  QuasiAffine Rows[3];
  uint8_t Hazards = 0;
};

/// Of one earlier launch (Producer) and one later launch (Consumer).
struct Relation {
  uint64_t Producer = 0;
  uint64_t Consumer = 0;
  Dim3 ProducerGrid;
  Dim3 ConsumerGrid;
  bool Full = false;
  bool Exact = true;
  uint8_t Hazards = 0; ///< Union over pieces or runs, or of the full relation.
  std::vector<Piece> Pieces;
  std::shared_ptr<const BlockList> List; ///< Null unless listed.
  std::string Reason;                    ///< Why not exact; empty when exact.

  bool independent() const { return !Full && Pieces.empty() && !List; }
};

} // namespace blockmaestro

#endif
