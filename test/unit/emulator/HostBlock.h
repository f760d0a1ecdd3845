// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: blocks whose threads are C++ functions, for the tests of what
// lies below compiled code.

#ifndef BLOCKMAESTRO_TEST_UNIT_EMULATOR_HOSTBLOCK_H
#define BLOCKMAESTRO_TEST_UNIT_EMULATOR_HOSTBLOCK_H

#include "ThreadScheduler.h"
#include "WarpCalls.h"

#include "gtest/gtest.h"

#include <functional>

namespace blockmaestro {

inline constexpr uint32_t FullMask = ~0u;

/// One block of \p Threads threads that all run the code given.
class HostBlock {
public:
  using Code = std::function<void(BlockContext *, uint32_t Thread)>;

  HostBlock(uint32_t Threads, Code What, bool Guarded = false)
      : What(std::move(What)), Stacks(64 << 10, Guarded) {
    Context.Arguments = reinterpret_cast<const uint8_t *>(&this->What);
    for (uint32_t *Extent : {Context.Grid, Context.Block})
      Extent[0] = Extent[1] = Extent[2] = 1;
    Context.Block[0] = Threads;
    Scheduler.begin(Context, enter, Stacks);
  }

  ThreadScheduler::Outcome run() { return Scheduler.run(); }
  void runToEnd() {
    ThreadScheduler::Outcome Last = run();
    ASSERT_EQ(Last, ThreadScheduler::Outcome::Ended) << sentence();
  }
  Status status() {
    return faultStatus(Scheduler.failure(),
                       {"k",
                        {0, 0, 0},
                        {Context.Block[0], 1, 1},
                        {"", "a.cu:1", "a.cu:2", "a.cu:3"}});
  }
  std::string sentence() { return status().message(); }

  Code What;
  BlockContext Context{};
  StackPool Stacks;
  ThreadScheduler Scheduler;

private:
  BM_SWITCHES static void enter(BlockContext *Context, uint32_t X, uint32_t,
                                uint32_t) {
    (*reinterpret_cast<const Code *>(Context->Arguments))(Context, X);
  }
};

inline uint32_t lanes(BlockContext *C, WarpOperation What, uint32_t Mask,
                      uint64_t Value, uint32_t Site = 1) {
  return uint32_t(bm_warp(C, uint32_t(What), Site, Mask, Value));
}

inline uint32_t shuffle(BlockContext *C, WarpOperation What, uint32_t Mask,
                        uint32_t Value, uint32_t Second,
                        uint32_t Third = 0x1f) {
  return uint32_t(
      bm_warp_shuffle(C, uint32_t(What) | 1 << 8, Mask, Value, Second, Third));
}

} // namespace blockmaestro

#endif
