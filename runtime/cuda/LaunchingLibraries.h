// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether the process has loaded a library that gives the GPU work
// behind our back, with a CUDA runtime of its own. Its launches must stay in
// order with ours, and we do not see them.
// On the data's way: asked by CudaDevice before each launch.
// Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_LAUNCHINGLIBRARIES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_LAUNCHINGLIBRARIES_H

#include <string>

namespace blockmaestro {

class LaunchingLibraries {
public:
  /// The file name of one that is loaded, or empty. Looks again only when
  /// something has been loaded since the last call.
  const std::string &loaded();

private:
  unsigned long long Seen = 0; ///< Libraries ever loaded, at the last look.
  std::string Found;
};

/// Whether a library of this path is one of NVIDIA's that launch kernels.
bool launchesKernels(const std::string &Path);

} // namespace blockmaestro

#endif
