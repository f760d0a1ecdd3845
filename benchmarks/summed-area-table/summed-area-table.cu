// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Summed-area table: for every pixel the sum of all pixels above and left of
// it. The image is cut into tiles; a tile sums its own pixels and adds the
// edges of the tiles to the left, above and at the corner. One launch does one
// anti-diagonal of tiles. Sums wrap around at 2^32, as differences of them (all
// that a table is read for) do not mind.

#include "../common/Program.h"
#include "../common/Wavefront.h"

using namespace bench;

static constexpr int Tile = 32;

/// The sum of a warp's values up to this lane's.
__device__ unsigned scanned(unsigned Value) {
  for (unsigned Step = 1; Step < 32; Step *= 2) {
    unsigned Lower = __shfl_up_sync(0xffffffffu, Value, Step);
    if (threadIdx.x >= Step)
      Value += Lower;
  }
  return Value;
}

__device__ void sumPixels(uint3 Block, uint3 Thread, int N, int Diagonal,
                          int FirstRow, const unsigned char *Image,
                          unsigned *Sums) {
  __shared__ unsigned Columns[Tile][Tile + 1];
  int TileRow = FirstRow + Block.x, TileColumn = Diagonal - TileRow;
  int X = TileColumn * Tile + Thread.x, Y = TileRow * Tile + Thread.y;
  bool Inside = X < N && Y < N;

  Columns[Thread.x][Thread.y] = scanned(Inside ? Image[Y * N + X] : 0);
  __syncthreads();
  unsigned Down = scanned(Columns[Thread.y][Thread.x]);
  Columns[Thread.y][Thread.x] = Down;
  __syncthreads();

  if (!Inside)
    return;
  unsigned Sum = Columns[Thread.x][Thread.y];
  int Left = TileColumn * Tile - 1, Above = TileRow * Tile - 1;
  if (Left >= 0)
    Sum += Sums[Y * N + Left];
  if (Above >= 0)
    Sum += Sums[Above * N + X];
  if (Left >= 0 && Above >= 0)
    Sum -= Sums[Above * N + Left];
  Sums[Y * N + X] = Sum;
}

__global__ void sumTile(int N, int Diagonal, int FirstRow,
                        const unsigned char *Image, unsigned *Sums) {
  sumPixels(blockIdx, threadIdx, N, Diagonal, FirstRow, Image, Sums);
}

/// All anti-diagonals, for one cooperative grid.
struct SumAll {
  int N, Tiles;
  const unsigned char *Image;
  unsigned *Sums;

  __device__ void operator()() const {
    for (int Number = 0; Number < 2 * Tiles - 1; ++Number) {
      Diagonal D = diagonal(Tiles, Number);
      forBlocks(dim3(D.Count), [&](uint3 Block) {
        sumPixels(Block, threadIdx, N, D.Number, D.FirstRow, Image, Sums);
      });
      syncGrid();
    }
  }
};

/// The table on the host: along all rows, then down all columns.
static std::vector<unsigned> table(int N,
                                   const std::vector<unsigned char> &Image) {
  std::vector<unsigned> Sums(Image.size());
  parallelFor(N, [&](size_t Y) {
    unsigned Sum = 0;
    for (size_t X = 0; X < size_t(N); ++X)
      Sums[Y * N + X] = Sum += Image[Y * N + X];
  });
  constexpr size_t Strip = 256;
  parallelFor((N + Strip - 1) / Strip, [&](size_t Part) {
    size_t End = std::min<size_t>(N, (Part + 1) * Strip);
    for (size_t Y = 1; Y < size_t(N); ++Y)
      for (size_t X = Part * Strip; X < End; ++X)
        Sums[Y * N + X] += Sums[(Y - 1) * N + X];
  });
  return Sums;
}

static std::vector<unsigned char> randomImage(Random &From, size_t Pixels) {
  std::vector<unsigned char> Image(Pixels);
  uint64_t Bits = 0;
  for (size_t I = 0; I < Pixels; ++I, Bits >>= 8) {
    if (I % 8 == 0)
      Bits = From.next();
    Image[I] = (unsigned char)Bits;
  }
  return Image;
}

/// A uniform image has a closed form; a random one is summed pixel by pixel.
static void checkReference(Program &Run) {
  int N = 41;
  Random From(Run.seed());
  std::vector<unsigned char> Uniform(size_t(N) * N, 201);
  std::vector<unsigned char> Image = randomImage(From, Uniform.size());
  std::vector<unsigned> Closed(Uniform.size()), Direct(Uniform.size());
  for (int Y = 0; Y < N; ++Y)
    for (int X = 0; X < N; ++X) {
      Closed[Y * N + X] = 201u * (X + 1) * (Y + 1);
      for (int I = 0; I <= Y; ++I)
        for (int J = 0; J <= X; ++J)
          Direct[Y * N + X] += Image[I * N + J];
    }
  Run.compare("a uniform image", table(N, Uniform), Closed);
  Run.compare("a random image", table(N, Image), Direct);
}

int main(int Argc, char **Argv) {
  Program Run("summed-area-table", "sums of all rectangles from the corner",
              {{"n", 2048, "pixels on a side"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Tiles = (N + Tile - 1) / Tile;
  Run.require(N <= 46340, "--n is at most 46340");
  Random From(Run.seed());
  std::vector<unsigned char> Image = randomImage(From, size_t(N) * N);

  Array<unsigned char> DeviceImage(Image);
  Array<unsigned> Sums(Image.size());
  Run.measure([&] { Sums.clear(); },
              [&] {
                dim3 Block(Tile, Tile);
                if (Run.cooperates())
                  return Run.launchWhole(SumAll{N, Tiles, DeviceImage, Sums},
                                         Tiles, Block);
                for (const Diagonal &D : diagonals(Tiles)) {
                  dim3 Grid(D.Count);
                  if (Run.waits())
                    Waiting<sumPixels>::launch(Grid, Block, N, D.Number,
                                               D.FirstRow, DeviceImage, Sums);
                  else
                    sumTile<<<Grid, Block>>>(N, D.Number, D.FirstRow,
                                             DeviceImage, Sums);
                  Run.launched("sumTile", Grid, Block);
                }
              });

  Run.compare("sums", Sums.download(), table(N, Image));
  return Run.report();
}
