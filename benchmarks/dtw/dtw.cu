// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dynamic time warping: the least sum of distances over all ways to stretch two
// series onto each other, for all their beginnings. A cell needs its neighbours
// to the left, above and at the corner; a tile needs the edges of those tiles.
// One launch does one anti-diagonal of tiles, and within a tile every lane of a
// warp goes down a column, one row behind the lane to its left.

#include "../common/Program.h"
#include "../common/Wavefront.h"

using namespace bench;

static constexpr int Tile = 32;

/// A cell of an earlier tile. Outside, only the corner starts a way.
__device__ float costAt(int N, const float *Costs, int Y, int X) {
  if (Y < 0 && X < 0)
    return 0;
  if (Y < 0 || X < 0 || Y >= N || X >= N)
    return INFINITY;
  return Costs[Y * N + X];
}

__global__ void warpTile(int N, int Diagonal, int FirstRow, const float *A,
                         const float *B, float *Costs) {
  constexpr unsigned All = 0xffffffffu;
  __shared__ float Cell[Tile][Tile];
  int TileRow = FirstRow + blockIdx.x, TileColumn = Diagonal - TileRow;
  int Y0 = TileRow * Tile, X0 = TileColumn * Tile;
  int Lane = threadIdx.x, X = X0 + Lane;

  float OwnB = X < N ? B[X] : 0, LaneA = Y0 + Lane < N ? A[Y0 + Lane] : 0;
  float Edge = costAt(N, Costs, Y0 + Lane, X0 - 1);
  float Above = costAt(N, Costs, Y0 - 1, X);
  float Corner = costAt(N, Costs, Y0 - 1, X - 1);
  for (int Step = 0; Step < 2 * Tile - 1; ++Step) {
    int Y = Step - Lane;
    float Left = __shfl_up_sync(All, Above, 1);
    float EdgeNow = __shfl_sync(All, Edge, Step % Tile);
    float RowA = __shfl_sync(All, LaneA, (Y + Tile) % Tile);
    if (Y < 0 || Y >= Tile)
      continue;
    if (Lane == 0)
      Left = EdgeNow;
    Above = fabsf(RowA - OwnB) + fminf(fminf(Above, Left), Corner);
    Corner = Left;
    Cell[Y][Lane] = Above;
  }
  __syncwarp();

  for (int Y = 0; Y < Tile && Y0 + Y < N; ++Y)
    if (X < N)
      Costs[(Y0 + Y) * N + X] = Cell[Y][Lane];
}

/// The costs on the host, row by row.
static std::vector<double> costs(const std::vector<float> &A,
                                 const std::vector<float> &B) {
  size_t N = B.size();
  std::vector<double> Costs(A.size() * N);
  for (size_t Y = 0; Y < A.size(); ++Y) {
    double Left = INFINITY, Corner = Y > 0 ? INFINITY : 0;
    for (size_t X = 0; X < N; ++X) {
      double Above = Y > 0 ? Costs[(Y - 1) * N + X] : INFINITY;
      double Best = std::min(Above, Corner);
      Best = std::min(Best, Left) + std::fabs(double(A[Y]) - B[X]);
      Costs[Y * N + X] = Left = Best;
      Corner = Above;
    }
  }
  return Costs;
}

/// Costs with how far those of a device may be from them. A rounded sum is
/// never smaller than that of smaller numbers, so a device finds the least of
/// all ways' rounded sums. A way to cell (Y, X) has at most Y + X + 1 cells;
/// each rounds once in its distance and once in its addition, and the distance
/// of the first cell passes through all of it.
static std::vector<Rounded<float>> bounds(const std::vector<double> &Costs,
                                          size_t N) {
  std::vector<Rounded<float>> Result(Costs.size());
  parallelFor(Costs.size() / N, [&](size_t Y) {
    for (size_t X = 0; X < N; ++X) {
      double Cost = Costs[Y * N + X], Roundings = double(Y + X + 2);
      Result[Y * N + X] =
          Rounded<float>::within(Cost, gamma<float>(Roundings) * Cost +
                                           Roundings * Rounding<float>::Least);
    }
  });
  return Result;
}

/// A random walk around zero, seen through small noise.
static std::vector<float> randomSeries(Random &From, size_t Length) {
  std::vector<float> Series(Length);
  double Level = 0;
  for (float &Each : Series) {
    Level = 0.98 * Level + 0.2 * From.normal();
    Each = float(Level + 0.02 * From.normal());
  }
  return Series;
}

/// The least sum over all ways from (Y, X) on to the ends, one by one.
static double leastWay(const std::vector<float> &A, const std::vector<float> &B,
                       size_t Y, size_t X) {
  double Own = std::fabs(double(A[Y]) - B[X]), Rest = INFINITY;
  bool Down = Y + 1 < A.size(), Right = X + 1 < B.size();
  if (!Down && !Right)
    return Own;
  if (Down)
    Rest = std::min(Rest, leastWay(A, B, Y + 1, X));
  if (Right)
    Rest = std::min(Rest, leastWay(A, B, Y, X + 1));
  if (Down && Right)
    Rest = std::min(Rest, leastWay(A, B, Y + 1, X + 1));
  return Own + Rest;
}

/// All ways tried; and a series of which every number is repeated costs
/// nothing.
static void checkReference(Program &Run) {
  Random From(Run.seed());
  std::vector<float> A = randomSeries(From, 8), B = randomSeries(From, 7);
  double Least = leastWay(A, B, 0, 0);
  Run.expect(std::fabs(costs(A, B).back() - Least) <= 1e-12 * Least,
             "the least of all ways");
  std::vector<float> Slow;
  for (float Each : A)
    Slow.insert(Slow.end(), 1 + From.below(4), Each);
  Run.expect(costs(A, Slow).back() == 0, "a slower series is the same");
}

int main(int Argc, char **Argv) {
  Program Run("dtw", "dynamic time warping of two series",
              {{"n", 2048, "numbers of a series"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Tiles = (N + Tile - 1) / Tile;
  Run.require(N <= 46340, "--n is at most 46340");
  Random From(Run.seed());
  std::vector<float> A = randomSeries(From, N), B = randomSeries(From, N);

  Array<float> DeviceA(A), DeviceB(B), Costs(size_t(N) * N);
  Run.measure([&] { Costs.clear(); },
              [&] {
                for (const Diagonal &D : diagonals(Tiles)) {
                  dim3 Grid(D.Count);
                  warpTile<<<Grid, Tile>>>(N, D.Number, D.FirstRow, DeviceA,
                                           DeviceB, Costs);
                  Run.launched("warpTile", Grid, Tile);
                }
              });

  Run.compare("costs", Costs.download(), bounds(costs(A, B), N));
  return Run.report();
}
