// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a program takes, from one wait for the device to the next, that uploads
// a few bytes before its launches, that records events between them, or whose
// two streams are joined by events. One line of JSON for each case. Plain CUDA.
//
//   joins [ROUNDS [SAMPLES]]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace {

constexpr int Threads = 128, Blocks = 32, Count = Threads * Blocks, Lines = 2;

/// Adds what was uploaded.
__global__ void step(unsigned *Values, const unsigned *Token, unsigned Factor) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Values[I] = Values[I] * Factor + *Token;
}

/// Takes over what the other stream has.
__global__ void join(unsigned *Values, const unsigned *Others) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Values[I] += Others[I];
}

enum class Upload { None, Call, Pageable, Pinned };

struct Case {
  const char *Name;
  Upload How;
  int Launches;      ///< In a row on a stream.
  int Records;       ///< Of events that nobody waits for.
  int Forks;         ///< The second stream forks from the first and joins it.
  bool Waits = true; ///< A copy to the host at the end; else a synchronisation.
};

constexpr Case Cases[] = {
    {"12 launches, copy back", Upload::None, 12, 0, 0},
    {"4 bytes by cudaMemcpy, 12 launches, copy back", Upload::Call, 12, 0, 0},
    {"4 bytes, 12 launches, copy back", Upload::Pageable, 12, 0, 0},
    {"4 pinned bytes, 12 launches, copy back", Upload::Pinned, 12, 0, 0},
    {"4 bytes, 48 launches, copy back", Upload::Pageable, 48, 0, 0},
    {"12 launches, 3 records, copy back", Upload::None, 12, 3, 0},
    {"48 launches, 12 records, copy back", Upload::None, 48, 12, 0},
    {"1 fork of 4 launches each, synchronise", Upload::None, 4, 0, 1, false},
    {"8 forks of 4 launches each, synchronise", Upload::None, 4, 0, 8, false},
    {"8 forks of 1 launch each, synchronise", Upload::None, 1, 0, 8, false},
    {"4 bytes, 8 forks of 4 launches each, copy back", Upload::Pageable, 4, 0,
     8},
};

using Clock = std::chrono::steady_clock;

double us(Clock::duration Time) {
  return std::chrono::duration<double, std::micro>(Time).count();
}

void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "joins: %s\n", cudaGetErrorString(Error));
  std::exit(1);
}

/// The same numbers on the host: all elements are alike.
struct Wanted {
  unsigned Values[Lines] = {}, Token = 1;
  void step(int Line, unsigned Factor) {
    Values[Line] = Values[Line] * Factor + Token;
  }
};

class Measurement {
public:
  /// The default stream is left out where there is no pinned memory, in which
  /// a copy without a stream may go with the others.
  Measurement(const Case &What) : What(What) {
    check(cudaMalloc(&Token, sizeof(unsigned)));
    check(cudaMemcpy(Token, &Now.Token, sizeof(unsigned),
                     cudaMemcpyHostToDevice));
    for (unsigned *&Each : Values) {
      check(cudaMalloc(&Each, Count * sizeof(unsigned)));
      check(cudaMemset(Each, 0, Count * sizeof(unsigned)));
    }
    for (cudaEvent_t &Each : Events)
      check(cudaEventCreateWithFlags(&Each, cudaEventDisableTiming));
    if (What.How == Upload::Pinned)
      check(cudaMallocHost(&Pinned, sizeof(unsigned)));
    if (What.How != Upload::Call)
      for (cudaStream_t &Each : Streams)
        check(cudaStreamCreateWithFlags(&Each, cudaStreamNonBlocking));
    check(cudaDeviceSynchronize());
  }
  ~Measurement() {
    check(cudaDeviceSynchronize());
    check(cudaFree(Token));
    for (unsigned *Each : Values)
      check(cudaFree(Each));
    for (cudaEvent_t Each : Events)
      check(cudaEventDestroy(Each));
    if (Pinned)
      check(cudaFreeHost(Pinned));
    for (cudaStream_t Each : Streams)
      if (Each)
        check(cudaStreamDestroy(Each));
  }

