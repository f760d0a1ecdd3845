// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Smith-Waterman: the scores of all local alignments of two DNA sequences. A
// cell needs its neighbours to the left, above and at the corner; a tile needs
// the edges of those tiles. One launch does one anti-diagonal of tiles, and
// within a tile one warp goes along the anti-diagonals of cells.

#include "../common/Program.h"
#include "../common/Wavefront.h"

using namespace bench;

static constexpr int Tile = 32;
static constexpr int Match = 5, Mismatch = -3, Gap = -4;

/// Scores is a matrix of N + 1 rows and columns, those of index 0 being zero.
__global__ void scoreTile(int N, int Diagonal, int FirstRow, const char *A,
                          const char *B, int *Scores) {
  __shared__ int Cell[Tile + 1][Tile + 1];
  int TileRow = FirstRow + blockIdx.x, TileColumn = Diagonal - TileRow;
  int Y0 = TileRow * Tile, X0 = TileColumn * Tile;
  int Own = threadIdx.x;
  int Pitch = N + 1, Height = min(Tile, N - Y0), Width = min(Tile, N - X0);

  if (Own < Width)
    Cell[0][Own + 1] = Scores[Y0 * Pitch + X0 + Own + 1];
  if (Own < Height)
    Cell[Own + 1][0] = Scores[(Y0 + Own + 1) * Pitch + X0];
  if (Own == 0)
    Cell[0][0] = Scores[Y0 * Pitch + X0];
  char Letter = Own < Height ? A[Y0 + Own] : 0;
  __syncthreads();

  for (int Step = 0; Step < 2 * Tile - 1; ++Step) {
    int X = Step - Own;
    if (Own < Height && X >= 0 && X < Width) {
      int Score = Letter == B[X0 + X] ? Match : Mismatch;
      int Best = max(0, Cell[Own][X] + Score);
      Best = max(Best, max(Cell[Own][X + 1], Cell[Own + 1][X]) + Gap);
      Cell[Own + 1][X + 1] = Best;
    }
    __syncthreads();
  }

  if (Own < Width)
    for (int Y = 0; Y < Height; ++Y)
      Scores[(Y0 + Y + 1) * Pitch + X0 + Own + 1] = Cell[Y + 1][Own + 1];
}

/// The matrix on the host, row by row.
static std::vector<int> scores(const std::vector<char> &A,
                               const std::vector<char> &B) {
  size_t Pitch = B.size() + 1;
  std::vector<int> Scores((A.size() + 1) * Pitch);
  for (size_t Y = 0; Y < A.size(); ++Y) {
    const int *Above = &Scores[Y * Pitch];
    int *Row = &Scores[(Y + 1) * Pitch], Left = 0;
    for (size_t X = 0; X < B.size(); ++X) {
      int Best = Above[X] + (A[Y] == B[X] ? Match : Mismatch);
      Best = std::max({0, Best, Above[X + 1] + Gap});
      Row[X + 1] = Left = std::max(Best, Left + Gap);
    }
  }
  return Scores;
}

static std::vector<char> randomGenes(Random &From, size_t Length) {
  std::vector<char> Genes(Length);
  for (char &Each : Genes)
    Each = "ACGT"[From.below(4)];
  return Genes;
}

/// The best score of an alignment that ends at the letters Y and X, by trying
/// the last letters aligned, or a gap of every length: no recurrence of scores
/// of gaps, but their definition.
static int bestEnding(const std::vector<char> &A, const std::vector<char> &B,
                      std::vector<int> &Known, size_t Y, size_t X) {
  if (Y == 0 || X == 0)
    return 0;
  int &Best = Known[Y * (B.size() + 1) + X];
  if (Best >= 0)
    return Best;
  Best = std::max(0, bestEnding(A, B, Known, Y - 1, X - 1) +
                         (A[Y - 1] == B[X - 1] ? Match : Mismatch));
  for (size_t Length = 1; Length <= Y; ++Length)
    Best = std::max(Best,
                    bestEnding(A, B, Known, Y - Length, X) + int(Length) * Gap);
  for (size_t Length = 1; Length <= X; ++Length)
    Best = std::max(Best,
                    bestEnding(A, B, Known, Y, X - Length) + int(Length) * Gap);
  return Best;
}

/// A sequence with itself, with itself without one letter, and two others from
/// the definition.
static void checkReference(Program &Run) {
  Random From(Run.seed());
  std::vector<char> A = randomGenes(From, 37), B = randomGenes(From, 29);
  std::vector<int> Same = scores(A, A);
  Run.expect(Same.back() == int(A.size()) * Match, "a sequence with itself");
  std::vector<char> Less(A);
  Less.erase(Less.begin() + 18);
  Run.expect(scores(A, Less).back() == int(Less.size()) * Match + Gap,
             "a sequence with a shorter one");
  std::vector<int> Known(38 * 30, -1);
  for (size_t Y = 0; Y <= A.size(); ++Y)
    for (size_t X = 0; X <= B.size(); ++X)
      Known[Y * 30 + X] = bestEnding(A, B, Known, Y, X);
  Run.compare("two sequences", scores(A, B), Known);
}

int main(int Argc, char **Argv) {
  Program Run("smith-waterman", "local alignments of two DNA sequences",
              {{"n", 2048, "letters of a sequence"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Tiles = (N + Tile - 1) / Tile;
  Run.require(N <= 46339, "--n is at most 46339");
  Random From(Run.seed());
  std::vector<char> A = randomGenes(From, N), B = A;
  for (char &Each : B)
    if (From.below(4) == 0)
      Each = "ACGT"[From.below(4)];

  Array<char> DeviceA(A), DeviceB(B);
  Array<int> Scores(size_t(N + 1) * (N + 1));
  Run.measure([&] { Scores.clear(); },
              [&] {
                for (const Diagonal &D : diagonals(Tiles)) {
                  dim3 Grid(D.Count);
                  scoreTile<<<Grid, Tile>>>(N, D.Number, D.FirstRow, DeviceA,
                                            DeviceB, Scores);
                  Run.launched("scoreTile", Grid, Tile);
                }
              });

  Run.compare("scores", Scores.download(), scores(A, B));
  return Run.report();
}
