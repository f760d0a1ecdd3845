// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fourier transforms of many signals of 512 numbers, a block for each: three
// steps of radix 8, between which shared memory reorders. A pass transforms
// forward and back and then checks which signals of the first half of the batch
// still equal their partners in the second; all passes in float, then as many
// bytes in double. A block of forward or inverse waits for one block, one of
// check for the two whose signals it compares; the next forward waits for no
// check.

#include "../common/Program.h"
#include "Reference.h"

using namespace bench;

static constexpr int Threads = Length / 8;

template <typename T>
static __device__ Complex<T> operator+(Complex<T> A, Complex<T> B) {
  return {A.Re + B.Re, A.Im + B.Im};
}
template <typename T>
static __device__ Complex<T> operator-(Complex<T> A, Complex<T> B) {
  return {A.Re - B.Re, A.Im - B.Im};
}
template <typename T>
static __device__ Complex<T> operator*(Complex<T> A, Complex<T> B) {
  return {A.Re * B.Re - A.Im * B.Im, A.Re * B.Im + A.Im * B.Re};
}

/// \p A times the quarter of a turn of this direction: -i forward, i back.
template <bool Inverse, typename T>
static __device__ Complex<T> quarterTurn(Complex<T> A) {
  if (Inverse)
    return {-A.Im, A.Re};
  return {A.Im, -A.Re};
}

/// \p A times the eighth of a turn.
template <bool Inverse, typename T>
static __device__ Complex<T> eighthTurn(Complex<T> A) {
  const T Root = T(0.70710678118654752440);
  if (Inverse)
    return {(A.Re - A.Im) * Root, (A.Re + A.Im) * Root};
  return {(A.Re + A.Im) * Root, (A.Im - A.Re) * Root};
}

/// The transform of four numbers.
template <bool Inverse, typename T>
static __device__ void transform4(Complex<T> &A, Complex<T> &B, Complex<T> &C,
                                  Complex<T> &D) {
  Complex<T> Even = A + C, EvenTurned = A - C;
  Complex<T> Odd = B + D, OddTurned = quarterTurn<Inverse>(B - D);
  A = Even + Odd;
  B = EvenTurned + OddTurned;
  C = Even - Odd;
  D = EvenTurned - OddTurned;
}

/// The transform of eight numbers.
template <bool Inverse, typename T>
static __device__ void transform8(Complex<T> (&V)[8]) {
  transform4<Inverse>(V[0], V[2], V[4], V[6]);
  transform4<Inverse>(V[1], V[3], V[5], V[7]);
  Complex<T> Odd[4] = {V[1], eighthTurn<Inverse>(V[3]),
                       quarterTurn<Inverse>(V[5]),
                       eighthTurn<Inverse>(quarterTurn<Inverse>(V[7]))};
  Complex<T> Even[4] = {V[0], V[2], V[4], V[6]};
  for (int K = 0; K < 4; ++K) {
    V[K] = Even[K] + Odd[K];
    V[K + 4] = Even[K] - Odd[K];
  }
}

/// Turns V[K] by K * Step of 512 parts of a turn.
template <bool Inverse, typename T>
static __device__ void turn(Complex<T> (&V)[8], const Complex<T> *Roots,
                            int Step) {
  for (int K = 1; K < 8; ++K) {
    Complex<T> Root = Roots[K * Step];
    if (Inverse)
      Root.Im = -Root.Im;
    V[K] = V[K] * Root;
  }
}

/// Transforms the block's signal. \p Roots has the 512th roots of unity of the
/// forward direction.
template <bool Inverse, typename T>
static __device__ void transformSignal(const Complex<T> *Roots,
                                       const Complex<T> *From, Complex<T> *To) {
  __shared__ Complex<T> Shared[Length];
  int Thread = threadIdx.x, Begin = blockIdx.x * Length;
  Complex<T> V[8];
  for (int K = 0; K < 8; ++K)
    V[K] = From[Begin + K * Threads + Thread];
  for (int Done = 1;; Done *= 8) {
    int Place = Thread % Done;
    if (Done > 1)
      turn<Inverse>(V, Roots, Place * (Threads / Done));
    transform8<Inverse>(V);
    if (Done == Threads)
      break;
    __syncthreads();
    for (int K = 0; K < 8; ++K)
      Shared[(Thread - Place) * 8 + Place + K * Done] = V[K];
    __syncthreads();
    for (int K = 0; K < 8; ++K)
      V[K] = Shared[K * Threads + Thread];
  }
  T Scale = Inverse ? T(1) / Length : T(1);
  for (int K = 0; K < 8; ++K)
    To[Begin + K * Threads + Thread] = {V[K].Re * Scale, V[K].Im * Scale};
}