  double sample(int Rounds) {
    const auto Begin = Clock::now();
    for (int I = 0; I < Rounds; ++I)
      round();
    const double Out = us(Clock::now() - Begin) / Rounds;
    compare();
    return Out;
  }

private:
  void upload() {
    unsigned Passing = ++Now.Token;
    switch (What.How) {
    case Upload::None:
      --Now.Token;
      break;
    case Upload::Call:
      check(
          cudaMemcpy(Token, &Passing, sizeof Passing, cudaMemcpyHostToDevice));
      break;
    case Upload::Pageable:
      check(cudaMemcpyAsync(Token, &Passing, sizeof Passing,
                            cudaMemcpyHostToDevice, Streams[0]));
      break;
    case Upload::Pinned:
      *Pinned = Passing;
      check(cudaMemcpyAsync(Token, Pinned, sizeof Passing,
                            cudaMemcpyHostToDevice, Streams[0]));
    }
  }

  void launch(int Line) {
    for (int I = 0; I < What.Launches; ++I) {
      step<<<Blocks, Threads, 0, Streams[Line]>>>(Values[Line], Token, 3 + I);
      Now.step(Line, 3 + I);
      if (What.Records != 0 && I % (What.Launches / What.Records) == 0)
        check(cudaEventRecord(Events[Lines + I % 2], Streams[Line]));
    }
  }

  void fork() {
    check(cudaEventRecord(Events[0], Streams[0]));
    check(cudaStreamWaitEvent(Streams[1], Events[0], 0));
    launch(1);
    check(cudaEventRecord(Events[1], Streams[1]));
    launch(0);
    check(cudaStreamWaitEvent(Streams[0], Events[1], 0));
    join<<<Blocks, Threads, 0, Streams[0]>>>(Values[0], Values[1]);
    Now.Values[0] += Now.Values[1];
  }

  void round() {
    upload();
    for (int I = 0; I < What.Forks; ++I)
      fork();
    if (What.Forks == 0)
      launch(0);
    unsigned Got = 0;
    if (What.Waits)
      check(cudaMemcpyAsync(&Got, Values[0], sizeof Got, cudaMemcpyDeviceToHost,
                            Streams[0]));
    check(cudaStreamSynchronize(Streams[0]));
  }

  void compare() {
    for (int Line = 0; Line < Lines; ++Line) {
      std::vector<unsigned> Got(Count);
      check(cudaMemcpy(Got.data(), Values[Line], Count * sizeof(unsigned),
                       cudaMemcpyDeviceToHost));
      for (unsigned Each : Got)
        if (Each != Now.Values[Line]) {
          std::fprintf(stderr, "joins: %s: %u, not %u\n", What.Name, Each,
                       Now.Values[Line]);
          std::exit(1);
        }
    }
  }

  const Case &What;
  Wanted Now;
  unsigned *Token = nullptr, *Pinned = nullptr;
  unsigned *Values[Lines] = {};
  cudaEvent_t Events[Lines + 2] = {};
  cudaStream_t Streams[Lines] = {};
};

} // namespace

int main(int Argc, char **Argv) {
  const int Rounds = Argc > 1 ? std::atoi(Argv[1]) : 100;
  const int Samples = Argc > 2 ? std::atoi(Argv[2]) : 15;
  for (const Case &Each : Cases) {
    Measurement Of(Each);
    std::vector<double> Took;
    for (int I = 0; I <= Samples; ++I)
      Took.push_back(Of.sample(Rounds));
    Took.erase(Took.begin());
    std::sort(Took.begin(), Took.end());
    std::printf("{\"case\": \"%s\", \"round_us\": %.2f, \"least_us\": %.2f}\n",
                Each.Name, Took[Took.size() / 2], Took.front());
  }
  return 0;
}
