// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which processor each worker of an engine runs on. A system may
// wake a thread on the processor of the one that wakes it, and leave both there
// for a long time while another processor idles; a worker that finds another
// where it runs moves, once, and may be moved again by the system afterwards.
// Threads: every worker calls with its own number.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_WORKERPLACES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_WORKERPLACES_H

#include <atomic>
#include <vector>

namespace blockmaestro {

class WorkerPlaces {
public:
  explicit WorkerPlaces(unsigned Workers) : Taken(Workers) {}

  /// The calling thread runs something as worker \p Number. With \p MayMove it
  /// goes to a processor that no other worker is on, if there is one that it
  /// may use and it shares its own.
  void take(unsigned Number, bool MayMove);
  /// It does not run anything any more.
  void leave(unsigned Number) { Taken[Number].store(0); }

private:
  bool isTaken(unsigned Processor, unsigned Except) const;

  /// One more than the processor of each worker; 0 for one that rests.
  std::vector<std::atomic<unsigned>> Taken;
};

} // namespace blockmaestro

#endif
