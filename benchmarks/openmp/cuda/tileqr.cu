// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of the QR decomposition by tiles: of a step the diagonal
// tile and those to its right, then row after row of tiles below them.

#include "../problems/TileQr.h"
#include "Waves.h"

using namespace tasks;

struct Work {
  static constexpr int Kinds = 4; // factor, apply; and the same for two tiles
  enum : int { Threads = TileQr::Threads, Side = TileQr::Side };
  int Tiles, N;
  double *A, *Scale;

  /// The waves of step K, two for each row of tiles from K, begin at K * Pitch.
  __host__ __device__ int pitch() const { return 2 * Tiles; }
  __host__ __device__ int waves() const { return Tiles * pitch(); }
  __host__ __device__ int kind(int Wave) const {
    return (Wave % pitch() < 2 ? 0 : 2) + Wave % 2;
  }
  __host__ __device__ int blocks(int Wave) const {
    int K = Wave / pitch(), Row = K + Wave % pitch() / 2;
    return Row >= Tiles ? 0 : Wave % 2 == 0 ? 1 : Tiles - K - 1;
  }
  __device__ double *at(int I, int J) const {
    return A + I * Side * N + J * Side;
  }

  __device__ void reflect(double Factor, int Begin, const double *Vector,
                          double *Top, double *Low) const {
    double Sum = *Top;
    for (int R = Begin; R < Side; ++R)
      Sum += Vector[R * N] * Low[R * N];
    Sum *= Factor;
    *Top -= Sum;
    for (int R = Begin; R < Side; ++R)
      Low[R * N] -= Sum * Vector[R * N];
  }

  /// By one thread: how a column is reflected, and by what it is divided then.
  __device__ double turn(double *Head, double Rest, double *Factor) const {
    *Factor = 0;
    if (Rest == 0)
      return 1;
    double Norm = sqrt(*Head * *Head + Rest);
    double First = *Head > 0 ? -Norm : Norm, Divisor = *Head - First;
    *Factor = -Divisor / First;
    *Head = First;
    return Divisor;
  }

  __device__ void eliminate(bool Within, double *Top, double *Low,
                            double *Own) const {
    __shared__ double Divisor;
    int Thread = int(threadIdx.x);
    for (int C = 0; C < Side; ++C) {
      int Begin = Within ? C + 1 : 0;
      double Rest = 0;
      for (int R = Begin + Thread; R < Side; R += Threads)
        Rest += Low[R * N + C] * Low[R * N + C];
      for (int Lane = Threads / 2; Lane > 0; Lane /= 2)
        Rest += __shfl_down_sync(0xffffffff, Rest, Lane);
      if (Thread == 0)
        Divisor = turn(&Top[C * N + C], Rest, &Own[C]);
      __syncthreads();
      for (int R = Begin + Thread; R < Side; R += Threads)
        Low[R * N + C] /= Divisor;
      __syncthreads();
      for (int X = C + 1 + Thread; X < Side; X += Threads)
        reflect(Own[C], Begin, Low + C, Top + C * N + X, Low + X);
      __syncthreads();
    }
  }

  __device__ void apply(bool Within, const double *Vectors, double *Top,
                        double *Low, const double *Own) const {
    for (int X = int(threadIdx.x); X < Side; X += Threads)
      for (int C = 0; C < Side; ++C)
        reflect(Own[C], Within ? C + 1 : 0, Vectors + C, Top + C * N + X,
                Low + X);
  }

  template <int Kind> __device__ void tile(int Wave, int Block) const {
    int K = Wave / pitch(), I = K + Wave % pitch() / 2, J = K + 1 + Block;
    double *Own = Scale + (I * Tiles + K) * Side;
    constexpr bool Within = Kind < 2;
    if constexpr (Kind % 2 == 0)
      eliminate(Within, at(K, K), at(I, K), Own);
    else
      apply(Within, at(I, K), at(K, J), at(I, J), Own);
  }
};
static_assert(Work::Threads == 32, "sums are over a warp");

int main(int Argc, char **Argv) {
  Run Run("tileqr", {{"tiles", 24, "tiles on a side", 1, 256}}, waysOfWaves());
  Run.parse(Argc, Argv);
  TileQr Problem(Run["tiles"]);
  bench::Array<double> A(Problem.Start.size()),
      Scale(size_t(Problem.Tiles) * Problem.N);
  Work Work{Problem.Tiles, Problem.N, A, Scale};
  std::vector<double> Result = measure(Run, Work, Problem.Start, A);
  if (Run.checks())
    Problem.check(Run, Result);
  return Run.report(Result);
}
