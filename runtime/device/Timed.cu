// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a timed variant does before and after the kernel's own code: one thread
// notes when the block starts and where, and when it has ended. Nothing is kept
// from one to the other, so the kernel's code has the registers that it has
// without: see Note [Read again].

#include "Leaving.h"
#include "Wait.h"

// Note [Read again]
// A compiler reads a thread's or a block's number once and keeps it in a
// register for all that ask, here over the whole body: `solve` of the benchmark
// physics had 40 registers instead of 32. Assembly that is volatile is not
// taken together, and the end finds its note anew.

namespace blockmaestro {

#define BM_READ(Name, Register)                                                \
  BM_DEVICE uint32_t Name() {                                                  \
    uint32_t Value;                                                            \
    asm volatile("mov.u32 %0, %%" Register ";" : "=r"(Value));                 \
    return Value;                                                              \
  }

BM_READ(threadX, "tid.x")
BM_READ(threadY, "tid.y")
BM_READ(threadZ, "tid.z")
BM_READ(blockX, "ctaid.x")
BM_READ(blockY, "ctaid.y")
BM_READ(blockZ, "ctaid.z")
BM_READ(multiprocessor, "smid")

#undef BM_READ

using InGlobal = __attribute__((address_space(1))) BlockTime;

BM_DEVICE bool isFirstThread() {
  return (threadX() | threadY() | threadZ()) == 0;
}

BM_DEVICE InGlobal *ownNote(BlockTime *Times) {
  const uint32_t Number =
      (blockZ() * __nvvm_read_ptx_sreg_nctaid_y() + blockY()) *
          __nvvm_read_ptx_sreg_nctaid_x() +
      blockX();
  return (InGlobal *)Times + Number;
}

BM_DEVICE void write(__attribute__((address_space(1))) uint64_t *To,
                     uint64_t Value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
               :
               : "l"(To), "l"(Value)
               : "memory");
}

BM_DEVICE void write(__attribute__((address_space(1))) uint32_t *To,
                     uint32_t Value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;"
               :
               : "l"(To), "r"(Value)
               : "memory");
}

BM_DEVICE void noteStartHere(BlockTime *Times) {
  const uint64_t Now = nanoseconds();
  InGlobal *Note = ownNote(Times);
  write(&Note->Start, Now);
  write(&Note->Where, 1 + multiprocessor());
}

BM_DEVICE void noteEndHere(BlockTime *Times) {
  const uint64_t Now = nanoseconds();
  write(&ownNote(Times)->End, Now);
}

} // namespace blockmaestro

using namespace blockmaestro;

/// Before and behind a body whose threads all pass the same barriers.
extern "C" __attribute__((device)) void __bm_timed_enter(BlockTime *Times) {
  if (isFirstThread())
    noteStartHere(Times);
}

extern "C" __attribute__((device)) void __bm_timed_leave(BlockTime *Times) {
  blockBarrier();
  if (isFirstThread())
    noteEndHere(Times);
}

/// The same of a body that threads may leave while others still wait for each
/// other at its barriers: those that leave really exit.
extern "C" __attribute__((device)) void
__bm_timed_enter_counted(BlockTime *Times) {
  if (isFirstThread()) {
    Left = 0;
    noteStartHere(Times);
  }
  blockBarrier();
}

extern "C" __attribute__((device)) void
__bm_timed_leave_counted(BlockTime *Times) {
  if (isLastToLeave())
    noteEndHere(Times);
}
