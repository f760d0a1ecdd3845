// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the emulated device's processor: runs single thread blocks of
// device IR on the CPU. This header is the boundary of a shared library of its
// own, libblockmaestro-emulator, the only part of the runtime that links LLVM;
// the front end opens it with dlopen when it first needs it.
// On the data's way: reads ModuleRecord::Bitcode and Launch, runs blocks for
// the executors on the host.
// Invariants:
//  - A kernel is compiled once, at its first prepare() or run(), from the added
//    module whose record it is of; for counted costs it is compiled a second
//    time, at the first prepare() after countCosts() or counted run(), and for
//    traces of warps a third. No run()
//    after that compiles: the last blocks of a program may run after exit() has
//    begun, when what LLVM keeps in static variables is gone.
//  - A kernel that uses something the emulator does not know is refused by
//    prepare() with a sentence; it never crashes the program.
//  - Device globals live in host memory from the first request on and keep
//    their address.
//  - Counted costs are warp instructions by class of the kernel's canonical IR
//    (inlined, promoted and simplified, not otherwise optimised): every basic
//    block counts, per warp of 32 threads in linear order, as often as the lane
//    that ran it most often. That approximates what a warp would issue.
// Ownership: added modules must outlive the emulator.
// Threads: addModules() before any other use of those modules; prepare(), run()
// and findGlobal() from any thread, run() with a Worker number below
// MaxWorkers that no other thread uses at that time.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_EMULATOR_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_EMULATOR_H

#include "../exec/Executor.h"
#include "blockmaestro/Launch.h"
#include "blockmaestro/Metadata.h"
#include "blockmaestro/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

class AccessObserver;

/// What a program may set, as with cudaDeviceSetLimit.
enum class DeviceLimit : uint8_t {
  StackBytes,       ///< Of a thread whose calls nest to no known depth.
  HeapBytes,        ///< For malloc in kernels; not once one has allocated.
  StuckMilliseconds ///< How long run() lets a block wait for others; 0 for
                    ///< ever.
};

class Emulator : public BlockRunner {
public:
  static constexpr unsigned MaxWorkers = 256;

  /// Makes the kernels and globals of modules known that were linked together,
  /// in the order of the linker. Nothing is compiled yet.
  virtual Status
  addModules(const std::vector<const ModuleRecord *> &Linked) = 0;
  /// The memory of what module \p Of calls \p Symbol, with its initial value in
  /// place if nothing has written it yet; of the first module that has one
  /// where \p Of is null.
  virtual Result<Allocation> findGlobal(const std::string &Symbol,
                                        const ModuleRecord *Of) = 0;
  /// Gives every device variable its initial value and frees everything that
  /// kernels have allocated. Nothing runs.
  virtual void reset() = 0;
  /// False when the limit cannot be changed any more.
  virtual bool setLimit(DeviceLimit Which, uint64_t Value) = 0;
  /// Whether what is prepared from now on is run with its costs counted, too.
  virtual void countCosts(bool Counted) = 0;
  /// To whom what warps do is told, of the counted blocks that are to be
  /// traced; null: nobody. It outlives what is prepared until the next call.
  virtual void traceWarps(EventSink *To) = 0;
  /// Whom every access of a kernel is told to; before anything else, at most
  /// once. Kernels then run slower.
  virtual void observe(AccessObserver *Who) = 0;
};

} // namespace blockmaestro

/// Makes an emulator that the caller deletes; null when this host's processor
/// cannot be targeted.
extern "C" __attribute__((visibility("default"))) blockmaestro::Emulator *
blockmaestroMakeEmulator();

#endif
