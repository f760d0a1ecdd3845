// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the functions of FFTW3 that cuFFT stands on, by precision.
// On the data's way: opened when the first plan of a precision is made.
// Invariants: after fftw<R>() has returned a table every pointer of it is set.
// FFTW's planner may be called by one thread at a time, its transforms by any.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_FFT_FFTW_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_FFT_FFTW_H

#include <complex>
#include <cstddef>

namespace blockmaestro::fft {

/// One loop of a transform: how many, and how far apart at both ends, in
/// elements of each.
struct FftwLoop {
  ptrdiff_t Count;
  ptrdiff_t StepIn;
  ptrdiff_t StepOut;
};

struct FftwPlan; ///< FFTW's own.

/// FFTW_ESTIMATE | FFTW_UNALIGNED: nothing is touched while a plan is made, and
/// a plan is good for all memory.
constexpr unsigned PlanFlags = (1u << 6) | (1u << 1);

template <typename R> struct Fftw {
  using C = std::complex<R>;
  FftwPlan *(*ComplexPlan)(int, const FftwLoop *, int, const FftwLoop *, C *,
                           C *, int Sign, unsigned Flags);
  FftwPlan *(*ForwardPlan)(int, const FftwLoop *, int, const FftwLoop *, R *,
                           C *, unsigned Flags);
  FftwPlan *(*BackwardPlan)(int, const FftwLoop *, int, const FftwLoop *, C *,
                            R *, unsigned Flags);
  void (*RunComplex)(const FftwPlan *, C *, C *);
  void (*RunForward)(const FftwPlan *, R *, C *);
  void (*RunBackward)(const FftwPlan *, C *, R *);
  void (*Destroy)(FftwPlan *);
};

/// Null, and said, where FFTW3 of this precision is not there.
template <typename R> const Fftw<R> *fftw();

} // namespace blockmaestro::fft

#endif
