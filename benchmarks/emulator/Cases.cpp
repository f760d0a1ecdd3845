// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ByHand.h"

#include <random>

namespace {

std::mt19937 Random(7);

Buffer randomFloats(size_t N, float Low, float High) {
  std::uniform_real_distribution<float> Some(Low, High);
  Buffer B(N);
  for (Word &W : B)
    W.F = Some(Random);
  return B;
}

Buffer randomInts(size_t N, int Below) {
  Buffer B(N);
  for (Word &W : B)
    W.I = int(Random() % unsigned(Below));
  return B;
}

Buffer zeros(size_t N) { return Buffer(N, Word{.I = 0}); }

unsigned over(unsigned N, unsigned Block) { return (N + Block - 1) / Block; }

KernelLaunch line(const char *Kernel, int N, unsigned Block) {
  return {Kernel, {over(N, Block), 1}, {Block, 1}};
}
KernelLaunch plane(const char *Kernel, int W, int H, unsigned Block) {
  return {Kernel, {over(W, Block), over(H, Block)}, {Block, Block}};
}

Case vectorAdd() {
  const int N = 1000000;
  return {"vectorAdd",
          "free",
          {randomFloats(N, -1, 1), randomFloats(N, -1, 1), zeros(N)},
          2,
          0,
          {N},
          {},
          {line("vectorAdd", N, 256)},
          vectorAddByHand,
          N};
}

Case saxpy() {
  const int N = 1000000;
  return {"saxpy",
          "free",
          {randomFloats(N, -1, 1), randomFloats(N, -1, 1), zeros(N)},
          2,
          1e-6f,
          {N},
          {2.5f},
          {line("saxpy", N, 256)},
          saxpyByHand,
          N};
}

Case stencil() {
  const int W = 1022, H = 1000;
  return {"stencil",
          "free",
          {randomFloats(W * H, 0, 1), zeros(W * H)},
          1,
          1e-5f,
          {W, H},
          {},
          {plane("stencil", W, H, 16)},
          stencilByHand,
          H};
}

Case convolution() {
  const int N = 500000;
  return {"convolution",
          "free",
          {randomFloats(N + 16, 0, 1), randomFloats(17, 0, 1), zeros(N)},
          2,
          1e-5f,
          {N},
          {},
          {line("convolution", N, 256)},
          convolutionByHand,
          N};
}

Case nbody() {
  const int N = 2048;
  return {"nbody",
          "free",
          {randomFloats(3 * N, -1, 1), zeros(3 * N)},
          1,
          1e-3f,
          {N},
          {},
          {line("nbody", N, 256)},
          nbodyByHand,
          N};
}

Case mandelbrot() {
  const int W = 512, H = 512;
  return {"mandelbrot",
          "free",
          {zeros(W * H)},
          0,
          0.02f,
          {W, H, 128},
          {},
          {plane("mandelbrot", W, H, 16)},
          mandelbrotByHand,
          H};
}

Case spmv() {
  const int Rows = 65536;
  Buffer Begin(Rows + 1);
  Begin[0].I = 0;
  for (int R = 0; R < Rows; ++R)
    Begin[R + 1].I = Begin[R].I + 8 + int(Random() % 16);
  size_t Entries = Begin[Rows].I;
  return {"spmv",
          "free",
          {Begin, randomInts(Entries, Rows), randomFloats(Entries, 0, 1),
           randomFloats(Rows, 0, 1), zeros(Rows)},
          4,
          1e-5f,
          {Rows},
          {},
          {line("spmv", Rows, 256)},
          spmvByHand,
          Rows};
}

Case blackScholes() {
  const int N = 200000;
  return {"blackScholes",
          "free",
          {randomFloats(N, 5, 30), randomFloats(N, 1, 100),
           randomFloats(N, 0.25f, 10), zeros(N)},
          3,
          1e-3f,
          {N},
          {0.02f, 0.3f},
          {line("blackScholes", N, 256)},
          blackScholesByHand,
          N};
}

Case matmulTiled() {
  const int N = 256;
  return {"matmulTiled",
          "tiled",
          {randomFloats(N * N, 0, 1), randomFloats(N * N, 0, 1), zeros(N * N)},
          2,
          1e-5f,
          {N},
          {},
          {plane("matmulTiled", N, N, 16)},
          matmulTiledByHand,
          N / 16};
}

Case stencilTiled() {
  const int W = 1026, H = 1026;
  return {"stencilTiled",
          "tiled",
          {randomFloats(W * H, 0, 1), zeros(W * H)},
          1,
          1e-5f,
          {W, H},
          {},
          {plane("stencilTiled", W - 2, H - 2, 16)},
          stencilTiledByHand,
          (H - 2) / 16};
}

Case transpose() {
  const int W = 1024, H = 1024;
  return {"transpose",
          "other",
          {randomFloats(W * H, 0, 1), zeros(W * H)},
          1,
          0,
          {W, H},
          {},
          {{"transpose", {W / 32, H / 32}, {32, 8}}},
          transposeByHand,
          H};
}

Case reduction() {
  const int N = 1000000, Blocks = 128;
  return {"reduction",
          "other",
          {randomInts(N, 1000), zeros(Blocks)},
          1,
          0,
          {N},
          {},
          {{"reduction", {Blocks, 1}, {256, 1}}},
          reductionByHand,
          Blocks};
}

Case scan() {
  const int N = 262144;
  return {
      "scan", "other", {randomInts(N, 1000), zeros(N)}, 1,          0,
      {N},    {},      {line("scan", N, 256)},          scanByHand, N / 256};
}

Case histogram() {
  const int N = 1000000, Blocks = 64;
  return {"histogram",
          "other",
          {randomInts(N, 1 << 20), zeros(Blocks * 256)},
          1,
          0,
          {N},
          {},
          {{"histogram", {Blocks, 1}, {256, 1}}},
          histogramByHand,
          Blocks};
}

Case bitonic() {
  const int N = 131072;
  return {"bitonic",
          "other",
          {randomInts(N, 1 << 30), zeros(N)},
          1,
          0,
          {N},
          {},
          {{"bitonic", {N / 512, 1}, {256, 1}}},
          bitonicByHand,
          N / 512};
}

Case matvec() {
  const int Rows = 1024, Columns = 1024;
  return {"matvec",
          "warps",
          {randomFloats(Rows * Columns, 0, 1), randomFloats(Columns, 0, 1),
           zeros(Rows)},
          2,
          1e-5f,
          {Rows, Columns},
          {},
          {line("matvec", Rows * 32, 256)},
          matvecByHand,
          Rows};
}

Case softmax() {
  const int Rows = 512, Columns = 1000;
  return {"softmax",
          "warps",
          {randomFloats(Rows * Columns, -4, 4), zeros(Rows * Columns)},
          1,
          1e-5f,
          {Columns},
          {},
          {{"softmax", {Rows, 1}, {256, 1}}},
          softmaxByHand,
          Rows};
}

} // namespace

std::vector<Case> makeCases() {
  return {vectorAdd(),   saxpy(),        stencil(),   convolution(),
          nbody(),       mandelbrot(),   spmv(),      blackScholes(),
          matmulTiled(), stencilTiled(), transpose(), reduction(),
          scan(),        histogram(),    bitonic(),   matvec(),
          softmax()};
}
