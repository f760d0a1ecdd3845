// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a launch as the front end gives it to an executor that gathers.
// On the data's way: for its tests.
// Threads: the test's.

#ifndef BLOCKMAESTRO_TEST_UNIT_EXEC_LAUNCHBY_H
#define BLOCKMAESTRO_TEST_UNIT_EXEC_LAUNCHBY_H

#include "Chained.h"

#include <gtest/gtest.h>

namespace blockmaestro {

/// Takes the launch to Runs, or to the GPU where that does not hold it.
inline void launchBy(Chained &Runs, GpuPort &Gpu, GpuLaunch What) {
  What.Form = KernelVariant::Pdl;
  What.Programmatic = true;
  const Result<bool> Held = Runs.gather(GpuWork(What));
  ASSERT_TRUE(Held.ok());
  if (!*Held) {
    ASSERT_TRUE(Gpu.launch(What).ok());
  }
}

} // namespace blockmaestro

#endif
