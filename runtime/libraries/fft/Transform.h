// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a plan of cuFFT describes: sizes, layouts and kinds of
// numbers, and a transform of that kind, done by FFTW.
// On the data's way: made by the calls that make plans; what its runs touch and
// do becomes a LibraryCall.
// Invariants: layouts are as cuFFT's documentation has them; the default layout
// of real numbers depends on whether input and output are the same memory.
// Ownership: FFTW's plans, made when first needed. Work that is in flight keeps
// the transform. Threads: any; planning has one lock in the process.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_FFT_TRANSFORM_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_FFT_TRANSFORM_H

#include "Fftw.h"
#include "TouchedBox.h"

#include <cufft.h>

#include <array>
#include <map>
#include <vector>

namespace blockmaestro::fft {

/// One side of an advanced layout, in elements.
struct Layout {
  std::array<long long, 3> Embed = {}; ///< Sizes that rows lie in.
  long long Step = 1;
  long long Distance = 0; ///< From one transform of a batch to the next.
};

struct TransformShape {
  cufftType Type = CUFFT_C2C;
  int Rank = 1;
  std::array<long long, 3> Sizes = {1, 1, 1};
  long long Batch = 1;
  bool Advanced = false; ///< In and Out count; else the default layout.
  Layout In, Out;

  bool isDouble() const {
    return Type == CUFFT_Z2Z || Type == CUFFT_D2Z || Type == CUFFT_Z2D;
  }
  bool fromReal() const { return Type == CUFFT_R2C || Type == CUFFT_D2Z; }
  bool toReal() const { return Type == CUFFT_C2R || Type == CUFFT_Z2D; }
  /// Of one number of a side.
  size_t bytesIn() const;
  size_t bytesOut() const;
};

/// Loops and extents of both sides.
struct TransformLoops {
  std::vector<FftwLoop> Inner; ///< The transform's own.
  FftwLoop Batch;
  long long ElementsIn = 0; ///< From the first of one transform to its last.
  long long ElementsOut = 0;

  TransformLoops(const TransformShape &Shape, bool InPlace);
};

/// What a run touches of the input, or of the output.
TouchedBox touchedIn(const TransformShape &Shape, const void *In, bool InPlace);
TouchedBox touchedOut(const TransformShape &Shape, const void *Out,
                      bool InPlace);

class Transform {
public:
  explicit Transform(const TransformShape &Shape) : Shape(Shape) {}
  ~Transform();
  Transform(const Transform &) = delete;
  Transform &operator=(const Transform &) = delete;

  const TransformShape &shape() const { return Shape; }
  /// Whether FFTW could do it.
  bool run(const void *In, void *Out, int Direction);

private:
  template <typename R> bool runAs(const void *In, void *Out, int Direction);
  template <typename R> FftwPlan *plan(void *In, void *Out, int Direction);

  const TransformShape Shape;
  /// By direction, and whether in place.
  std::map<std::pair<int, bool>, FftwPlan *> Plans;
};

} // namespace blockmaestro::fft

#endif
