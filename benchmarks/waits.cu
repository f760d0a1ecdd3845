// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a program takes that waits for the device every few launches, from one
// wait to the next, and what of it the calls take that launch and that wait.
// One line of JSON for each case. Plain CUDA.
//
//   waits [ROUNDS [SAMPLES]]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace {

/// As much as kernels of a program are given.
struct Scene {
  float *Values;
  const float *Factors;
  int Count, Offset, Stride, Turn;
};

__global__ void step(Scene Of, int Limit, int *Seen) {
  int I = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (I < Of.Count && I < Limit)
    Of.Values[I] = Of.Values[I] * 0.5f + Of.Factors[I];
  if (I == 0)
    *Seen = Of.Turn;
}

struct Case {
  const char *Name;
  int Launches;    ///< From one wait to the next.
  bool OtherGrids; ///< Each launch has another than the one before.
  bool Clears;     ///< A fill in front.
  bool Copies;     ///< The wait is a copy to the host; else a synchronisation.
  bool Empties = false; ///< A copy of no bytes in front of each launch.
};

constexpr Case Cases[] = {
    {"1 launch, copy back", 1, false, false, true},
    {"3 launches, copy back", 3, false, false, true},
    {"3 launches, other grids, copy back", 3, true, false, true},
    {"fill, 1 launch, copy back", 1, false, true, true},
    {"12 launches, other grids, copy back", 12, true, false, true},
    {"110 launches, other grids, copy back", 110, true, false, true},
    {"110 launches, synchronise", 110, false, false, false},
    {"110 launches, other grids, empty copies, copy back", 110, true, false,
     true, true},
};
constexpr int Threads = 128, Most = 132 * 4 * Threads;

using Clock = std::chrono::steady_clock;

double us(Clock::duration Time) {
  return std::chrono::duration<double, std::micro>(Time).count();
}

void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "waits: %s\n", cudaGetErrorString(Error));
  std::exit(1);
}

/// Of one sample, for a round.
struct Times {
  double Round = 0, Launching = 0, Waiting = 0;
};

class Measurement {
public:
  Measurement() {
    check(cudaMalloc(&Of.Values, Most * sizeof(float)));
    check(cudaMalloc(&Factors, Most * sizeof(float)));
    check(cudaMalloc(&Seen, sizeof(int)));
    check(cudaMemset(Of.Values, 0, Most * sizeof(float)));
    check(cudaMemset(Factors, 0, Most * sizeof(float)));
    Of.Factors = Factors;
    Of.Count = Most;
  }

  Times sample(const Case &What, int Rounds) {
    Times Sum;
    const auto Begin = Clock::now();
    for (int I = 0; I < Rounds; ++I)
      round(What, Sum);
    Sum.Round = us(Clock::now() - Begin) / Rounds;
    Sum.Launching /= Rounds;
    Sum.Waiting /= Rounds;
    return Sum;
  }

private:
  void round(const Case &What, Times &Sum) {
    const auto Begin = Clock::now();
    if (What.Clears)
      check(cudaMemsetAsync(Seen, 0, sizeof(int)));
    for (int I = 0; I < What.Launches; ++I) {
      if (What.Empties)
        check(cudaMemcpy(nullptr, Seen, 0, cudaMemcpyDeviceToHost));
      launch(What);
    }
    const auto Launched = Clock::now();
    int Got = Of.Turn;
    check(What.Copies
              ? cudaMemcpy(&Got, Seen, sizeof Got, cudaMemcpyDeviceToHost)
              : cudaDeviceSynchronize());
    Sum.Launching += us(Launched - Begin);
    Sum.Waiting += us(Clock::now() - Launched);
    if (Got != Of.Turn) {
      std::fprintf(stderr, "waits: the last launch left %d, not %d\n", Got,
                   Of.Turn);
      std::exit(1);
    }
  }

  void launch(const Case &What) {
    ++Of.Turn;
    Random = Random * 1664525 + 1013904223;
    const unsigned Blocks = What.OtherGrids ? 8 + (Random >> 16) % 256 : 132;
    step<<<Blocks, Threads>>>(Of, int(Blocks) * Threads, Seen);
    check(cudaGetLastError());
  }

  Scene Of = {};
  float *Factors = nullptr;
  int *Seen = nullptr;
  unsigned Random = 1;
};

double median(std::vector<Times> &Of, double Times::*Which) {
  std::sort(Of.begin(), Of.end(), [&](const Times &A, const Times &B) {
    return A.*Which < B.*Which;
  });
  return Of[Of.size() / 2].*Which;
}

} // namespace

int main(int Argc, char **Argv) {
  const int Rounds = Argc > 1 ? std::atoi(Argv[1]) : 200;
  const int Samples = Argc > 2 ? std::atoi(Argv[2]) : 15;
  Measurement All;
  for (const Case &Each : Cases) {
    const int Fewer = std::max(1, Rounds * 4 / (3 + Each.Launches));
    std::vector<Times> Took;
    for (int I = 0; I <= Samples; ++I)
      Took.push_back(All.sample(Each, Fewer));
    Took.erase(Took.begin());
    const double Round = median(Took, &Times::Round);
    std::printf("{\"case\": \"%s\", \"round_us\": %.2f, \"least_us\": %.2f, "
                "\"launching_us\": %.2f, \"waiting_us\": %.2f}\n",
                Each.Name, Round, Took.front().Round,
                median(Took, &Times::Launching), median(Took, &Times::Waiting));
  }
  return 0;
}
