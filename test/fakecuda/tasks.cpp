// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A chain of tasks in a region that comes as often as the argument says, with
// its data on the device. With another argument a process is forked before, and
// ends.

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

enum { Tiles = 8, Side = 32 };

static void add(int Number, int (*Data)[Side]) {
#pragma omp target parallel num_threads(Side) map(tofrom : Data[0 : Tiles])
#pragma omp single
  for (int Tile = 1; Tile < Tiles; ++Tile) {
#pragma omp task firstprivate(Tile) depend(in : Data[Tile - 1])                \
    depend(inout : Data[Tile])
#pragma omp parallel for
    for (int I = 0; I < Side; ++I)
      Data[Tile][I] += Data[Tile - 1][I] + Number;
  }
}

int main(int Count, char **Arguments) {
  static int Data[Tiles][Side];
#pragma omp target enter data map(alloc : Data)
  if (Count > 2) {
    const pid_t Forked = fork();
    if (Forked == 0)
      return 0;
    waitpid(Forked, nullptr, 0);
  }
  for (int Left = std::atoi(Arguments[1]); Left > 0; --Left)
    add(1, Data);
  std::printf("tasks: ok\n");
}
