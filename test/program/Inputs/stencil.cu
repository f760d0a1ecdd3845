// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A 5-point stencil in ping-pong between two fields, 2-D blocks. Each block
// reads its neighbours' edges of the launch before (read after write), and
// overwrites what they read then (write after read).
//
// usage: stencil [--width W] [--height H] [--steps S] [--repeat R] [--time]
//
// The points on the rim keep their value. The factors are powers of two, so
// every product is exact, and a multiplication contracted with the addition
// after it rounds just as the two on their own: host and device agree bit by
// bit however they are compiled.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

__global__ void stencil(const float *From, float *To, int Width, int Height) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X > 0 && X < Width - 1 && Y > 0 && Y < Height - 1)
    To[Y * Width + X] =
        0.5f * From[Y * Width + X] +
        0.125f * (From[Y * Width + X - 1] + From[Y * Width + X + 1] +
                  From[(Y - 1) * Width + X] + From[(Y + 1) * Width + X]);
}

static void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "stencil: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

static uint64_t checksum(const void *Data, size_t Bytes) {
  uint64_t Hash = 0xcbf29ce484222325u;
  for (size_t I = 0; I < Bytes; ++I)
    Hash =
        (Hash ^ static_cast<const unsigned char *>(Data)[I]) * 0x100000001b3u;
  return Hash;
}

static long option(int Argc, char **Argv, const char *Name, long Default) {
  for (int I = 1; I + 1 < Argc; ++I)
    if (!std::strcmp(Argv[I], Name))
      return std::atol(Argv[I + 1]);
  return Default;
}

static bool flag(int Argc, char **Argv, const char *Name) {
  for (int I = 1; I < Argc; ++I)
    if (!std::strcmp(Argv[I], Name))
      return true;
  return false;
}

/// What the kernel computes, on the host.
static void step(const std::vector<float> &From, std::vector<float> &To,
                 int Width, int Height) {
  for (int Y = 1; Y < Height - 1; ++Y)
    for (int X = 1; X < Width - 1; ++X)
      To[Y * Width + X] =
          0.5f * From[Y * Width + X] +
          0.125f * (From[Y * Width + X - 1] + From[Y * Width + X + 1] +
                    From[(Y - 1) * Width + X] + From[(Y + 1) * Width + X]);
}

int main(int Argc, char **Argv) {
  const int Width = static_cast<int>(option(Argc, Argv, "--width", 16 * 32));
  const int Height = static_cast<int>(option(Argc, Argv, "--height", 9 * 8));
  const int Launches = static_cast<int>(option(Argc, Argv, "--steps", 20));
  const long Repeat = option(Argc, Argv, "--repeat", 1);
  const dim3 Block(32, 8);
  const dim3 Grid((Width + Block.x - 1) / Block.x,
                  (Height + Block.y - 1) / Block.y);
  const size_t Points = static_cast<size_t>(Width) * Height;
  const size_t Bytes = sizeof(float) * Points;

  std::vector<float> Initial(Points), Got(Points);
  for (size_t I = 0; I < Points; ++I)
    Initial[I] = static_cast<float>(I * 7919 % 1009);
  std::vector<float> Expected = Initial, Other = Initial;
  for (int I = 0; I < Launches; ++I) {
    step(Expected, Other, Width, Height);
    std::swap(Expected, Other);
  }

  float *Now = nullptr, *Next = nullptr;
  check(cudaMalloc(&Now, Bytes), "cudaMalloc");
  check(cudaMalloc(&Next, Bytes), "cudaMalloc");
  cudaEvent_t Start, Stop;
  check(cudaEventCreate(&Start), "cudaEventCreate");
  check(cudaEventCreate(&Stop), "cudaEventCreate");

  long Wrong = 0;
  std::vector<float> Microseconds;
  for (long Turn = 0; Turn < Repeat; ++Turn) {
    check(cudaMemcpy(Now, Initial.data(), Bytes, cudaMemcpyHostToDevice),
          "copy");
    check(cudaMemcpy(Next, Initial.data(), Bytes, cudaMemcpyHostToDevice),
          "copy");
    check(cudaEventRecord(Start), "cudaEventRecord");
    for (int I = 0; I < Launches; ++I) {
      stencil<<<Grid, Block>>>(Now, Next, Width, Height);
      std::swap(Now, Next);
    }
    check(cudaGetLastError(), "launch");
    check(cudaEventRecord(Stop), "cudaEventRecord");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check(cudaMemcpy(Got.data(), Now, Bytes, cudaMemcpyDeviceToHost),
          "copy back");
    Wrong += Got != Expected;
    float Milliseconds = 0;
    check(cudaEventElapsedTime(&Milliseconds, Start, Stop), "elapsed time");
    Microseconds.push_back(Milliseconds * 1000 / Launches);
  }

  check(cudaEventDestroy(Start), "cudaEventDestroy");
  check(cudaEventDestroy(Stop), "cudaEventDestroy");
  check(cudaFree(Now), "cudaFree");
  check(cudaFree(Next), "cudaFree");

  std::sort(Microseconds.begin(), Microseconds.end());
  if (flag(Argc, Argv, "--time") && !Microseconds.empty())
    std::printf("stencil: %.3f us per kernel, median of %ld\n",
                Microseconds[Microseconds.size() / 2], Repeat);
  std::printf("stencil: %s, %d launches, checksum %016llx\n",
              Wrong ? "FAILED" : "ok", Launches,
              static_cast<unsigned long long>(checksum(Got.data(), Bytes)));
  return Wrong ? 1 : 0;
}
