// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the libraries may be that are opened while the program
// runs: ours, and NVIDIA's.
// On the data's way: asked once each, when a device is opened.
// Invariants: what is ours is found from where this code itself is, so that a
// build tree and an installation, moved or not, both work. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_INSTALLPATHS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_INSTALLPATHS_H

#include <string>
#include <vector>

namespace blockmaestro {

/// The folder that the library (or program) this code is in is really in, with
/// its slash.
std::string ownFolder();

/// What to put before the name of NVIDIA's runtime library, in order: nothing
/// (one already loaded, or on the loader's path), $CUDA_HOME, $CUDA_PATH, the
/// toolkit of the installation or build tree, the toolkit of the build,
/// /usr/local/cuda.
std::vector<std::string> cudaLibraryPlaces();

} // namespace blockmaestro

#endif
