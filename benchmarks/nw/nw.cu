// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Needleman-Wunsch: the best scores of aligning the beginnings of two
// sequences. A cell of the table follows from the cells above, to the left and
// above to the left. A launch is an anti-diagonal of tiles; a tile waits for
// the tiles above and to its left in the launch before, and for the corner of
// the one between them, two launches before.

#include "../common/Program.h"
#include "../common/Wavefront.h"

#include <string>

using namespace bench;

static constexpr int Tile = 16, Letters = 20;

/// Fills a tile of anti-diagonal \p Diagonal, whose first stands in row
/// \p FirstRow. The table has a row and a column more than the sequences,
/// filled beforehand.
__device__ void alignTile(uint3 Block, uint3 Thread, int N, int Diagonal,
                          int FirstRow, int Gap, const unsigned char *Down,
                          const unsigned char *Across, const int *Similarity,
                          int *Table) {
  // Rows of Tile + 2 put the cells of an anti-diagonal into different banks.
  __shared__ int Cell[Tile + 1][Tile + 2];
  int Top = (FirstRow + int(Block.x)) * Tile;
  int Left = (Diagonal - FirstRow - int(Block.x)) * Tile;
  int Height = min(Tile, N - Top), Width = min(Tile, N - Left);
  int T = Thread.x, Pitch = N + 1;
  int *Corner = Table + Top * Pitch + Left;
  if (T == 0)
    Cell[0][0] = Corner[0];
  if (T < Width)
    Cell[0][T + 1] = Corner[T + 1];
  if (T < Height)
    Cell[T + 1][0] = Corner[(T + 1) * Pitch];
  int Letter = T < Width ? Across[Left + T] : 0;
  __syncthreads();

  for (int Step = 0; Step < Height + Width - 1; ++Step) {
    int Y = Step - T;
    if (T < Width && Y >= 0 && Y < Height) {
      int Match = Cell[Y][T] + Similarity[Down[Top + Y] * Letters + Letter];
      int Skip = max(Cell[Y][T + 1], Cell[Y + 1][T]) - Gap;
      Cell[Y + 1][T + 1] = max(Match, Skip);
    }
    __syncthreads();
  }
  if (T < Width)
    for (int Y = 0; Y < Height; ++Y)
      Corner[(Y + 1) * Pitch + T + 1] = Cell[Y + 1][T + 1];
}

__global__ void alignTiles(int N, int Diagonal, int FirstRow, int Gap,
                           const unsigned char *Down,
                           const unsigned char *Across, const int *Similarity,
                           int *Table) {
  alignTile(blockIdx, threadIdx, N, Diagonal, FirstRow, Gap, Down, Across,
            Similarity, Table);
}

/// All anti-diagonals, for one cooperative grid.
struct AlignAll {
  int N, Tiles, Gap;
  const unsigned char *Down, *Across;
  const int *Similarity;
  int *Table;

  __device__ void operator()() const {
    for (int Number = 0; Number < 2 * Tiles - 1; ++Number) {
      Diagonal D = diagonal(Tiles, Number);
      forBlocks(dim3(D.Count), [&](uint3 Block) {
        alignTile(Block, threadIdx, N, D.Number, D.FirstRow, Gap, Down, Across,
                  Similarity, Table);
      });
      syncGrid();
    }
  }
};

/// What is to be aligned, and what letters are worth to each other.
struct Problem {
  int Gap;
  std::vector<unsigned char> Down, Across;
  std::vector<int> Similarity;

  int similarity(int Y, int X) const {
    return Similarity[Down[Y] * Letters + Across[X]];
  }
};

static std::vector<int> aligned(const Problem &P) {
  int N = int(P.Down.size());
  size_t Pitch = size_t(N) + 1;
  std::vector<int> Table(Pitch * Pitch);
  for (int I = 0; I <= N; ++I)
    Table[I] = Table[I * Pitch] = -P.Gap * I;
  wavefront(N, [&](int Y, int X) {
    int *Corner = &Table[Y * Pitch + X];
    int Skip = std::max(Corner[1], Corner[Pitch]) - P.Gap;
    Corner[Pitch + 1] = std::max(Corner[0] + P.similarity(Y, X), Skip);
  });
  return Table;
}

