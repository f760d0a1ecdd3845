// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the work of every case as loops by hand; those of the tiled cases
// are what one gets by splitting the thread loop at the barriers.
// On the data's way: ByHand of the cases.
// Threads: rows of one case may be computed at the same time.

#ifndef BLOCKMAESTRO_BENCHMARKS_EMULATOR_BYHAND_H
#define BLOCKMAESTRO_BENCHMARKS_EMULATOR_BYHAND_H

#include "Cases.h"

void vectorAddByHand(Case &C, int First, int Last);
void saxpyByHand(Case &C, int First, int Last);
void stencilByHand(Case &C, int First, int Last);
void convolutionByHand(Case &C, int First, int Last);
void nbodyByHand(Case &C, int First, int Last);
void mandelbrotByHand(Case &C, int First, int Last);
void spmvByHand(Case &C, int First, int Last);
void blackScholesByHand(Case &C, int First, int Last);
void matmulTiledByHand(Case &C, int First, int Last);
void stencilTiledByHand(Case &C, int First, int Last);
void transposeByHand(Case &C, int First, int Last);
void reductionByHand(Case &C, int First, int Last);
void scanByHand(Case &C, int First, int Last);
void histogramByHand(Case &C, int First, int Last);
void bitonicByHand(Case &C, int First, int Last);
void matvecByHand(Case &C, int First, int Last);
void softmaxByHand(Case &C, int First, int Last);

#endif
