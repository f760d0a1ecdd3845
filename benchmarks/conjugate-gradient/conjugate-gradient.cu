// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conjugate gradients for Poisson's equation on a cube of cells, 7-point
// stencil, zero outside. The numbers between the vectors (sums of squares and
// products, from which every thread makes the length of the step) stay on the
// device: a launch sums up blocks, one block sums up those, and all blocks of
// the next launch need it.
// A small difference in such a number grows from step to step, so the result is
// not compared with that of a host: before the measured runs, every launch of
// one more run is checked against the host on the state the device had, and the
// measured runs must end in the very same bits.

#include "../common/Program.h"

using namespace bench;

static constexpr int Threads = 256;
static constexpr int Chunk = 4 * Threads; // cells that a block sums up

/// A P, where A is the stencil.
__global__ void applyStencil(int N, const double *P, double *Q) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  int Z = blockIdx.z * blockDim.z + threadIdx.z;
  if (X >= N || Y >= N || Z >= N)
    return;
  int Row = N, Plane = N * N, I = Z * Plane + Y * Row + X;
  double West = X > 0 ? P[I - 1] : 0, East = X + 1 < N ? P[I + 1] : 0;
  double South = Y > 0 ? P[I - Row] : 0, North = Y + 1 < N ? P[I + Row] : 0;
  double Below = Z > 0 ? P[I - Plane] : 0, Above = Z + 1 < N ? P[I + Plane] : 0;
  Q[I] = 6 * P[I] - ((West + East) + (South + North) + (Below + Above));
}

/// The sum of a block's values, for all its threads.
__device__ double blockSum(double Value) {
  __shared__ double Warps[Threads / 32];
  for (int Step = 16; Step > 0; Step /= 2)
    Value += __shfl_down_sync(0xffffffffu, Value, Step);
  if (threadIdx.x % 32 == 0)
    Warps[threadIdx.x / 32] = Value;
  __syncthreads();
  double Sum = 0;
  for (int I = 0; I < Threads / 32; ++I)
    Sum += Warps[I];
  return Sum;
}

__global__ void dotPartials(int Count, const double *A, const double *B,
                            double *Partials) {
  int First = blockIdx.x * Chunk, End = min(First + Chunk, Count);
  double Sum = 0;
  for (int I = First + threadIdx.x; I < End; I += Threads)
    Sum += A[I] * B[I];
  Sum = blockSum(Sum);
  if (threadIdx.x == 0)
    Partials[blockIdx.x] = Sum;
}

__global__ void dotTotal(int Count, const double *Partials, double *Total) {
  double Sum = 0;
  for (int I = threadIdx.x; I < Count; I += Threads)
    Sum += Partials[I];
  Sum = blockSum(Sum);
  if (threadIdx.x == 0)
    *Total = Sum;
}

/// One step along P, for the solution and for what is left of the right side.
__global__ void advance(int Count, const double *RR, const double *PQ,
                        const double *P, const double *Q, double *X,
                        double *R) {
  int I = blockIdx.x * Threads + threadIdx.x;
  if (I >= Count)
    return;
  double Length = *RR / *PQ;
  X[I] += Length * P[I];
  R[I] -= Length * Q[I];
}

/// The next direction. RR has the new sum of squares behind the old one.
__global__ void turn(int Count, const double *RR, const double *R, double *P) {
  int I = blockIdx.x * Threads + threadIdx.x;
  if (I < Count)
    P[I] = R[I] + RR[1] / RR[0] * P[I];
}

/// The vectors of a solution, and the sums of every step.
struct State {
  int N, Cells, Chunks, Steps;
  Array<double> X, R, P, Q, Partials, RR, PQ;

  State(int N, int Steps)
      : N(N), Cells(N * N * N), Chunks((Cells + Chunk - 1) / Chunk),
        Steps(Steps), X(Cells), R(Cells), P(Cells), Q(Cells), Partials(Chunks),
        RR(Steps + 1), PQ(Steps) {}

  void start(const std::vector<double> &B) {
    X.clear(), R.upload(B), P.upload(B);
  }
};

