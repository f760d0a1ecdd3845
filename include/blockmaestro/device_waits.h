/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What it is: how a thread of a GPU waits for a word of memory, for how long,
 * and how it tells the host that it has waited in vain. Device code, for clang;
 * needs no other header of CUDA.
 * On the data's way: under the two protocols that have threads wait,
 * runtime/device/Wait.h (blocks) and task_workers.h (tasks).
 * Contract: everything is inlined; see Note [Shallow loops] in Wait.h.
 */

#ifndef BLOCKMAESTRO_DEVICE_WAITS_H
#define BLOCKMAESTRO_DEVICE_WAITS_H

#include <stdint.h>

#define BM_WAIT_MEMBER __attribute__((device, always_inline))
#define BM_WAIT static inline BM_WAIT_MEMBER

namespace blockmaestro {

/// Names of their own: programs include this, too.
namespace device_waits {

BM_WAIT uint32_t loadAcquire(const uint32_t *Word) {
  uint32_t Value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];"
               : "=r"(Value)
               : "l"(Word)
               : "memory");
  return Value;
}

BM_WAIT uint32_t loadRelaxed(const uint32_t *Word) {
  uint32_t Value;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];"
               : "=r"(Value)
               : "l"(Word)
               : "memory");
  return Value;
}

BM_WAIT uint64_t nanoseconds() {
  uint64_t Now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Now)::"memory");
  return Now;
}

/// For how long one word has not had its value.
class Patience {
public:
  /// Another word, or the same again.
  BM_WAIT_MEMBER void renew() { Polls = 0; }
  /// The word was polled in vain. Whether to wait no longer: the report, in the
  /// host's memory and far away, says how many nanoseconds, 0 for ever. It is
  /// looked at now and then; by a reference to that number alone the optimiser
  /// would load it at every poll.
  template <typename Report> BM_WAIT_MEMBER bool ends(const Report &By) {
    if (Polls == 0)
      Start = nanoseconds();
    return ++Polls % 4096 == 0 && By.Patience != 0 && isOver(By.Patience);
  }

private:
  /// The timer is not said never to step back.
  BM_WAIT_MEMBER bool isOver(uint64_t Long) const {
    const uint64_t Now = nanoseconds();
    return Now > Start && Now - Start > Long;
  }

  uint32_t Polls = 0;
  uint64_t Start = 0;
};

/// Whether the caller is the one that fills the report, whose word this is: 0
/// before, 1 meanwhile, 2 behind publishReport().
BM_WAIT bool claimReport(uint32_t *Taken) {
  uint32_t Old;
  asm volatile("atom.cas.b32 %0, [%1], 0, 1;"
               : "=r"(Old)
               : "l"(Taken)
               : "memory");
  return Old == 0;
}

BM_WAIT void publishReport(uint32_t *Taken) {
  asm volatile("fence.acq_rel.sys;\n\tst.relaxed.sys.u32 [%0], 2;"
               :
               : "l"(Taken)
               : "memory");
}

/// Stops the program when the report, also another thread's, is out.
BM_WAIT void stopProgram() {
  constexpr uint64_t TrapAfter = 1000000000;
  const uint64_t Start = nanoseconds();
  while (nanoseconds() - Start < TrapAfter)
    ;
  __builtin_trap();
}

} // namespace device_waits

} // namespace blockmaestro

#undef BM_WAIT
#undef BM_WAIT_MEMBER

#endif
