// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a GPU issues for one instruction of IR: how many, of which
// classes, and for divisions, roots, exponentials, logarithms and sines, of
// which it has none, which sequence.
// On the data's way: asked by Costs, Chains and WarpCoding. Where PTX is
// lowered, what stands for an approximation is marked (IssuedMark). Invariants:
// sequences are those that ptxas 13.0 makes for sm_90 where numbers are neither
// so small nor so large that it calls a function. Each was read off the machine
// code of a kernel that has nothing else in it, but for integers of 64 bits and
// logarithms and tangents of PTX, which go by the others. Threads: constant
// data.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_ISSUEDSEQUENCES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_ISSUEDSEQUENCES_H

#include "Costs.h"
#include "blockmaestro/WarpTrace.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace blockmaestro {

/// Whether a GPU issues nothing for \p I: it is a part of what others stand
/// for, or a sign that operands of floats have.
bool isIssuedWithOthers(const llvm::Instruction &I);

/// A letter for each instruction, in the order of issue: a(pproximation, and
/// the check of a division), c(onversion), s(ingle), d(ouble), i(nteger),
/// p(roduct), k (a comparison), b(ranch, and where its ways meet), o(ther). A
/// capital one needs the capital one before it; others, and the first capital
/// one, need the operands. The result is that of the last capital one. Empty
/// where \p I is one instruction, or several of one class.
llvm::StringRef issuedSequenceOf(const llvm::Instruction &I);

/// How many instructions a GPU issues for \p I, which costs some: none for what
/// becomes part of another one, several for wide integers and what has a
/// sequence.
unsigned issuesOf(const llvm::Instruction &I);

/// The class of these where \p I has no sequence; costs count it in \p Counted.
WarpClass issuedClassOf(const llvm::Instruction &I, CostClass Counted);

/// The class of a letter of either case.
WarpClass classOfLetter(char Letter);

/// Whether its result is needed by the next capital one.
inline bool isOfChain(char Letter) { return Letter >= 'A' && Letter <= 'Z'; }

} // namespace blockmaestro

#endif
