// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The host's side of generated programs of barriers. Says `begin SEED`, then
// `ok SEED`, `WRONG SEED ...`, `ERROR SEED ...` or `HANG SEED`; the last two
// end the run. Arguments: the seeds to run, or --from SEED; none is all.

#include "BarrierMemory.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>

using namespace blockmaestro::barriers;

namespace {

constexpr unsigned Halo = 1024;
constexpr unsigned Buffers = 3;
constexpr unsigned UniformWords = 8;

std::map<unsigned, void (*)()> &programs() {
  static std::map<unsigned, void (*)()> Known;
  return Known;
}

unsigned Seed;
unsigned *Place[Memories];
size_t Size[Memories];

void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::printf("ERROR %u %s\n", Seed, cudaGetErrorString(Error));
  std::fflush(stdout);
  _exit(2);
}

void hang(int) {
  char Line[64];
  int Length = std::snprintf(Line, sizeof(Line), "HANG %u\n", Seed);
  if (write(STDOUT_FILENO, Line, Length) < 0)
    _exit(4);
  _exit(3);
}

unsigned patience() {
  const char *Given = std::getenv("BARRIERS_SECONDS");
  return Given ? std::strtoul(Given, nullptr, 10) : 60;
}

} // namespace

struct Registered {
  Registered(unsigned seed, void (*run)());
};
Registered::Registered(unsigned seed, void (*run)()) { programs()[seed] = run; }

void begin(unsigned seed, unsigned cells) {
  Seed = seed;
  std::printf("begin %u\n", seed);
  std::fflush(stdout);
  alarm(patience());
  for (unsigned I = 0; I < Memories; ++I) {
    Size[I] = I < Buffers          ? cells + 2 * Halo
              : I == UniformMemory ? UniformWords
                                   : cells;
    Words Of = contents(seed, I, Size[I]);
    check(cudaMalloc(&Place[I], 4 * Size[I]));
    check(cudaMemcpy(Place[I], Of.data(), 4 * Size[I], cudaMemcpyHostToDevice));
  }
}

unsigned *buffer(unsigned which) { return Place[which] + Halo; }
unsigned *half(unsigned which) { return Place[Half0 + which]; }
const unsigned *uniform() { return Place[UniformMemory]; }

void end(unsigned long long expected) {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  uint64_t Sum = 1469598103934665603u;
  for (unsigned I = 0; I < Memories; ++I) {
    Words Of(Size[I]);
    check(cudaMemcpy(Of.data(), Place[I], 4 * Size[I], cudaMemcpyDeviceToHost));
    Sum = hashed(Sum, Of);
    check(cudaFree(Place[I]));
  }
  alarm(0);
  if (Sum == expected)
    std::printf("ok %u\n", Seed);
  else
    std::printf("WRONG %u has %016lx, expected %016llx\n", Seed, Sum, expected);
  std::fflush(stdout);
}

int main(int count, char **given) {
  std::signal(SIGALRM, hang);
  const bool From = count > 2 && !std::strcmp(given[1], "--from");
  for (auto [seed, run] : programs()) {
    bool Wanted =
        count == 1 || (From && seed >= std::strtoul(given[2], nullptr, 10));
    for (int I = 1; I < count && !From; ++I)
      Wanted |= seed == std::strtoul(given[I], nullptr, 10);
    if (Wanted)
      run();
  }
}
