// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two vector additions of equal size. The second adds to the sums of the first
// in another order: its blocks stand in groups of `degree`, and a block takes
// an equal piece of the sums of every first block of its group. So each waits
// for `degree` blocks, and all degrees do the same work.

#include "../common/Program.h"

using namespace bench;

static constexpr int Threads = 256, PerBlock = 2048;

__global__ void addVectors(const float *A, const float *B, float *Sum) {
  int Begin = blockIdx.x * PerBlock;
  for (int I = threadIdx.x; I < PerBlock; I += Threads)
    Sum[Begin + I] = A[Begin + I] + B[Begin + I];
}

/// Adds \p B to the sums of the blocks of a group, of which member M takes the
/// M-th piece of each.
__global__ void addPieces(int Degree, const float *Sum, const float *B,
                          float *Total) {
  int Member = blockIdx.x % Degree, Group = blockIdx.x - Member;
  int Piece = PerBlock / Degree, Begin = blockIdx.x * PerBlock;
  for (int I = threadIdx.x; I < PerBlock; I += Threads) {
    int Source = Group + I / Piece;
    Total[Begin + I] =
        Sum[Source * PerBlock + Member * Piece + I % Piece] + B[Begin + I];
  }
}

/// The sum that element \p I of the second addition takes.
static size_t taken(int Degree, size_t I) {
  size_t Piece = PerBlock / Degree, Size = size_t(Degree) * PerBlock;
  size_t Group = I / Size * Size;
  size_t Member = I % Size / PerBlock, At = I % PerBlock;
  return Group + At / Piece * PerBlock + Member * Piece + At % Piece;
}

static std::vector<Rounded<float>>
added(int Degree, const std::vector<float> &A, const std::vector<float> &B) {
  std::vector<Rounded<float>> Total(A.size());
  parallelFor(A.size() / PerBlock, [&](size_t Block) {
    for (size_t I = Block * PerBlock; I < (Block + 1) * PerBlock; ++I) {
      size_t J = taken(Degree, I);
      Total[I] = Rounded<float>(A[J]) + Rounded<float>(B[J]) + B[I];
    }
  });
  return Total;
}

/// A group is a square of pieces, [block][piece], and the second addition reads
/// it transposed: twice is the order of before, and every block of a group
/// comes equally often.
static void checkReference(Program &Run) {
  bool Twice = true, Even = true;
  for (int Degree = 1; Degree <= 64; Degree *= 4)
    for (size_t Block = 0; Block < 128; ++Block) {
      std::vector<int> Count(128);
      for (size_t I = Block * PerBlock; I < (Block + 1) * PerBlock; ++I) {
        Twice &= taken(Degree, taken(Degree, I)) == I;
        ++Count[taken(Degree, I) / PerBlock];
      }
      for (size_t Other = 0; Other < 128; ++Other)
        Even &= Count[Other] ==
                (Other / Degree == Block / Degree ? PerBlock / Degree : 0);
    }
  Run.expect(Twice, "taking twice");
  Run.expect(Even, "equal pieces of a group's blocks");

  Random From(Run.seed());
  std::vector<float> A = randomVector<float>(From, 16 * PerBlock, -1, 1);
  std::vector<float> B = randomVector<float>(From, 16 * PerBlock, -1, 1);
  std::vector<Rounded<float>> Transposed(A.size());
  for (int Block = 0; Block < 16; ++Block)
    for (int Piece = 0; Piece < 16; ++Piece)
      for (int I = 0; I < 128; ++I) {
        int From = Piece * PerBlock + Block * 128 + I;
        int To = Block * PerBlock + Piece * 128 + I;
        Transposed[To] = Rounded<float>::within(
            double(A[From]) + double(B[From]) + double(B[To]), 1e-15);
      }
  Run.compare("a group of 16", added(16, A, B), Transposed);
}

int main(int Argc, char **Argv) {
  Program Run("vectoradd", "two additions, the second waiting in groups",
              {{"blocks", 256, "blocks of each addition"},
               {"degree", 4, "blocks of a group, a power of two"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Blocks = int(Run["blocks"]), Degree = int(Run["degree"]);
  Run.require(Blocks < (1 << 20), "--blocks is below 2^20");
  Run.require(Degree <= PerBlock && (Degree & (Degree - 1)) == 0,
              "--degree is a power of two and at most 2048");
  Run.require(Blocks % Degree == 0, "--degree divides --blocks");
  Random From(Run.seed());
  size_t Count = size_t(Blocks) * PerBlock;
  std::vector<float> A = randomVector<float>(From, Count, -1, 1);
  std::vector<float> B = randomVector<float>(From, Count, -1, 1);

  Array<float> DeviceA(A), DeviceB(B), Sum(Count), Total(Count);
  dim3 Block(Threads), Grid(Blocks);
  Run.measure(
      [&] {
        Sum.clear();
        Total.clear();
      },
      [&] {
        addVectors<<<Grid, Block>>>(DeviceA, DeviceB, Sum);
        Run.launched("addVectors", Grid, Block);
        addPieces<<<Grid, Block>>>(Degree, Sum, DeviceB, Total);
        Run.launched("addPieces", Grid, Block);
      });

  Run.compare("total", Total.download(), added(Degree, A, B));
  return Run.report();
}
