// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the CUDA toolkit is, when the command line does not say.
// On the data's way: asked by Job before clang is started; clang gets the
// answer as --cuda-path.
// Invariants: a folder counts as a toolkit when it has what clang asks for:
// include/cuda_runtime_api.h, bin and nvvm/libdevice. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_CUDA_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_CUDA_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace blockmaestro {

/// Where to look; every member may be empty.
struct CudaPlaces {
  std::vector<std::string> Named;   ///< CUDA_HOME, CUDA_PATH.
  std::vector<std::string> OnPath;  ///< The toolkit of the nvcc on PATH.
  std::vector<std::string> Parents; ///< Of `cuda` and `cuda-*`: /usr/local.
  std::vector<std::string> Usual;   ///< Where distributions put a toolkit.
  std::vector<std::string> Python;  ///< Prefixes whose site-packages may have
                                    ///< NVIDIA's wheels.
};

/// The places of this machine; the environment's only if UseEnvironment. Ours,
/// the toolkits beside our own files, come behind the usual ones.
CudaPlaces cudaPlaces(bool UseEnvironment);

/// The first toolkit, in the order of the members; of several `cuda-*` without
/// a `cuda`, the newest.
std::optional<std::string> findCuda(const CudaPlaces &Places);

/// What to tell someone who has named a folder that is no toolkit: with
/// --cuda-path=, or else in the environment. Empty when there is nothing wrong.
std::string wrongToolkitMessage(const std::optional<std::string> &Given,
                                const CudaPlaces &Places);

/// What to tell someone who has none.
std::string noCudaMessage();

} // namespace blockmaestro

#endif
