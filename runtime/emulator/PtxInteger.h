// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the integer forms of the PTX instructions whose names integers
// and floating-point numbers share. On the data's way: handed over by
// PtxArithmetic. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_PTXINTEGER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_PTXINTEGER_H

namespace blockmaestro {

class PtxCode;
struct PtxInstruction;

void ptxIntegerAdd(PtxCode &C, PtxInstruction &I);
void ptxIntegerSub(PtxCode &C, PtxInstruction &I);
void ptxIntegerMul(PtxCode &C, PtxInstruction &I);
void ptxIntegerMad(PtxCode &C, PtxInstruction &I);
void ptxIntegerDiv(PtxCode &C, PtxInstruction &I);
void ptxIntegerAbs(PtxCode &C, PtxInstruction &I);
void ptxIntegerNeg(PtxCode &C, PtxInstruction &I);
void ptxIntegerMin(PtxCode &C, PtxInstruction &I);
void ptxIntegerMax(PtxCode &C, PtxInstruction &I);

} // namespace blockmaestro

#endif
