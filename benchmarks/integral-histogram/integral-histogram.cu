// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integral histogram: for every pixel the histogram of all pixels above and
// left of it, one plane of counts for each bin. The image is cut into tiles; a
// tile counts its own pixels and adds the edges of the tiles to the left, above
// and at the corner. One launch does one anti-diagonal of tiles, all bins.

#include "../common/Program.h"
#include "../common/Wavefront.h"

using namespace bench;

static constexpr int Tile = 16;
static constexpr int Group = 16; // bins that a block counts at once

/// The bin of a grey value between 0 and 255.
__host__ __device__ static int binOf(int Grey, int Bins) {
  return Grey * Bins / 256;
}

__global__ void countTile(int N, int Bins, int Diagonal, int FirstRow,
                          const unsigned char *Image, unsigned *Counts) {
  __shared__ short Bin[Tile][Tile];
  __shared__ unsigned Along[Group][Tile][Tile + 1];
  int TileRow = FirstRow + blockIdx.x, TileColumn = Diagonal - TileRow;
  int X0 = TileColumn * Tile, Y0 = TileRow * Tile;
  int X = X0 + threadIdx.x, Y = Y0 + threadIdx.y;
  Bin[threadIdx.y][threadIdx.x] =
      X < N && Y < N ? binOf(Image[Y * N + X], Bins) : -1;
  __syncthreads();

  for (int First = 0; First < Bins; First += Group) {
    int Own = First + threadIdx.y;
    unsigned Run = 0;
    for (int I = 0; I < Tile; ++I) {
      Run += Bin[threadIdx.x][I] == Own;
      Along[threadIdx.y][threadIdx.x][I] = Run;
    }
    __syncthreads();
    if (Own < Bins && X < N) {
      unsigned *Plane = Counts + size_t(Own) * N * N;
      unsigned Down = Y0 > 0 ? Plane[(Y0 - 1) * N + X] : 0;
      unsigned Corner = X0 > 0 && Y0 > 0 ? Plane[(Y0 - 1) * N + X0 - 1] : 0;
      for (int I = 0; I < Tile && Y0 + I < N; ++I) {
        unsigned Left = X0 > 0 ? Plane[(Y0 + I) * N + X0 - 1] : 0;
        Down += Along[threadIdx.y][I][threadIdx.x];
        Plane[(Y0 + I) * N + X] = Down + Left - Corner;
      }
    }
    __syncthreads();
  }
}

/// The plane of one bin on the host, row by row.
static void countPlane(int N, int Bins, int Bin,
                       const std::vector<unsigned char> &Image,
                       unsigned *Plane) {
  for (size_t Y = 0; Y < size_t(N); ++Y) {
    unsigned Row = 0;
    for (size_t X = 0; X < size_t(N); ++X) {
      Row += binOf(Image[Y * N + X], Bins) == Bin;
      Plane[Y * N + X] = Row + (Y > 0 ? Plane[(Y - 1) * N + X] : 0);
    }
  }
}

static std::vector<unsigned>
integralHistogram(int N, int Bins, const std::vector<unsigned char> &Image) {
  std::vector<unsigned> Counts(size_t(Bins) * Image.size());
  parallelFor(Bins, [&](size_t Bin) {
    countPlane(N, Bins, int(Bin), Image, &Counts[Bin * Image.size()]);
  });
  return Counts;
}

/// A picture: bright spots on a dark ground, with noise.
static std::vector<unsigned char> randomImage(Random &From, int N) {
  std::vector<unsigned char> Image(size_t(N) * N);
  double Period = From.uniform(20, 60);
  std::vector<double> Wave(N);
  for (int I = 0; I < N; ++I)
    Wave[I] = std::sin(I * 6.283185307179586 / Period);
  for (size_t Y = 0; Y < size_t(N); ++Y)
    for (size_t X = 0; X < size_t(N); ++X)
      Image[Y * N + X] =
          (unsigned char)(From.uniform(0, 128) + 63 * (1 + Wave[X] * Wave[Y]));
  return Image;
}

/// Each histogram counted from its own pixels; the bins of the last pixel hold
/// every pixel once.
static void checkReference(Program &Run) {
  int N = 29, Bins = 21;
  Random From(Run.seed());
  std::vector<unsigned char> Image = randomImage(From, N);
  std::vector<unsigned> Counts = integralHistogram(N, Bins, Image);
  std::vector<unsigned> Direct(Counts.size());
  unsigned All = 0;
  for (int Y = 0; Y < N; ++Y)
    for (int X = 0; X < N; ++X)
      for (int I = 0; I <= Y; ++I)
        for (int J = 0; J <= X; ++J)
          ++Direct[(Image[I * N + J] * Bins / 256) * N * N + Y * N + X];
  for (int Bin = 0; Bin < Bins; ++Bin)
    All += Counts[Bin * N * N + N * N - 1];
  Run.compare("counts", Counts, Direct);
  Run.expect(All == unsigned(N * N), "every pixel is in one bin");
}

int main(int Argc, char **Argv) {
  Program Run(
      "integral-histogram", "histograms of all rectangles from the corner",
      {{"n", 1024, "pixels on a side"}, {"bins", 16, "bins of a histogram"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Bins = int(Run["bins"]);
  int Tiles = (N + Tile - 1) / Tile;
  Run.require(N <= 46340, "--n is at most 46340");
  Run.require(Bins <= 256, "--bins is at most 256");
  Random From(Run.seed());
  std::vector<unsigned char> Image = randomImage(From, N);

  Array<unsigned char> DeviceImage(Image);
  Array<unsigned> Counts(size_t(Bins) * Image.size());
  dim3 Block(Tile, Group);
  Run.measure([&] { Counts.clear(); },
              [&] {
                for (const Diagonal &D : diagonals(Tiles)) {
                  dim3 Grid(D.Count);
                  countTile<<<Grid, Block>>>(N, Bins, D.Number, D.FirstRow,
                                             DeviceImage, Counts);
                  Run.launched("countTile", Grid, Block);
                }
              });

  Run.compare("counts", Counts.download(), integralHistogram(N, Bins, Image));
  return Run.report();
}
