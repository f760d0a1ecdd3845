// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fiber.h"

#include <new>
#include <sys/mman.h>
#include <utility>

namespace blockmaestro {

namespace {

constexpr size_t PageBytes = 4096;
constexpr size_t StacksPerGroup = 32;

// Stacks lie a power of two apart, so frames of the same depth would compete
// for the same lines of the cache. Their tops are shifted against each other.
constexpr size_t ColourBytes = 192;
constexpr size_t ColourRange = PageBytes;

size_t roundUp(size_t Bytes, size_t To) { return (Bytes + To - 1) / To * To; }

} // namespace

#ifndef __x86_64__
#error "the emulated device runs on x86-64 only"
#endif

// The six registers a call keeps lie above a Resting, then the address to go on
// at. The processor predicts returns by the calls it has seen: those of the
// thread before, which mostly are the same, as threads wait in the same places.
asm(R"(
  .text
  .p2align 4
  .globl bm_switch_stack
  .hidden bm_switch_stack
  .type bm_switch_stack,@function
bm_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  .globl bm_switch_landing
  .hidden bm_switch_landing
bm_switch_landing:
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  xorl %eax, %eax
  retq
  .size bm_switch_stack, .-bm_switch_stack

  .p2align 4
  .globl bm_guarded_call
  .hidden bm_guarded_call
  .type bm_guarded_call,@function
bm_guarded_call:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rdx, %rdi
  subq $8, %rsp
  callq *%rsi
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  movl $1, %eax
  retq
  .size bm_guarded_call, .-bm_guarded_call

  .p2align 4
  .globl bm_resume_resting
  .hidden bm_resume_resting
  .type bm_resume_resting,@function
bm_resume_resting:
  movq %rdi, %rsp
  jmp bm_switch_landing
  .size bm_resume_resting, .-bm_resume_resting

  .p2align 4
  .type bm_fiber_start,@function
bm_fiber_start:
  movq %rbx, %rdi
  callq *%r12
  ud2
  .size bm_fiber_start, .-bm_fiber_start
)");

extern "C" const char bm_fiber_start[] __attribute__((visibility("hidden")));

Resting restAtStart(const Stack &On, void (*Start)(void *), void *Argument) {
  enum { R15, R14, R13, R12, Rbx, Rbp, GoOn, Words };
  auto **At = reinterpret_cast<void **>(On.Top) - Words;
  At[R15] = At[R14] = At[R13] = At[Rbp] = nullptr;
  At[R12] = reinterpret_cast<void *>(Start);
  At[Rbx] = Argument;
  At[GoOn] = const_cast<char *>(bm_fiber_start);
  return At;
}

StackPool::StackPool(size_t Bytes, bool Guarded)
    : Wanted(Bytes), Bytes(roundUp(Bytes + ColourRange, PageBytes)),
      Guarded(Guarded) {}

StackPool::~StackPool() {
  for (Group &G : Groups)
    munmap(G.Memory, slotBytes() * StacksPerGroup);
}

size_t StackPool::slotBytes() const {
  return Bytes + (Guarded ? PageBytes : 0);
}

bool StackPool::addGroup() {
  size_t Slot = slotBytes();
  Groups.reserve(Groups.size() + 1);
  Free.reserve((Groups.size() + 1) * StacksPerGroup);
  std::vector<Stack> Stacks(StacksPerGroup);
  void *Memory = mmap(nullptr, Slot * StacksPerGroup, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return false;
  // A huge page would use memory for all stacks it covers.
  madvise(Memory, Slot * StacksPerGroup, MADV_NOHUGEPAGE);
  auto *Base = static_cast<uint8_t *>(Memory);
  for (size_t I = 0; Guarded && I < StacksPerGroup; ++I)
    if (mprotect(Base + I * Slot, PageBytes, PROT_NONE) != 0) {
      munmap(Memory, Slot * StacksPerGroup);
      return false;
    }
  for (size_t I = StacksPerGroup; I-- > 0;) {
    uint8_t *High = Base + (I + 1) * Slot;
    Stacks[I] = {High - Bytes, High - I * ColourBytes % ColourRange};
    Free.push_back(&Stacks[I]);
  }
  Groups.push_back({Base, std::move(Stacks)});
  return true;
}

/// Called where an exception could go no further.
Stack *StackPool::take() {
  try {
    if (Free.empty() && !addGroup())
      return nullptr;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
  Stack *S = Free.back();
  Free.pop_back();
  return S;
}

bool StackPool::holds(uint64_t Address) const {
  for (const Group &G : Groups)
    if (Address - uint64_t(G.Memory) < slotBytes() * StacksPerGroup)
      return true;
  return false;
}

} // namespace blockmaestro
