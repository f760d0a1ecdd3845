// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the makers of the idioms, one function each, and what they share.
// On the data's way: inside the generator: Idioms.cpp has those of indices and
// guards, and the table; the other Idioms files those of division and bits, of
// loops, and of pointers, memory and functions; EdgeIdioms.cpp a table of its
// own. Threads: one.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_IDIOMS_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_IDIOMS_H

#include "Generator.h"

namespace blockmaestro::soundness {

void append(Statements &To, Statements From);
/// An array that may be written.
unsigned plainArray(Generator &G, Element Of);
/// An array that is read only, of integers.
unsigned table(Generator &G);
/// An element of a table, read at Index.
Node looked(Generator &G, unsigned Table, Node Index);
/// What a loop runs up to.
Node limit(Generator &G);
/// The body of a loop over Counter.
Statements body(Generator &G, unsigned Counter);

Statements line(Generator &G);
Statements rows(Generator &G);
Statements volume(Generator &G);
Statements anyIndex(Generator &G);
Statements arbitrary(Generator &G);
Statements narrow(Generator &G);
Statements unsignedWrap(Generator &G);
Statements guard(Generator &G);
Statements earlyReturn(Generator &G);
Statements alternatives(Generator &G);
Statements switched(Generator &G);
Statements oneThread(Generator &G);
Statements selected(Generator &G);
Statements clamped(Generator &G);
Statements divided(Generator &G);
Statements shifted(Generator &G);
Statements masked(Generator &G);
Statements signedDivided(Generator &G);
Statements signedMasked(Generator &G);
Statements highPowers(Generator &G);
Statements split(Generator &G);
Statements warps(Generator &G);
Statements gridStride(Generator &G);
Statements counted(Generator &G);
Statements decreasing(Generator &G);
Statements triangular(Generator &G);
Statements minimum(Generator &G);
Statements chosenStart(Generator &G);
Statements askedTwice(Generator &G);
Statements whiles(Generator &G);
Statements carried(Generator &G);
Statements setInLoop(Generator &G);
Statements shrunk(Generator &G);
Statements unsignedDown(Generator &G);
Statements counterMoved(Generator &G);
Statements geometric(Generator &G);
Statements leftEarly(Generator &G);
Statements bumped(Generator &G);
Statements pointerChosen(Generator &G);
Statements pointerMoved(Generator &G);
Statements pingPong(Generator &G);
Statements vectors(Generator &G);
Statements blocksOfMemory(Generator &G);
Statements atomics(Generator &G);
Statements appended(Generator &G);
Statements indirect(Generator &G);
Statements sparseRow(Generator &G);
Statements flagged(Generator &G);
Statements called(Generator &G);
Statements recursive(Generator &G);
Statements calledVia(Generator &G);
Statements computed(Generator &G);
Statements staged(Generator &G);

} // namespace blockmaestro::soundness

#endif
