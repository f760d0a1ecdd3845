// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times short dependent launches. One case per run:
//   vector N            c = a + b, b = 3c, b += a; 256 threads
//   stencil W H K       K steps of a 5-point stencil, ping-pong, 32x8 threads
//   transpose X Y       a transpose of X by Y tiles, then an add
//   chain K G R BASE SKEW
//                       K launches of G blocks; block b reads what blocks b-R
//                       to b+R of the launch before wrote and works for BASE to
//                       BASE+SKEW nanoseconds
// usage: launches REPETITIONS CASE NUMBERS...
// Prints one line of JSON: the case, how launches were issued, a checksum of
// the result, and the microseconds per launch of every repetition. With
// -DBENCH_BY_HAND chains are placed by hand (common/ByHand.h): kernels that
// wait where launches are captured, else one cooperative grid.

#include "Issue.h"
#include "common/ByHand.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

__global__ void add(const float *A, const float *B, float *C, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    C[I] = A[I] + B[I];
}

__global__ void scale(const float *C, float *B, float Factor, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    B[I] = Factor * C[I];
}

__global__ void addTo(float *B, const float *A, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    B[I] += A[I];
}

__global__ void stencil(const float *From, float *To, int Width, int Height) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X > 0 && X < Width - 1 && Y > 0 && Y < Height - 1) {
    int I = Y * Width + X;
    To[I] = 0.5f * From[I] + 0.125f * (From[I - 1] + From[I + 1] +
                                       From[I - Width] + From[I + Width]);
  }
}

constexpr int Tile = 32;
constexpr int TileRows = 8;

__global__ void transpose(const float *From, float *To, int Width, int Height) {
  __shared__ float Held[Tile][Tile + 1];
  int X = blockIdx.x * Tile + threadIdx.x;
  int Y = blockIdx.y * Tile + threadIdx.y;
  for (int J = 0; J < Tile; J += TileRows)
    Held[threadIdx.y + J][threadIdx.x] = From[(Y + J) * Width + X];
  __syncthreads();
  X = blockIdx.y * Tile + threadIdx.x;
  Y = blockIdx.x * Tile + threadIdx.y;
  for (int J = 0; J < Tile; J += TileRows)
    To[(Y + J) * Height + X] = Held[threadIdx.x][threadIdx.y + J];
}

__global__ void addTile(const float *From, float *To, int Width) {
  int X = blockIdx.x * Tile + threadIdx.x;
  int Y = blockIdx.y * Tile + threadIdx.y;
  for (int J = 0; J < Tile; J += TileRows)
    To[(Y + J) * Width + X] += From[(Y + J) * Width + X];
}

/// Nanoseconds block B of launch K works: the same every time.
__device__ unsigned workOf(unsigned K, unsigned B, unsigned Base,
                           unsigned Skew) {
  unsigned Hash = K * 2654435761u ^ (B * 40503u + 12345u);
  Hash = (Hash ^ Hash >> 13) * 0x5bd1e995u;
  return Base + (Skew ? (Hash ^ Hash >> 15) % (Skew + 1) : 0);
}

__device__ void stepPart(uint3 Block, uint3 Thread, const int *From, int *To,
                         int N, int Reach, int Launch, int Base, int Skew) {
  int I = Block.x * blockDim.x + Thread.x;
  int Largest = 0;
  for (int D = -Reach; D <= Reach; ++D) {
    int J = I + D * 256;
    if (J >= 0 && J < N)
      Largest = max(Largest, From[J]);
  }
  if (Base + Skew > 0) {
    // At 1.98 GHz.
    long long Cycles = workOf(Launch, Block.x, Base, Skew) * 198ll / 100;
    long long Start = clock64();
    while (clock64() - Start < Cycles)
      ;
  }
  To[I] = Largest + 1;
}

__global__ void step(const int *From, int *To, int N, int Reach, int Launch,
                     int Base, int Skew) {
  stepPart(blockIdx, threadIdx, From, To, N, Reach, Launch, Base, Skew);
}

/// All launches of a chain, for one cooperative grid.
struct StepAll {
  int Launches, Blocks, Reach, Base, Skew;
  int *One, *Other;

  __device__ void operator()() const {
    for (int I = 0; I < Launches; ++I) {
      int *From = I % 2 ? Other : One, *To = I % 2 ? One : Other;
      bench::forBlocks(dim3(Blocks), [&](uint3 Block) {
        stepPart(Block, threadIdx, From, To, Blocks * 256, Reach, I, Base,
                 Skew);
      });
      bench::syncGrid();
    }
  }
};

