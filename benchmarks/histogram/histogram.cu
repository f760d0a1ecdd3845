// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Histogram: how many pixels of an image fall into each bin, where a bin counts
// no further than a limit. Two launches for each image: blocks count their own
// pixels in shared memory and leave a histogram each; then these are merged.
// Every image uses the same memory for the histograms of the blocks.

#include "../common/Program.h"

using namespace bench;

static constexpr int Width = 256, PixelsOfBlock = 4096;
static constexpr int Columns = 32, Rows = 8;

/// Counts a block's pixels into its own histogram.
__global__ void countPixels(int N, int Bins, const unsigned short *Pixels,
                            unsigned *Partial) {
  extern __shared__ unsigned Count[];
  for (int Bin = threadIdx.x; Bin < Bins; Bin += Width)
    Count[Bin] = 0;
  __syncthreads();
  int Begin = blockIdx.x * PixelsOfBlock, End = min(N, Begin + PixelsOfBlock);
  for (int I = Begin + threadIdx.x; I < End; I += Width)
    atomicAdd(&Count[Pixels[I]], 1u);
  __syncthreads();
  for (int Bin = threadIdx.x; Bin < Bins; Bin += Width)
    Partial[size_t(blockIdx.x) * Bins + Bin] = Count[Bin];
}

/// Adds the histograms of all blocks, a column of threads for each bin.
__global__ void mergeCounts(int Parts, int Bins, unsigned Limit,
                            const unsigned *Partial, unsigned *Histogram) {
  __shared__ unsigned Sum[Rows][Columns];
  int Bin = blockIdx.x * Columns + threadIdx.x;
  unsigned Own = 0;
  if (Bin < Bins)
    for (int Part = threadIdx.y; Part < Parts; Part += Rows)
      Own += Partial[size_t(Part) * Bins + Bin];
  Sum[threadIdx.y][threadIdx.x] = Own;
  __syncthreads();
  if (threadIdx.y != 0 || Bin >= Bins)
    return;
  unsigned Total = 0;
  for (int Row = 0; Row < Rows; ++Row)
    Total += Sum[Row][threadIdx.x];
  Histogram[Bin] = min(Total, Limit);
}

/// The histogram of an image on the host.
static std::vector<unsigned> counted(const unsigned short *Pixels, size_t N,
                                     int Bins, unsigned Limit) {
  std::vector<unsigned> Count(Bins);
  for (size_t I = 0; I < N; ++I)
    ++Count[Pixels[I]];
  for (unsigned &Each : Count)
    Each = std::min(Each, Limit);
  return Count;
}

/// Images of the middle of the range and little of its ends, as measured ones
/// are: the mean of three numbers in a row.
static std::vector<unsigned short> images(uint64_t Seed, size_t Count, int N,
                                          int Bins) {
  std::vector<unsigned short> Pixels(Count * N);
  size_t Part = 65536;
  parallelFor((Pixels.size() + Part - 1) / Part, [&](size_t P) {
    Random From(Seed ^ (P + 1) * 0x9e3779b97f4a7c15u);
    size_t End = std::min(Pixels.size(), (P + 1) * Part);
    for (size_t I = P * Part; I < End; ++I) {
      uint64_t Bits = From.next();
      uint64_t Three =
          (Bits & 0xffff) + (Bits >> 16 & 0xffff) + (Bits >> 32 & 0xffff);
      Pixels[I] = (unsigned short)(Three * Bins / (3 * 0xffff + 1));
    }
  });
  return Pixels;
}

/// Counting is the same as sorting and measuring the runs of equal pixels; in
/// an image with bin B repeated B times the histogram is known.
static void checkReference(Program &Run) {
  int N = 50000, Bins = 500;
  unsigned Limit = 200;
  std::vector<unsigned short> Pixels = images(Run.seed(), 1, N, Bins);
  std::vector<unsigned> Count = counted(Pixels.data(), N, Bins, Limit);
  std::sort(Pixels.begin(), Pixels.end());
  std::vector<unsigned> Runs;
  for (int Bin = 0; Bin < Bins; ++Bin) {
    auto Equal = std::equal_range(Pixels.begin(), Pixels.end(), Bin);
    Runs.push_back(std::min(unsigned(Equal.second - Equal.first), Limit));
  }
  Run.compare("counted and sorted", Count, Runs);

  std::vector<unsigned short> Stairs;
  std::vector<unsigned> Known;
  for (int Bin = 0; Bin < Bins; ++Bin) {
    Stairs.insert(Stairs.end(), Bin, Bin);
    Known.push_back(std::min(unsigned(Bin), Limit));
  }
  Run.compare("stairs", counted(Stairs.data(), Stairs.size(), Bins, Limit),
              Known);
}

int main(int Argc, char **Argv) {
  Program Run("histogram", "saturating histograms of images",
              {{"n", 1035840, "pixels of an image"},
               {"bins", 4096, "bins"},
               {"limit", 255, "where a bin saturates"},
               {"images", 20, "images"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Bins = int(Run["bins"]), Images = int(Run["images"]);
  unsigned Limit = unsigned(Run["limit"]);
  Run.require(N <= 1 << 30, "--n is at most 2^30");
  Run.require(Bins <= 12288, "--bins is at most 12288");
  std::vector<unsigned short> Pixels = images(Run.seed(), Images, N, Bins);

  int Parts = (N + PixelsOfBlock - 1) / PixelsOfBlock;
  Array<unsigned short> DevicePixels(Pixels);
  Array<unsigned> Partial(size_t(Parts) * Bins);
  Array<unsigned> Histograms(size_t(Images) * Bins);
  dim3 Block(Width), Grid(Parts);
  dim3 MergeBlock(Columns, Rows), MergeGrid((Bins + Columns - 1) / Columns);
  Run.measure([&] { Histograms.clear(); },
              [&] {
                for (int Image = 0; Image < Images; ++Image) {
                  countPixels<<<Grid, Block, Bins * sizeof(unsigned)>>>(
                      N, Bins, DevicePixels + size_t(Image) * N, Partial);
                  Run.launched("countPixels", Grid, Block);
                  mergeCounts<<<MergeGrid, MergeBlock>>>(
                      Parts, Bins, Limit, Partial,
                      Histograms + size_t(Image) * Bins);
                  Run.launched("mergeCounts", MergeGrid, MergeBlock);
                }
              });

  std::vector<unsigned> Want(Histograms.size());
  parallelFor(Images, [&](size_t Image) {
    std::vector<unsigned> Count =
        counted(Pixels.data() + Image * N, N, Bins, Limit);
    std::copy(Count.begin(), Count.end(), Want.begin() + Image * Bins);
  });
  Run.compare("histograms", Histograms.download(), Want);
  return Run.report();
}
