// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: stacks and the switch between them: what a thread of a block runs
// on that may wait in the middle of a call.
// On the data's way: below ThreadScheduler, which decides who runs.
// Invariants:
//  - A switch keeps the registers a call must keep and nothing else; the
//    floating point control words stay as they are.
//  - A Resting is filled by the switch away from it and read by the one switch
//    back; in between its stack is not touched.
//  - Code below a guardedCall() or a switch can be given up at any instruction:
//    resumeResting() goes on there as if it had been switched to.
// Ownership: a StackPool owns its stacks and lends them; what is lent must be
// given back before the pool dies.
// Threads: a pool, its stacks and what runs on them belong to one worker.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_FIBER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_FIBER_H

#include <cstddef>
#include <cstdint>
#include <vector>

// Functions that are on the stack while it is switched are left alone by the
// sanitizers: those take a thread to have one stack. The second attribute is
// for what clang itself adds: AddressSanitizer's call before one that does not
// return, and the check of a called function's type, which compiled code has
// no record of.
#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define BM_SWITCHES                                                            \
  __attribute__((disable_sanitizer_instrumentation,                            \
                 no_sanitize("address", "thread", "undefined")))
#endif
#endif
#ifndef BM_SWITCHES
#define BM_SWITCHES
#endif

namespace blockmaestro {

/// Where somebody who does not run will go on: the stack pointer, above which
/// the kept registers lie.
using Resting = void *;

extern "C" {
/// Notes in \p Save where the caller rests and goes on at \p Load.
void bm_switch_stack(Resting *Save, Resting Load);
/// Calls \p Call(\p Argument); false when that was given up through \p Save.
bool bm_guarded_call(Resting *Save, void (*Call)(void *), void *Argument);
/// Goes on at \p Load and forgets the caller.
[[noreturn]] void bm_resume_resting(Resting Load);
/// The instruction a given-up stack is left to: with the stack pointer at a
/// Resting, it goes on there.
extern const char bm_switch_landing[];
}

/// The memory of one stack.
struct Stack {
  uint8_t *Low = nullptr; ///< Below it may be a guard.
  uint8_t *Top = nullptr; ///< Where the first frame begins, 16-byte aligned.
};

/// Where \p Start(\p Argument), which must not return, begins on \p On when it
/// is switched to.
Resting restAtStart(const Stack &On, void (*Start)(void *), void *Argument);

/// Stacks of one size, mapped in groups and kept until the pool dies; memory is
/// only used where a thread has touched it.
class StackPool {
public:
  /// Stacks with room for \p Bytes; \p Guarded ones have a page below that
  /// faults.
  StackPool(size_t Bytes, bool Guarded);
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  ~StackPool();

  /// A free stack, or null when the system has no more memory.
  Stack *take();
  void give(Stack *Back) { Free.push_back(Back); }

  /// What it was made for.
  size_t wanted() const { return Wanted; }
  bool guarded() const { return Guarded; }
  /// Whether \p Address lies on a stack of this pool.
  bool holds(uint64_t Address) const;

private:
  size_t slotBytes() const;
  bool addGroup();

  struct Group {
    uint8_t *Memory;
    std::vector<Stack> Stacks;
  };

  size_t Wanted;
  size_t Bytes; ///< Of each stack, with room to shift its top.
  bool Guarded;
  std::vector<Group> Groups;
  std::vector<Stack *> Free;
};

} // namespace blockmaestro

#endif
