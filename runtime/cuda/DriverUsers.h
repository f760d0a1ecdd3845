// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether some code of the process can give the GPU work beside our
// calls: through the driver's functions, linked or looked up by name, or
// through a CUDA runtime of its own. What launches held back would then come
// too late.
// On the data's way: asked by CudaDevice before each launch that may be held.
// Invariants: only what is known not to do so counts as harmless.
// Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_DRIVERUSERS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_DRIVERUSERS_H

#include <string>

namespace blockmaestro {

class DriverUsers {
public:
  /// A sentence about one, or empty. Looks again only when something has been
  /// loaded since the last call.
  const std::string &found();

private:
  unsigned long long Seen = 0; ///< Libraries ever loaded, at the last look.
  std::string Sentence;
};

} // namespace blockmaestro

#endif