static void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "launches: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

/// What one case launches, and the memory it works on.
struct Case {
  std::vector<std::vector<float>> Initial; ///< One per device array.
  std::vector<float *> Arrays;
  size_t Result = 0; ///< Index of the array that holds the result.
  int Launches = 0;
  std::function<void(cudaStream_t)> Issue;
};

static std::vector<float> pattern(size_t Count, int Modulus) {
  std::vector<float> Out(Count);
  for (size_t I = 0; I < Count; ++I)
    Out[I] = static_cast<float>(I * 7919 % Modulus);
  return Out;
}

static void makeVector(Case &C, const std::vector<int> &Numbers) {
  int N = Numbers[0];
  C.Initial = {pattern(N, 1000), pattern(N, 77), std::vector<float>(N)};
  C.Result = 1;
  C.Launches = 3;
  C.Issue = [&C, N](cudaStream_t Stream) {
    float *A = C.Arrays[0], *B = C.Arrays[1], *Sum = C.Arrays[2];
    int Blocks = (N + 255) / 256;
    add<<<Blocks, 256, 0, Stream>>>(A, B, Sum, N);
    scale<<<Blocks, 256, 0, Stream>>>(Sum, B, 3.0f, N);
    addTo<<<Blocks, 256, 0, Stream>>>(B, A, N);
  };
}

static void makeStencil(Case &C, const std::vector<int> &Numbers) {
  int Width = Numbers[0], Height = Numbers[1], Steps = Numbers[2];
  C.Initial = {pattern(size_t(Width) * Height, 1009),
               pattern(size_t(Width) * Height, 1009)};
  C.Result = Steps % 2;
  C.Launches = Steps;
  C.Issue = [&C, Width, Height, Steps](cudaStream_t Stream) {
    dim3 Block(32, 8);
    dim3 Grid((Width + 31) / 32, (Height + 7) / 8);
    for (int I = 0; I < Steps; ++I)
      stencil<<<Grid, Block, 0, Stream>>>(C.Arrays[I % 2],
                                          C.Arrays[(I + 1) % 2], Width, Height);
  };
}

static void makeTranspose(Case &C, const std::vector<int> &Numbers) {
  int X = Numbers[0], Y = Numbers[1];
  size_t Count = size_t(X) * Y * Tile * Tile;
  C.Initial = {pattern(Count, 1009), std::vector<float>(Count),
               pattern(Count, 77)};
  C.Result = 2;
  C.Launches = 2;
  C.Issue = [&C, X, Y](cudaStream_t Stream) {
    dim3 Block(Tile, TileRows);
    transpose<<<dim3(X, Y), Block, 0, Stream>>>(C.Arrays[0], C.Arrays[1],
                                                X * Tile, Y * Tile);
    addTile<<<dim3(Y, X), Block, 0, Stream>>>(C.Arrays[1], C.Arrays[2],
                                              Y * Tile);
  };
}

static void makeChain(Case &C, const std::vector<int> &Numbers) {
  int Launches = Numbers[0], Blocks = Numbers[1];
  size_t Count = size_t(Blocks) * 256;
  C.Initial.assign(2, std::vector<float>(Count));
  C.Result = Launches % 2;
  C.Launches = Launches;
  C.Issue = [&C, Numbers, Launches, Blocks](cudaStream_t Stream) {
    int *Arrays[] = {reinterpret_cast<int *>(C.Arrays[0]),
                     reinterpret_cast<int *>(C.Arrays[1])};
    int Reach = Numbers[2], Base = Numbers[3], Skew = Numbers[4];
    bool Captured = std::strcmp(IssueName, "graph") == 0;
    if (bench::HasByHand && !Captured) {
      StepAll All{Launches, Blocks, Reach, Base, Skew, Arrays[0], Arrays[1]};
      bench::launchWhole(All, Blocks, 256, 32, Stream);
      return;
    }
    for (int I = 0; I < Launches; ++I) {
      int *From = Arrays[I % 2], *To = Arrays[(I + 1) % 2];
      if (bench::HasByHand)
        bench::Waiting<stepPart>::launchOn(Stream, Blocks, 256, From, To,
                                           Blocks * 256, Reach, I, Base, Skew);
      else
        step<<<Blocks, 256, 0, Stream>>>(From, To, Blocks * 256, Reach, I, Base,
                                         Skew);
    }
  };
}

