// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what it takes to run a kernel's code on a thread that is not the
// engine's: enough stack, and the arithmetic of a GPU whatever the program has
// set for itself.
// Threads: the one that makes it, for as long as it lives.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_HELPERTHREAD_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_HELPERTHREAD_H

namespace blockmaestro {

/// Rounds to nearest and keeps denormal numbers, on this thread, from now on.
void useKernelArithmetic();

class HelperThread {
public:
  /// Whether this thread has the stack for it.
  static bool mayHelp();

  HelperThread();
  ~HelperThread();
  HelperThread(const HelperThread &) = delete;
  HelperThread &operator=(const HelperThread &) = delete;

private:
  const unsigned Before; ///< The control word of the program's arithmetic.
};

} // namespace blockmaestro

#endif