/// The best score of all ways to align what is left from \p Y and \p X on.
static int bestOfAllWays(const Problem &P, size_t Y, size_t X) {
  size_t Height = P.Down.size(), Width = P.Across.size();
  if (Y == Height || X == Width)
    return -P.Gap * int(Height - Y + Width - X);
  return std::max({P.similarity(Y, X) + bestOfAllWays(P, Y + 1, X + 1),
                   bestOfAllWays(P, Y + 1, X) - P.Gap,
                   bestOfAllWays(P, Y, X + 1) - P.Gap});
}

/// Two sequences of N letters; equal letters are worth more than others.
static Problem randomProblem(Random &From, int N) {
  Problem P{10, {}, {}, std::vector<int>(Letters * Letters)};
  for (int A = 0; A < Letters; ++A)
    for (int B = 0; B <= A; ++B)
      P.Similarity[A * Letters + B] = P.Similarity[B * Letters + A] =
          A == B ? 4 + int(From.below(8)) : int(From.below(8)) - 4;
  for (auto *Sequence : {&P.Down, &P.Across})
    for (int I = 0; I < N; ++I)
      Sequence->push_back((unsigned char)From.below(Letters));
  return P;
}

/// The textbook pair, whose best score is 0 where equal letters are worth 1
/// and other letters and gaps -1, and random sequences against all ways.
static void checkReference(Program &Run) {
  Problem Book{1, {}, {}, std::vector<int>(Letters * Letters, -1)};
  for (int A = 0; A < Letters; ++A)
    Book.Similarity[A * Letters + A] = 1;
  auto Letter = [](char Each) {
    return (unsigned char)std::string("ACGTU").find(Each);
  };
  for (char Each : std::string("GATTACA"))
    Book.Down.push_back(Letter(Each));
  for (char Each : std::string("GCATGCU"))
    Book.Across.push_back(Letter(Each));
  Run.expect(aligned(Book).back() == 0, "GATTACA and GCATGCU score 0");

  Random From(Run.seed());
  for (int N : {1, 2, 5, 8}) {
    Problem P = randomProblem(From, N);
    Run.expect(aligned(P).back() == bestOfAllWays(P, 0, 0),
               "the best of all ways of " + std::to_string(N) + " letters");
  }
}

/// Clears the table but for its first row and column.
static void prepare(int N, int Gap, Array<int> &Table) {
  size_t Row = (size_t(N) + 1) * sizeof(int);
  std::vector<int> Rim(size_t(N) + 1);
  for (int I = 0; I <= N; ++I)
    Rim[I] = -Gap * I;
  Table.clear();
  CUDA_CHECK(cudaMemcpy(Table, Rim.data(), Row, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy2D(Table, Row, Rim.data(), sizeof(int), sizeof(int),
                          size_t(N) + 1, cudaMemcpyHostToDevice));
}

int main(int Argc, char **Argv) {
  Program Run("nw", "global alignment of two sequences, by anti-diagonals",
              {{"n", 2048, "letters of each sequence"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]);
  Run.require(N <= 46339, "--n is at most 46339");
  Random From(Run.seed());
  Problem P = randomProblem(From, N);

  Array<unsigned char> Down(P.Down), Across(P.Across);
  Array<int> Similarity(P.Similarity), Table((size_t(N) + 1) * (N + 1));
  dim3 Block(Tile);
  int Tiles = (N + Tile - 1) / Tile;
  Run.measure(
      [&] { prepare(N, P.Gap, Table); },
      [&] {
        if (Run.cooperates()) {
          AlignAll All{N, Tiles, P.Gap, Down, Across, Similarity, Table};
          return Run.launchWhole(All, Tiles, Block);
        }
        for (const Diagonal &D : diagonals(Tiles)) {
          dim3 Grid(D.Count);
          if (Run.waits())
            Waiting<alignTile>::launch(Grid, Block, N, D.Number, D.FirstRow,
                                       P.Gap, Down, Across, Similarity, Table);
          else
            alignTiles<<<Grid, Block>>>(N, D.Number, D.FirstRow, P.Gap, Down,
                                        Across, Similarity, Table);
          Run.launched("alignTiles", Grid, Block);
        }
      });

  Run.compare("score", Table.download(), aligned(P));
  return Run.report();
}
