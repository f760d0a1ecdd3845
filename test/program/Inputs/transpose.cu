// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A transpose through a tile in shared memory, then an addition over the
// transposed matrix: block (x, y) of the addition needs block (y, x) of the
// transpose.
//
// usage: transpose [--tiles-x X] [--tiles-y Y] [--repeat R] [--time]
//
// All values are whole numbers below 2^24, so that float arithmetic is exact.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

static constexpr int Tile = 32;
static constexpr int Rows = 8;

/// Out, Height wide, is In, Width wide, transposed.
__global__ void transpose(const float *In, float *Out, int Width, int Height) {
  __shared__ float Buffer[Tile][Tile + 1];
  int X = blockIdx.x * Tile + threadIdx.x;
  int Y = blockIdx.y * Tile + threadIdx.y;
  for (int J = 0; J < Tile; J += Rows)
    Buffer[threadIdx.y + J][threadIdx.x] = In[(Y + J) * Width + X];
  __syncthreads();
  X = blockIdx.y * Tile + threadIdx.x;
  Y = blockIdx.x * Tile + threadIdx.y;
  for (int J = 0; J < Tile; J += Rows)
    Out[(Y + J) * Height + X] = Buffer[threadIdx.x][threadIdx.y + J];
}

__global__ void add(const float *A, const float *B, float *Sum, int Width) {
  int X = blockIdx.x * Tile + threadIdx.x;
  int Y = blockIdx.y * Tile + threadIdx.y;
  for (int J = 0; J < Tile; J += Rows)
    Sum[(Y + J) * Width + X] = A[(Y + J) * Width + X] + B[(Y + J) * Width + X];
}

static void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "transpose: %s: %s\n", What, cudaGetErrorString(Error));
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

int main(int Argc, char **Argv) {
  const int TilesX = static_cast<int>(option(Argc, Argv, "--tiles-x", 8));
  const int TilesY = static_cast<int>(option(Argc, Argv, "--tiles-y", 6));
  const long Repeat = option(Argc, Argv, "--repeat", 1);
  const int Width = TilesX * Tile, Height = TilesY * Tile;
  const int Launches = 2;
  const dim3 Block(Tile, Rows);
  const size_t Points = static_cast<size_t>(Width) * Height;
  const size_t Bytes = sizeof(float) * Points;

  std::vector<float> In(Points), Other(Points), Expected(Points), Got(Points);
  for (size_t I = 0; I < Points; ++I) {
    In[I] = static_cast<float>(I % 4093);
    Other[I] = static_cast<float>(I * 31 % 2039);
  }
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X)
      Expected[X * Height + Y] = In[Y * Width + X] + Other[X * Height + Y];

  float *DeviceIn = nullptr, *Transposed = nullptr, *DeviceOther = nullptr,
        *Sum = nullptr;
  check(cudaMalloc(&DeviceIn, Bytes), "cudaMalloc");
  check(cudaMalloc(&Transposed, Bytes), "cudaMalloc");
  check(cudaMalloc(&DeviceOther, Bytes), "cudaMalloc");
  check(cudaMalloc(&Sum, Bytes), "cudaMalloc");
  cudaEvent_t Start, Stop;
  check(cudaEventCreate(&Start), "cudaEventCreate");
  check(cudaEventCreate(&Stop), "cudaEventCreate");

  long Wrong = 0;
  std::vector<float> Microseconds;
  for (long Turn = 0; Turn < Repeat; ++Turn) {
    check(cudaMemcpy(DeviceIn, In.data(), Bytes, cudaMemcpyHostToDevice),
          "copy");
    check(cudaMemcpy(DeviceOther, Other.data(), Bytes, cudaMemcpyHostToDevice),
          "copy");
    check(cudaMemset(Transposed, 0, Bytes), "cudaMemset");
    check(cudaMemset(Sum, 0, Bytes), "cudaMemset");
    check(cudaEventRecord(Start), "cudaEventRecord");
    transpose<<<dim3(TilesX, TilesY), Block>>>(DeviceIn, Transposed, Width,
                                               Height);
    add<<<dim3(TilesY, TilesX), Block>>>(Transposed, DeviceOther, Sum, Height);
    check(cudaGetLastError(), "launch");
    check(cudaEventRecord(Stop), "cudaEventRecord");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check(cudaMemcpy(Got.data(), Sum, Bytes, cudaMemcpyDeviceToHost),
          "copy back");
    Wrong += Got != Expected;
    float Milliseconds = 0;
    check(cudaEventElapsedTime(&Milliseconds, Start, Stop), "elapsed time");
    Microseconds.push_back(Milliseconds * 1000 / Launches);
  }

  check(cudaEventDestroy(Start), "cudaEventDestroy");
  check(cudaEventDestroy(Stop), "cudaEventDestroy");
  check(cudaFree(DeviceIn), "cudaFree");
  check(cudaFree(Transposed), "cudaFree");
  check(cudaFree(DeviceOther), "cudaFree");
  check(cudaFree(Sum), "cudaFree");

  std::sort(Microseconds.begin(), Microseconds.end());
  if (flag(Argc, Argv, "--time") && !Microseconds.empty())
    std::printf("transpose: %.3f us per kernel, median of %ld\n",
                Microseconds[Microseconds.size() / 2], Repeat);
  std::printf("transpose: %s, %d launches, checksum %016llx\n",
              Wrong ? "FAILED" : "ok", Launches,
              static_cast<unsigned long long>(checksum(Got.data(), Bytes)));
  return Wrong ? 1 : 0;
}