/// Launches all steps; After(Kernel, Grid, Block, Check) after each launch,
/// where Check(Witness) has a Witness look at what the launch did.
template <typename F> static void solve(const State &S, F After) {
  dim3 Cube(32, 4, 2), Line(Threads), Cells((S.Cells + Threads - 1) / Threads);
  dim3 Cubes((S.N + 31) / 32, (S.N + 3) / 4, (S.N + 1) / 2);
  auto Dot = [&](const double *A, const double *B, double *To, bool Squares) {
    dotPartials<<<S.Chunks, Line>>>(S.Cells, A, B, S.Partials);
    After("dotPartials", S.Chunks, Line, [=](auto &W) { W.partials(Squares); });
    dotTotal<<<1, Line>>>(S.Chunks, S.Partials, To);
    After("dotTotal", 1, Line, [=](auto &W) { W.total(To); });
  };

  Dot(S.R, S.R, S.RR, true);
  for (int Step = 0; Step < S.Steps; ++Step) {
    double *RR = S.RR + Step, *PQ = S.PQ + Step;
    applyStencil<<<Cubes, Cube>>>(S.N, S.P, S.Q);
    After("applyStencil", Cubes, Cube, [](auto &W) { W.applied(); });
    Dot(S.P, S.Q, PQ, false);
    advance<<<Cells, Line>>>(S.Cells, RR, PQ, S.P, S.Q, S.X, S.R);
    After("advance", Cells, Line, [=](auto &W) { W.advanced(RR, PQ); });
    Dot(S.R, S.R, RR + 1, true);
    turn<<<Cells, Line>>>(S.Cells, RR, S.R, S.P);
    After("turn", Cells, Line, [=](auto &W) { W.turned(RR); });
  }
}

using Numbers = std::vector<double>;
using Bounds = std::vector<Rounded<double>>;

/// Count numbers, At(I) each, on all cores.
template <typename F> static Bounds each(size_t Count, F At) {
  Bounds Result(Count);
  constexpr size_t Part = 4096;
  parallelFor((Count + Part - 1) / Part, [&](size_t I) {
    for (size_t J = I * Part; J < std::min(Count, (I + 1) * Part); ++J)
      Result[J] = At(J);
  });
  return Result;
}

/// The kernels on the host, in their order.
static Bounds applied(int N, const Numbers &P) {
  size_t Row = N, Plane = Row * Row;
  return each(P.size(), [&, Row, Plane](size_t I) {
    size_t X = I % Row, Y = I / Row % Row, Z = I / Plane;
    auto At = [&](bool Inside, size_t J) {
      return Rounded<double>(Inside ? P[J] : 0);
    };
    auto Across = At(X > 0, I - 1) + At(X + 1 < Row, I + 1);
    auto Along = At(Y > 0, I - Row) + At(Y + 1 < Row, I + Row);
    auto Upright = At(Z > 0, I - Plane) + At(Z + 1 < Row, I + Plane);
    return Rounded<double>(6) * P[I] - (Across + Along + Upright);
  });
}

static Bounds dotChunks(const Numbers &A, const Numbers &B) {
  return each((A.size() + Chunk - 1) / Chunk, [&](size_t Part) {
    Sum<double> Products;
    for (size_t I = Part * Chunk; I < std::min(A.size(), (Part + 1) * Chunk);
         ++I)
      Products.addProduct(A[I], B[I]);
    return Products.total();
  });
}

static Rounded<double> added(const Numbers &Values) {
  Sum<double> All;
  for (double Each : Values)
    All.add(Each);
  return All.total();
}

/// A + Above / Below * B.
static Bounds stepped(const Numbers &A, double Above, double Below,
                      const Numbers &B) {
  auto Length = Rounded<double>(Above) / Rounded<double>(Below);
  return each(A.size(), [&](size_t I) {
    return Rounded<double>(A[I]) + Length * Rounded<double>(B[I]);
  });
}

/// Follows a run on the device, launch by launch.
class Witness {
public:
  Witness(Program &Run, State &S) : Run(Run), S(S) {
    X = S.X.download(), R = S.R.download(), P = S.P.download();
  }

