// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs of OpenMP tasks leave the words that the same steps leave
// when they are taken one after the other on the host.
//
//   random FIRST COUNT   so many programs, from this number on
//   random print NUMBER  the steps of one

// REQUIRES: openmp-target

#include "Inputs/random/Generate.h"
#include "Inputs/random/OnDevice.h"
#include "Inputs/random/OnHost.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static const char *nameOf(StepKind Kind) {
  static const char *const Names[] = {
      "Mix",         "ParallelMix", "Reduce",    "Team",           "MutexAdd",
      "SetAdd",      "IterateOut",  "IterateIn", "LocalByAddress", "Depobj",
      "SharedWrite", "SharedRead",  "KnownRead", "Structure",      "Copies",
      "BigCopies",   "Undeferred",  "Final",     "AllMemory",      "Group",
      "Loop",        "LoopAside",   "WaitAll",   "WaitIn",         "WaitOut",
      "Choose"};
  return Names[int(Kind)];
}

static void print(const Program &Of) {
  std::printf("%d words%s\n", Of.Words, Of.Mapped ? ", mapped around all" : "");
  for (const Program::Round &Round : Of.Rounds) {
    std::printf("region of form %d\n", int(Round.As));
    for (const Step &S : Round.Steps) {
      std::printf("  %s A [%d, %d) B [%d, %d) C [%d, %d) flag %d\n",
                  nameOf(S.Kind), S.A.Begin, S.A.Begin + S.A.Count, S.B.Begin,
                  S.B.Begin + S.B.Count, S.C.Begin, S.C.Begin + S.C.Count,
                  S.Flag);
      if (S.Kind == StepKind::IterateOut || S.Kind == StepKind::IterateIn)
        for (int I = 0; I < S.Number; ++I)
          std::printf("    [%d, %d)\n", Round.Ranges[S.First + I].Begin,
                      Round.Ranges[S.First + I].Begin +
                          Round.Ranges[S.First + I].Count);
      else if (S.Number != 0)
        std::printf("    and %d steps\n", S.Number);
    }
  }
}

/// The tasks of the program; -1: its results are wrong.
static long check(unsigned Seed) {
  const Program Of = Generator(Seed).make();
  std::vector<unsigned> Got = Of.Start, Wanted = Of.Start;
  std::vector<Step> StepsNow(Of.Most);
  std::vector<Range> RangesNow(Of.Most);
  unsigned *W = Got.data();
  Step *S = StepsNow.data();
  Range *R = RangesNow.data();
  const int All = Of.allWords();
  long Tasks = 0;
#pragma omp target data map(tofrom : W[0 : All]) map(to : S[0 : Of.Most])      \
    map(to : R[0 : Of.Most]) if (Of.Mapped)
  for (const Program::Round &Round : Of.Rounds) {
    std::copy(Round.Steps.begin(), Round.Steps.end(), S);
    std::copy(Round.Ranges.begin(), Round.Ranges.end(), R);
#pragma omp target update to(S[0 : Of.Most], R[0 : Of.Most]) if (Of.Mapped)
    runOnDevice(Of, Round, S, R, W);
  }
  for (const Program::Round &Round : Of.Rounds)
    Tasks += OnHost(Of, Wanted).run(Round);
  for (int I = 0; I < All; ++I)
    if (Got[I] != Wanted[I]) {
      std::printf("program %u: word %d of %d is %08x, not %08x\n", Seed, I,
                  Of.Words, Got[I], Wanted[I]);
      return -1;
    }
  return Tasks;
}

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 2;
  const unsigned Second = unsigned(std::atoll(Argv[2]));
  if (std::strcmp(Argv[1], "print") == 0) {
    print(Generator(Second).make());
    return 0;
  }
  const unsigned First = unsigned(std::atoll(Argv[1]));
  long Tasks = 0, Wrong = 0;
  for (unsigned Seed = First; Seed - First < Second; ++Seed) {
    const long Mine = check(Seed);
    Tasks += Mine < 0 ? 0 : Mine;
    Wrong += Mine < 0;
  }
  std::printf("random: %u programs from %u on, %ld tasks, %ld wrong\n", Second,
              First, Tasks, Wrong);
  return Wrong != 0;
}
