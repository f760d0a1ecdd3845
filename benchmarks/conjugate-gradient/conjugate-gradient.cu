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
static constexpr int BoxX = 32, BoxY = 4, BoxZ = 2; // cells of a block
static constexpr int Chunk = 4 * Threads; // cells that a block sums up

/// A P, where A is the stencil, by blocks of \p Size.
__device__ void applyCell(uint3 Block, uint3 Thread, dim3 Size, int N,
                          const double *P, double *Q) {
  int X = Block.x * Size.x + Thread.x;
  int Y = Block.y * Size.y + Thread.y;
  int Z = Block.z * Size.z + Thread.z;
  if (X >= N || Y >= N || Z >= N)
    return;
  int Row = N, Plane = N * N, I = Z * Plane + Y * Row + X;
  double West = X > 0 ? P[I - 1] : 0, East = X + 1 < N ? P[I + 1] : 0;
  double South = Y > 0 ? P[I - Row] : 0, North = Y + 1 < N ? P[I + Row] : 0;
  double Below = Z > 0 ? P[I - Plane] : 0, Above = Z + 1 < N ? P[I + Plane] : 0;
  Q[I] = 6 * P[I] - ((West + East) + (South + North) + (Below + Above));
}

__global__ void applyStencil(int N, const double *P, double *Q) {
  applyCell(blockIdx, threadIdx, blockDim, N, P, Q);
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

__device__ void dotPart(uint3 Block, uint3 Thread, int Count, const double *A,
                        const double *B, double *Partials) {
  int First = Block.x * Chunk, End = min(First + Chunk, Count);
  double Sum = 0;
  for (int I = First + Thread.x; I < End; I += Threads)
    Sum += A[I] * B[I];
  Sum = blockSum(Sum);
  if (Thread.x == 0)
    Partials[Block.x] = Sum;
}

__global__ void dotPartials(int Count, const double *A, const double *B,
                            double *Partials) {
  dotPart(blockIdx, threadIdx, Count, A, B, Partials);
}

__device__ void dotSum(uint3, uint3 Thread, int Count, const double *Partials,
                       double *Total) {
  double Sum = 0;
  for (int I = Thread.x; I < Count; I += Threads)
    Sum += Partials[I];
  Sum = blockSum(Sum);
  if (Thread.x == 0)
    *Total = Sum;
}

__global__ void dotTotal(int Count, const double *Partials, double *Total) {
  dotSum(blockIdx, threadIdx, Count, Partials, Total);
}

/// One step along P, for the solution and for what is left of the right side.
__device__ void advanceCell(uint3 Block, uint3 Thread, int Count,
                            const double *RR, const double *PQ, const double *P,
                            const double *Q, double *X, double *R) {
  int I = Block.x * Threads + Thread.x;
  if (I >= Count)
    return;
  double Length = *RR / *PQ;
  X[I] += Length * P[I];
  R[I] -= Length * Q[I];
}

__global__ void advance(int Count, const double *RR, const double *PQ,
                        const double *P, const double *Q, double *X,
                        double *R) {
  advanceCell(blockIdx, threadIdx, Count, RR, PQ, P, Q, X, R);
}

/// The next direction. RR has the new sum of squares behind the old one.
__device__ void turnCell(uint3 Block, uint3 Thread, int Count, const double *RR,
                         const double *R, double *P) {
  int I = Block.x * Threads + Thread.x;
  if (I < Count)
    P[I] = R[I] + RR[1] / RR[0] * P[I];
}

__global__ void turn(int Count, const double *RR, const double *R, double *P) {
  turnCell(blockIdx, threadIdx, Count, RR, R, P);
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
  dim3 lines() const { return dim3((Cells + Threads - 1) / Threads); }
  dim3 boxes() const {
    return dim3((N + BoxX - 1) / BoxX, (N + BoxY - 1) / BoxY,
                (N + BoxZ - 1) / BoxZ);
  }
};

/// All steps, for one cooperative grid of blocks of Threads threads, which are
/// those of a box too.
struct SolveAll {
  int N, Cells, Chunks, Steps;
  dim3 Lines, Boxes;
  double *X, *R, *P, *Q, *Partials, *RR, *PQ;

  explicit SolveAll(const State &S)
      : N(S.N), Cells(S.Cells), Chunks(S.Chunks), Steps(S.Steps),
        Lines(S.lines()), Boxes(S.boxes()), X(S.X), R(S.R), P(S.P), Q(S.Q),
        Partials(S.Partials), RR(S.RR), PQ(S.PQ) {}

  __device__ void dot(const double *A, const double *B, double *To) const {
    forBlocks(dim3(Chunks), [&](uint3 Block) {
      dotPart(Block, threadIdx, Cells, A, B, Partials);
    });
    syncGrid();
    forBlocks(dim3(1), [&](uint3 Block) {
      dotSum(Block, threadIdx, Chunks, Partials, To);
    });
    syncGrid();
  }

  __device__ void step(int Step) const {
    static_assert(Threads == BoxX * BoxY * BoxZ);
    uint3 InBox{threadIdx.x % BoxX, threadIdx.x / BoxX % BoxY,
                threadIdx.x / (BoxX * BoxY)};
    forBlocks(Boxes, [&](uint3 Block) {
      applyCell(Block, InBox, dim3(BoxX, BoxY, BoxZ), N, P, Q);
    });
    syncGrid();
    dot(P, Q, PQ + Step);
    forBlocks(Lines, [&](uint3 Block) {
      advanceCell(Block, threadIdx, Cells, RR + Step, PQ + Step, P, Q, X, R);
    });
    syncGrid();
    dot(R, R, RR + Step + 1);
    forBlocks(Lines, [&](uint3 Block) {
      turnCell(Block, threadIdx, Cells, RR + Step, R, P);
    });
    syncGrid();
  }

  __device__ void operator()() const {
    dot(R, R, RR);
    for (int Step = 0; Step < Steps; ++Step)
      step(Step);
  }
};

/// Launches all steps, as kernels that wait where \p Waits says so;
/// After(Kernel, Grid, Block, Check) after each launch, where Check(Witness)
/// has a Witness look at what the launch did.
template <typename F> static void solve(const State &S, bool Waits, F After) {
  dim3 Box(BoxX, BoxY, BoxZ), Boxes = S.boxes();
  dim3 Line(Threads), Lines = S.lines();
  auto Dot = [&](const double *A, const double *B, double *To, bool Squares) {
    if (Waits)
      Waiting<dotPart>::launch(S.Chunks, Line, S.Cells, A, B, S.Partials);
    else
      dotPartials<<<S.Chunks, Line>>>(S.Cells, A, B, S.Partials);
    After("dotPartials", S.Chunks, Line, [=](auto &W) { W.partials(Squares); });
    if (Waits)
      Waiting<dotSum>::launch(1, Line, S.Chunks, S.Partials, To);
    else
      dotTotal<<<1, Line>>>(S.Chunks, S.Partials, To);
    After("dotTotal", 1, Line, [=](auto &W) { W.total(To); });
  };
  Dot(S.R, S.R, S.RR, true);
  for (int Step = 0; Step < S.Steps; ++Step) {
    double *RR = S.RR + Step, *PQ = S.PQ + Step;
    if (Waits)
      Waiting<applyCell>::launch(Boxes, Box, Box, S.N, S.P, S.Q);
    else
      applyStencil<<<Boxes, Box>>>(S.N, S.P, S.Q);
    After("applyStencil", Boxes, Box, [](auto &W) { W.applied(); });
    Dot(S.P, S.Q, PQ, false);
    if (Waits)
      Waiting<advanceCell>::launch(Lines, Line, S.Cells, RR, PQ, S.P, S.Q, S.X,
                                   S.R);
    else
      advance<<<Lines, Line>>>(S.Cells, RR, PQ, S.P, S.Q, S.X, S.R);
    After("advance", Lines, Line, [=](auto &W) { W.advanced(RR, PQ); });
    Dot(S.R, S.R, RR + 1, true);
    if (Waits)
      Waiting<turnCell>::launch(Lines, Line, S.Cells, RR, S.R, S.P);
    else
      turn<<<Lines, Line>>>(S.Cells, RR, S.R, S.P);
    After("turn", Lines, Line, [=](auto &W) { W.turned(RR); });
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
  Run.placedByHand();
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
  solve(S, false, [&](const char *Kernel, dim3 Grid, dim3 Block, auto Check) {
    Run.launched(Kernel, Grid, Block);
    Check(Followed);
  });
  Run.measure([&] { S.start(B); },
              [&] {
                if (Run.cooperates())
                  return Run.launchWhole(SolveAll(S), S.lines(), Threads);
                solve(S, Run.waits(),
                      [&](const char *Kernel, dim3 Grid, dim3 Block, auto) {
                        Run.launched(Kernel, Grid, Block);
                      });
              });
  Followed.compareEnd();
  return Run.report();
}