  void applied() {
    Q = S.Q.download();
    Run.compare("A p", Q, ::applied(S.N, P));
  }
  void partials(bool Squares) {
    Partials = S.Partials.download();
    Run.compare("a sum of a block", Partials,
                Squares ? dotChunks(R, R) : dotChunks(P, Q));
  }
  void total(const double *At) {
    Run.compare("a sum", Numbers{number(At)}, Bounds{added(Partials)});
  }
  void advanced(const double *RR, const double *PQ) {
    Bounds WantX = stepped(X, number(RR), number(PQ), P);
    Bounds WantR = stepped(R, -number(RR), number(PQ), Q);
    X = S.X.download(), R = S.R.download();
    Run.compare("x", X, WantX);
    Run.compare("r", R, WantR);
  }
  void turned(const double *RR) {
    Bounds Want = stepped(R, number(RR + 1), number(RR), P);
    P = S.P.download();
    Run.compare("p", P, Want);
  }

  /// Whether another run has ended where this one did.
  void compareEnd() {
    Run.compare("x of a measured run", S.X.download(), X);
    Run.compare("r of a measured run", S.R.download(), R);
    Run.compare("p of a measured run", S.P.download(), P);
  }

private:
  static double number(const double *Device) {
    double Value;
    CUDA_CHECK(cudaMemcpy(&Value, Device, sizeof Value, cudaMemcpyDefault));
    return Value;
  }

  Program &Run;
  State &S;
  Numbers X, R, P, Q, Partials;
};

static Numbers values(const Bounds &From) {
  Numbers Result;
  for (const Rounded<double> &Each : From)
    Result.push_back(double(Each.value()));
  return Result;
}

/// The host's kernels, one after the other, find a solution that is known; and
/// the stencil only scales a product of sines.
static void checkReference(Program &Run) {
  int N = 6, Cells = N * N * N;
  Random From(Run.seed());
  Numbers Solution(Cells), X(Cells), Waves(Cells);
  for (double &Each : Solution)
    Each = From.uniform(-1, 1);
  Numbers R = values(applied(N, Solution)), P = R;
  for (int Step = 0; Step < 60; ++Step) {
    Numbers Q = values(applied(N, P));
    double RR = double(added(values(dotChunks(R, R))).value());
    double PQ = double(added(values(dotChunks(P, Q))).value());
    if (RR < 1e-28)
      break;
    X = values(stepped(X, RR, PQ, P));
    R = values(stepped(R, -RR, PQ, Q));
    double Next = double(added(values(dotChunks(R, R))).value());
    P = values(stepped(R, Next, RR, P));
  }
  for (int I = 0; I < Cells; ++I)
    Run.expect(std::fabs(X[I] - Solution[I]) < 1e-12, "a known solution");

  double Angle = 3.14159265358979323846 / (N + 1);
  for (int I = 0; I < Cells; ++I)
    Waves[I] = std::sin(Angle * (I % N + 1)) *
               std::sin(2 * Angle * (I / N % N + 1)) *
               std::sin(3 * Angle * (I / N / N + 1));
  Bounds Scaled = applied(N, Waves);
  double Scale = 6 - 2 * std::cos(Angle) - 2 * std::cos(2 * Angle) -
                 2 * std::cos(3 * Angle);
  for (int I = 0; I < Cells; ++I)
    Run.expect(std::fabs(double(Scaled[I].value()) - Scale * Waves[I]) < 1e-13,
               "a product of sines");
}

int main(int Argc, char **Argv) {
  Program Run("conjugate-gradient", "Poisson's equation on a cube",
              {{"n", 104, "cells on a side"}, {"steps", 10, "iterations"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Steps = int(Run["steps"]);
  Run.require(N <= 1024, "--n is at most 1024");
  Random From(Run.seed());
  State S(N, Steps);
  Numbers B = randomVector<double>(From, S.Cells, -1, 1);

  S.start(B);
  Witness Followed(Run, S);
  solve(S, [&](const char *Kernel, dim3 Grid, dim3 Block, auto Check) {
    Run.launched(Kernel, Grid, Block);
    Check(Followed);
  });
  Run.measure([&] { S.start(B); },
              [&] {
                solve(S, [&](const char *Kernel, dim3 Grid, dim3 Block, auto) {
                  Run.launched(Kernel, Grid, Block);
                });
              });
  Followed.compareEnd();
  return Run.report();
}
