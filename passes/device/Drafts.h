// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one case of an access on its way to the footprint, with what it
// rests on, and what makes one case do for another.
// On the data's way: between FootprintBuilder's steps and the footprint.
// Invariants: see Note [Building] in FootprintBuilder.cpp and Note [Resting].
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_DRAFTS_H
#define BLOCKMAESTRO_PASSES_DEVICE_DRAFTS_H

#include "Cases.h"

namespace blockmaestro {

class DomainSimplifier;

struct Draft {
  Access Piece;
  std::vector<Fact> OfConditions; ///< What the domain rests on.
  Conjunction Guard; ///< The conditions around the instruction, outer first.
  std::vector<Fact> Own; ///< What the offset rests on.
  Conjunction Known;     ///< What holds besides the piece's domain.
  bool Pruned = false;   ///< There were other cases; see Note [Pieces].
};

/// Whether A has every counter and value that P has, so that to say something
/// of P says nothing of their ranges, as that a loop runs at all.
bool hasIndicesOf(const Access &A, const Polynomial &P, const Footprint &F);

/// Gives D's piece, whose domain is final, what D rests on. Never: no point
/// meets the domain where OfConditions hold.
void setAssumptions(Draft &D, bool Never, const Footprint &F);

/// Leaves out of Drafts, the cases of one access, what never happens where its
/// conditions' assumptions hold, if another case rests on the same: where one
/// fails, that is widened.
void dropImpossible(std::vector<Draft> &Drafts, DomainSimplifier &Simplifier,
                    const Footprint &F);

/// Appends A unless To has its bytes already; what A makes needless goes.
void addAccess(std::vector<Access> &To, Access A);

} // namespace blockmaestro

#endif
