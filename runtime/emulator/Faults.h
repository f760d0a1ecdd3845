// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how a block is given up: by the code of a kernel that says so, or
// by a signal of the processor while a kernel's code runs.
// On the data's way: RunningCode surrounds every run of compiled code; what it
// died of becomes the Status of the block.
// Invariants:
//  - SIGSEGV, SIGBUS, SIGFPE and SIGILL that do not come from code of a kernel
//    go to the handler that the program had installed, or have their default.
//  - A block that was given up leaves its stacks as they were at that moment:
//    nothing of it runs again, no destructor of its frames either.
// Threads: the handlers are the process's; what runs is known per OS thread.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_FAULTS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_FAULTS_H

#include "Fiber.h"

#include "blockmaestro/Launch.h"
#include "blockmaestro/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

struct BlockContext;
class ThreadScheduler;

/// Generated code passes these as numbers.
enum class FaultKind : uint32_t {
  Trap,
  Assertion,
  IllegalAddress,
  Misaligned,
  StackOverflow,
  Stuck,
  OutOfMemory,
  Given, ///< Fault::Why says it all.
};

/// What a block died of.
struct Fault {
  static constexpr uint32_t UnknownThread = ~0u;
  static constexpr uint64_t UnknownAddress = ~0ull;

  FaultKind Kind = FaultKind::Trap;
  uint32_t Thread = UnknownThread; ///< Linear, in its block.
  uint32_t Site = 0;               ///< Of CompiledKernel::Sites.
  uint64_t Address = UnknownAddress;
  const char *Usual = nullptr; ///< In place of the kind's words.
  std::string Words;           ///< In place of both; may be empty.
  Status Why;                  ///< Of kind Given.
};

/// What the sentence about a fault names.
struct FaultPlace {
  const std::string &Kernel;
  Dim3 BlockIndex;
  Dim3 BlockShape;
  const std::vector<std::string> &Sites;
  std::string BlockName = {}; ///< As nameOfBlock() has it.
};

/// "kernel 'k' accessed an illegal address 0x8: block (0,0,0), thread (3,0,0),
/// at a.cu:7".
Status faultStatus(const Fault &What, const FaultPlace &Where);

/// The compiled code this OS thread runs at the moment. While one is alive and
/// Below is set, faults end what runs above Below and go on there.
class RunningCode {
public:
  /// \p Threads may be null; Died is filled when the block is given up.
  RunningCode(Fault &Died, const ThreadScheduler *Threads);
  RunningCode(const RunningCode &) = delete;
  RunningCode &operator=(const RunningCode &) = delete;
  ~RunningCode();

  /// The running code of this OS thread, or null.
  static RunningCode *current();

  Resting Below = nullptr;
  bool GivenUp = false;
  Fault &Died;
  const ThreadScheduler *Threads;

private:
  RunningCode *Outer;
};

/// Gives the block up that this OS thread runs.
[[noreturn]] void giveUp(Fault What);

/// The same, because there is no memory for it.
[[noreturn]] void giveUpForMemory();

/// Makes the process's faults come here first, and gives the calling OS thread
/// a stack to handle them on. Cheap when nothing has changed; called before the
/// first block of a launch, since the program may have installed handlers.
/// False when there is no memory for it.
bool claimFaults();

extern "C" {
/// What generated code calls: gives the block up. \p Kind is a FaultKind.
[[noreturn]] void bm_fault(BlockContext *Context, uint32_t Thread,
                           uint32_t Kind, uint32_t Site);
}

} // namespace blockmaestro

#endif
