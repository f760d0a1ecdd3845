// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the kernels of `./dev bench emulator` as data: buffers, launches,
// and the same work by hand in C++, which also says what is right.
// On the data's way: read by the three programs that run them: Cuda.cu,
// OpenCl.cpp and Native.cpp.
// Invariants: a case's kernels have the name of its launches in Kernels.cu and
// in Kernels.cl and take all buffers in order, then Ints, then Floats.
// Threads: single.

#ifndef BLOCKMAESTRO_BENCHMARKS_EMULATOR_CASES_H
#define BLOCKMAESTRO_BENCHMARKS_EMULATOR_CASES_H

#include <string>
#include <vector>

/// Words of four bytes, read as float or int as the kernels do.
union Word {
  float F;
  int I;
};
using Buffer = std::vector<Word>;

struct KernelLaunch {
  std::string Kernel;
  unsigned Grid[2];
  unsigned Block[2];
};

struct Case {
  std::string Name;
  const char *Group; ///< "free" of barriers, "tiled", "warps", or "other".
  std::vector<Buffer> Buffers;
  unsigned Output; ///< Which buffer is checked.
  float Tolerance; ///< Relative; 0 compares words.
  std::vector<int> Ints;
  std::vector<float> Floats;
  std::vector<KernelLaunch> Launches;
  /// The work of rows [First, Last) of Rows by hand; a row is whatever the
  /// case splits its work by.
  void (*ByHand)(Case &C, int First, int Last);
  int Rows;
};

std::vector<Case> makeCases();

#endif
