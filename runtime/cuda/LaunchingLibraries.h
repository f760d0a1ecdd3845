// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether the process has loaded a library that gives the GPU work
// behind our back, with a CUDA runtime of its own. Its launches must stay in
// order with ours, and we do not see them.
// On the data's way: asked by CudaDevice before each launch. On the emulated
// device such libraries cannot work, which Process says once.
// Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_LAUNCHINGLIBRARIES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_LAUNCHINGLIBRARIES_H

#include <set>
#include <string>
#include <string_view>

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

/// The libraries with kernels of which nobody but a GPU has the code, but for
/// those whose functions the program finds in our runtime.
class ClosedLibraries {
public:
  /// Of those loaded now the ones not named before, as a sentence; empty when
  /// there are none.
  std::string sentence();

private:
  unsigned long long Seen = 0;
  std::set<std::string> Named;
};

/// What follows the last slash of \p Path.
std::string_view fileName(std::string_view Path);

/// How many libraries the process has loaded so far.
unsigned long long everLoaded();

/// Whether a library of this path is one of NVIDIA's that launch kernels.
bool launchesKernels(const std::string &Path);

} // namespace blockmaestro

#endif