struct Maker {
  const char *Name;
  size_t Numbers;
  void (*Make)(Case &, const std::vector<int> &);
};

constexpr Maker Makers[] = {{"vector", 1, makeVector},
                            {"stencil", 3, makeStencil},
                            {"transpose", 2, makeTranspose},
                            {"chain", 5, makeChain}};

static void allocate(Case &C) {
  for (const std::vector<float> &From : C.Initial) {
    C.Arrays.push_back(nullptr);
    check(cudaMalloc(&C.Arrays.back(), From.size() * sizeof(float)),
          "cudaMalloc");
  }
}

static void initialise(const Case &C) {
  for (size_t I = 0; I < C.Arrays.size(); ++I)
    check(cudaMemcpy(C.Arrays[I], C.Initial[I].data(),
                     C.Initial[I].size() * sizeof(float),
                     cudaMemcpyHostToDevice),
          "copy");
}

static uint64_t checksum(const Case &C) {
  std::vector<float> Got(C.Initial[C.Result].size());
  check(cudaMemcpy(Got.data(), C.Arrays[C.Result], Got.size() * sizeof(float),
                   cudaMemcpyDeviceToHost),
        "copy back");
  uint64_t Hash = 0xcbf29ce484222325u;
  for (size_t I = 0; I < Got.size() * sizeof(float); ++I)
    Hash = (Hash ^ reinterpret_cast<const unsigned char *>(Got.data())[I]) *
           0x100000001b3u;
  return Hash;
}

/// Microseconds per launch of one repetition, with everything in place.
static float timeOnce(const Case &C, cudaStream_t Stream, cudaEvent_t Start,
                      cudaEvent_t Stop) {
  check(cudaDeviceSynchronize(), "synchronise");
  check(cudaEventRecord(Start, Stream), "record");
  check(issue(C.Issue, Stream), "launch");
  check(cudaEventRecord(Stop, Stream), "record");
  check(cudaStreamSynchronize(Stream), "synchronise");
  float Milliseconds = 0;
  check(cudaEventElapsedTime(&Milliseconds, Start, Stop), "elapsed time");
  return Milliseconds * 1000 / C.Launches;
}

static void run(Case &C, const std::string &Name, int Repetitions) {
  allocate(C);
  cudaStream_t Stream;
  cudaEvent_t Start, Stop;
  check(cudaStreamCreate(&Stream), "cudaStreamCreate");
  check(cudaEventCreate(&Start), "cudaEventCreate");
  check(cudaEventCreate(&Stop), "cudaEventCreate");
  std::vector<float> Samples;
  uint64_t First = 0;
  for (int Turn = 0; Turn < Repetitions; ++Turn) {
    initialise(C);
    Samples.push_back(timeOnce(C, Stream, Start, Stop));
    uint64_t Sum = checksum(C);
    First = Turn == 0 ? Sum : First;
    if (Sum != First)
      check(cudaErrorUnknown, "repetitions differ");
  }
  cudaDeviceProp Device;
  check(cudaGetDeviceProperties(&Device, 0), "cudaGetDeviceProperties");
  std::printf("{\"case\": \"%s\", \"issue\": \"%s\", \"launches\": %d, "
              "\"device\": \"%s\", \"checksum\": \"%016llx\", "
              "\"us_per_launch\": [",
              Name.c_str(), IssueName, C.Launches, Device.name,
              static_cast<unsigned long long>(First));
  for (size_t I = 0; I < Samples.size(); ++I)
    std::printf("%s%.3f", I ? ", " : "", Samples[I]);
  std::printf("]}\n");
}

int main(int Argc, char **Argv) {
  for (const Maker &Each : Makers) {
    if (Argc < 3 || std::strcmp(Argv[2], Each.Name) != 0 ||
        Argc != 3 + static_cast<int>(Each.Numbers))
      continue;
    std::string Name = Each.Name;
    std::vector<int> Numbers;
    for (int I = 3; I < Argc; ++I) {
      Numbers.push_back(std::atoi(Argv[I]));
      Name += std::string(" ") + Argv[I];
    }
    Case C;
    Each.Make(C, Numbers);
    run(C, Name, std::atoi(Argv[1]));
    return 0;
  }
  std::fprintf(stderr, "usage: launches REPETITIONS CASE NUMBERS...\n");
  return 2;
}