template <typename T>
__global__ void forward(const Complex<T> *Roots, const Complex<T> *Signals,
                        Complex<T> *Spectra) {
  transformSignal<false>(Roots, Signals, Spectra);
}

template <typename T>
__global__ void inverse(const Complex<T> *Roots, const Complex<T> *Spectra,
                        Complex<T> *Signals) {
  transformSignal<true>(Roots, Spectra, Signals);
}

/// Whether any number of the block's signal differs from the signal's partner,
/// which stands one for each block further.
template <typename T>
__global__ void check(const Complex<T> *Signals, int *Different) {
  const Complex<T> *One = Signals + blockIdx.x * Length;
  const Complex<T> *Other = One + gridDim.x * Length;
  bool Differs = false;
  for (int I = threadIdx.x; I < Length; I += Threads)
    Differs |= One[I].Re != Other[I].Re || One[I].Im != Other[I].Im;
  int Any = __syncthreads_or(Differs);
  if (threadIdx.x == 0)
    Different[blockIdx.x] = Any;
}

/// A batch in device memory, and what its passes make of it.
template <typename T> struct Batch {
  std::vector<Complex<T>> Start;
  Array<Complex<T>> Roots, Signals, Spectra;
  Array<int> Different;

  explicit Batch(std::vector<Complex<T>> From)
      : Start(std::move(From)), Roots(rootsOfUnity<T>()), Signals(Start.size()),
        Spectra(Start.size()), Different(Start.size() / Length / 2) {}

  void prepare() {
    Signals.upload(Start);
    Spectra.clear();
    Different.clear();
  }

  /// One pass; \p Name is what the precision is called.
  void pass(Program &Run, const std::string &Name) {
    dim3 Block(Threads), All(int(Start.size() / Length)), Half(All.x / 2);
    forward<T><<<All, Block>>>(Roots, Signals, Spectra);
    Run.launched(("forward<" + Name + ">").c_str(), All, Block);
    inverse<T><<<All, Block>>>(Roots, Spectra, Signals);
    Run.launched(("inverse<" + Name + ">").c_str(), All, Block);
    check<T><<<Half, Block>>>(Signals, Different);
    Run.launched(("check<" + Name + ">").c_str(), Half, Block);
  }

  void compare(Program &Run, int Passes) {
    Run.compare("signal", parts(Signals.download()),
                afterTransforms<T>(Start, 2 * Passes));
    Run.compare("spectrum", parts(Spectra.download()),
                afterTransforms<T>(spectraOf(Start), 2 * Passes - 1));
    Run.compare("different", Different.download(), differentPairs(Start));
  }
};

int main(int Argc, char **Argv) {
  Program Run("fft", "Fourier transforms of a batch, there and back",
              {{"transforms", 256, "signals in float, half as many in double"},
               {"passes", 10, "forward, inverse and check in each precision"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Transforms = int(Run["transforms"]), Passes = int(Run["passes"]);
  Run.require(Transforms % 4 == 0, "--transforms is a multiple of 4");
  Run.require(Transforms < 1 << 22, "--transforms is below 2^22");
  Batch<float> Single(randomSignals<float>(Run.seed(), Transforms));
  Batch<double> Double(randomSignals<double>(Run.seed(), Transforms / 2));
  Run.measure(
      [&] {
        Single.prepare();
        Double.prepare();
      },
      [&] {
        for (int Pass = 0; Pass < Passes; ++Pass)
          Single.pass(Run, "float");
        for (int Pass = 0; Pass < Passes; ++Pass)
          Double.pass(Run, "double");
      });

  Single.compare(Run, Passes);
  Double.compare(Run, Passes);
  return Run.report();
}
