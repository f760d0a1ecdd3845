// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how a program of `./dev bench emulator` runs and times the cases
// on its device, and checks them.
// On the data's way: included by Cuda.cu, OpenCl.cpp and Native.cpp; prints one
// line per case, `NAME GROUP SECONDS CPU-SECONDS`, that benchmarks/emulator/run
// reads. Invariants: what is timed is launches back to back and one wait for
// the last; buffers are on the device before, the first launch (which may
// compile) is not timed. Threads: single.

#ifndef BLOCKMAESTRO_BENCHMARKS_EMULATOR_DRIVER_H
#define BLOCKMAESTRO_BENCHMARKS_EMULATOR_DRIVER_H

#include "Cases.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

[[noreturn]] inline void fail(const std::string &Why) {
  std::fprintf(stderr, "bench: error: %s\n", Why.c_str());
  std::exit(1);
}

/// A device under test; a program has one class like this.
class BenchDevice {
public:
  virtual ~BenchDevice() = default;
  virtual void load(Case &C) = 0;
  virtual void launch(Case &C) = 0;
  virtual void finish() = 0;
  /// Copies the case's output back.
  virtual void fetch(Case &C) = 0;
};

/// On the clock and on all processors together.
struct Time {
  double Wall, Cpu;
};

inline double read(clockid_t Clock) {
  timespec Now;
  clock_gettime(Clock, &Now);
  return Now.tv_sec + 1e-9 * Now.tv_nsec;
}

inline Time timeOf(BenchDevice &Device, Case &C, int Times) {
  Time Begin{read(CLOCK_MONOTONIC), read(CLOCK_PROCESS_CPUTIME_ID)};
  for (int K = 0; K < Times; ++K)
    Device.launch(C);
  Device.finish();
  return {read(CLOCK_MONOTONIC) - Begin.Wall,
          read(CLOCK_PROCESS_CPUTIME_ID) - Begin.Cpu};
}

/// Compares a case's output with what the loops by hand give.
inline void checkCase(BenchDevice &Device, Case &C) {
  Case Right = C;
  Right.ByHand(Right, 0, Right.Rows);
  Device.fetch(C);
  const Buffer &Want = Right.Buffers[C.Output], &Got = C.Buffers[C.Output];
  size_t Wrong = 0;
  for (size_t K = 0; K < Want.size(); ++K) {
    float Off = std::fabs(Got[K].F - Want[K].F);
    bool Near = Off <= C.Tolerance * (1 + std::fabs(Want[K].F));
    Wrong += C.Tolerance == 0 ? Got[K].I != Want[K].I : !Near;
  }
  if (Wrong > 0)
    fail("case " + C.Name + ": " + std::to_string(Wrong) + " wrong results");
}

/// Runs the cases named by the arguments, all without any.
inline int benchMain(BenchDevice &Device, int Count, char **Names) {
  for (Case &C : makeCases()) {
    bool Wanted = Count < 2;
    for (int K = 1; K < Count; ++K)
      Wanted |= C.Name == Names[K];
    if (!Wanted)
      continue;
    Device.load(C);
    timeOf(Device, C, 1);
    checkCase(Device, C);
    int Times = 1;
    Time Taken = timeOf(Device, C, Times);
    while (Taken.Wall < 0.05) {
      Times *= 2;
      Taken = timeOf(Device, C, Times);
    }
    std::printf("%s %s %.9f %.9f\n", C.Name.c_str(), C.Group,
                Taken.Wall / Times, Taken.Cpu / Times);
    std::fflush(stdout);
  }
  return 0;
}

#endif
