// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host's side of the transforms: inputs, results and how far a
// device may stray from them.
//
// Note [Error of a transform]. One of the device is three steps of radix 8.
// Each adds three times in a row, and between that multiplies by an eighth of a
// turn: an addition, a product and a rounded constant. Before two of the steps
// stands a product with a rounded root. All of these are unitary up to their
// scale, so their errors relative to the length of the whole signal add up:
//   3 * gamma(6) + 2 * gamma(4)  <=  gamma(26),
// where 4 stands for sqrt(2) gamma(2) of a complex product and the root's own
// unit. The scale of 1/512 is exact. After m transforms the error's length is
// at most gamma(26 m) of the exact signal's; one more unit is for the rounding
// in this reference. No number strays further than the whole.

#ifndef BLOCKMAESTRO_BENCHMARKS_FFT_REFERENCE_H
#define BLOCKMAESTRO_BENCHMARKS_FFT_REFERENCE_H

#include "../common/Program.h"

#include <complex>

static constexpr int Length = 512;

template <typename T> struct alignas(2 * sizeof(T)) Complex {
  T Re, Im;
};

/// The complex numbers in which the transforms of T are computed here.
template <typename T>
using WideComplex = std::complex<typename bench::Rounding<T>::Wide>;
template <typename T> using WideVector = std::vector<WideComplex<T>>;

/// exp(-2 pi i K / N).
template <typename T> WideComplex<T> rootOfUnity(int K, int N) {
  using Wide = typename bench::Rounding<T>::Wide;
  Wide Angle = -2 * Wide(3.14159265358979323846264338327950288L) * K / N;
  return {std::cos(Angle), std::sin(Angle)};
}

template <typename T> std::vector<Complex<T>> rootsOfUnity() {
  std::vector<Complex<T>> Roots;
  for (int K = 0; K < Length; ++K) {
    WideComplex<T> Root = rootOfUnity<T>(K, Length);
    Roots.push_back({T(Root.real()), T(Root.imag())});
  }
  return Roots;
}

/// A batch whose second half repeats its first, but for every fifth signal.
template <typename T>
std::vector<Complex<T>> randomSignals(uint64_t Seed, int Transforms) {
  bench::Random From(Seed);
  size_t Half = size_t(Transforms) / 2;
  std::vector<Complex<T>> Signals(2 * Half * Length);
  for (size_t I = 0; I < Half * Length; ++I) {
    auto Next = [&] { return T(From.uniform(-1, 1)); };
    Signals[I] = {Next(), Next()};
    bool Repeats = I / Length % 5 != 4;
    Signals[I + Half * Length] = Signals[I];
    if (!Repeats)
      Signals[I + Half * Length].Re += T(0.5);
  }
  return Signals;
}

/// What check finds of randomSignals: equal signals are transformed equally,
/// and others differ by much more than any error.
template <typename T>
std::vector<int> differentPairs(const std::vector<Complex<T>> &Signals) {
  std::vector<int> Different(Signals.size() / Length / 2);
  for (size_t I = 0; I < Different.size(); ++I)
    Different[I] = I % 5 == 4;
  return Different;
}

/// Transforms \p N numbers, \p Step apart, into \p To: the even and the odd
/// ones, then both together.
template <typename T>
void transform(const WideComplex<T> *From, WideComplex<T> *To, int N, int Step,
               const WideVector<T> &Roots) {
  if (N == 1) {
    *To = *From;
    return;
  }
  transform<T>(From, To, N / 2, 2 * Step, Roots);
  transform<T>(From + Step, To + N / 2, N / 2, 2 * Step, Roots);
  for (int K = 0; K < N / 2; ++K) {
    WideComplex<T> Even = To[K], Root = Roots[size_t(K) * Step];
    WideComplex<T> &Odd = To[K + N / 2];
    WideComplex<T> Turned(Odd.real() * Root.real() - Odd.imag() * Root.imag(),
                          Odd.real() * Root.imag() + Odd.imag() * Root.real());
    To[K] = Even + Turned;
    Odd = Even - Turned;
  }
}

/// The spectra of all signals.
template <typename T>
WideVector<T> spectraOf(const std::vector<Complex<T>> &Signals) {
  WideVector<T> Roots, Spectra(Signals.size());
  for (int K = 0; K < Length; ++K)
    Roots.push_back(rootOfUnity<T>(K, Length));
  bench::parallelFor(Signals.size() / Length, [&](size_t Which) {
    WideVector<T> Signal(Length);
    for (int I = 0; I < Length; ++I) {
      const Complex<T> &Each = Signals[Which * Length + I];
      Signal[I] = {Each.Re, Each.Im};
    }
    transform<T>(Signal.data(), &Spectra[Which * Length], Length, 1, Roots);
  });
  return Spectra;
}

/// The real and imaginary parts in turn.
template <typename T>
std::vector<T> parts(const std::vector<Complex<T>> &Numbers) {
  std::vector<T> Result(2 * Numbers.size());
  for (size_t I = 0; I < Numbers.size(); ++I) {
    Result[2 * I] = Numbers[I].Re;
    Result[2 * I + 1] = Numbers[I].Im;
  }
  return Result;
}

/// The parts of \p Exact as a device has them after \p Transforms transforms:
/// see Note [Error of a transform]. What is flushed to zero adds less than
/// 2^20 of the least numbers.
template <typename T>
std::vector<bench::Rounded<T>> afterTransforms(const WideVector<T> &Exact,
                                               int Transforms) {
  using Wide = typename bench::Rounding<T>::Wide;
  std::vector<bench::Rounded<T>> Result(2 * Exact.size());
  double Relative = bench::gamma<T>(26.0 * Transforms + 1);
  bench::parallelFor(Exact.size() / Length, [&](size_t Which) {
    const WideComplex<T> *Signal = &Exact[Which * Length];
    Wide Squares = 0;
    for (int I = 0; I < Length; ++I)
      Squares += std::norm(Signal[I]);
    Wide Error = Relative * std::sqrt(Squares) +
                 Wide(Transforms) * 0x1p20 * bench::Rounding<T>::Least;
    auto *To = &Result[2 * Which * Length];
    for (int I = 0; I < Length; ++I) {
      To[2 * I] = bench::Rounded<T>::within(Signal[I].real(), Error);
      To[2 * I + 1] = bench::Rounded<T>::within(Signal[I].imag(), Error);
    }
  });
  return Result;
}

template <typename T>
std::vector<bench::Rounded<T>>
afterTransforms(const std::vector<Complex<T>> &Exact, int Transforms) {
  WideVector<T> Wide(Exact.size());
  bench::parallelFor(Exact.size() / Length, [&](size_t Which) {
    for (size_t I = Which * Length; I < (Which + 1) * Length; ++I)
      Wide[I] = {Exact[I].Re, Exact[I].Im};
  });
  return afterTransforms<T>(Wide, Transforms);
}

/// The spectra against the sums that define them.
inline void checkReference(bench::Program &Run) {
  std::vector<Complex<double>> Signals = randomSignals<double>(Run.seed(), 2);
  WideVector<double> Spectra = spectraOf(Signals), Sums(Signals.size());
  for (size_t I = 0; I < Signals.size(); ++I)
    for (int J = 0; J < Length; ++J) {
      const Complex<double> &Each = Signals[I / Length * Length + J];
      Sums[I] += WideComplex<double>(Each.Re, Each.Im) *
                 rootOfUnity<double>(int(I) * J % Length, Length);
    }
  Run.compare("a spectrum by its sums", afterTransforms<double>(Spectra, 0),
              afterTransforms<double>(Sums, 0));
}

#endif
