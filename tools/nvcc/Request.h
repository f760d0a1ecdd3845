// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what one call of nvcc asks for.
// On the data's way: read from the words by Options, carried out by Plan.
// Invariants: words for clang are in the order in which they were given, each
// with the side of a CUDA compilation that it concerns.
// Threads: plain values.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_REQUEST_H
#define BLOCKMAESTRO_TOOLS_NVCC_REQUEST_H

#include "Architectures.h"

#include <string>
#include <vector>

namespace blockmaestro::nvcc {

/// Where nvcc stops.
enum class Phase {
  Preprocessed,
  Dependencies,
  Ptx,
  Cubin,
  Fatbin,
  Object,
  DeviceLink,
  Archive,
  Program,
};

/// Which compilations of a CUDA file a word is for. Those for the host are also
/// for files of C and C++.
enum class Side { Both, Cuda, Host, Device };

struct Word {
  Side For;
  std::string Text;
};

struct Request {
  Phase Until = Phase::Program;
  std::vector<std::string> Inputs;
  std::string Output;       ///< Empty: by nvcc's rule.
  std::string OutputFolder; ///< Of outputs that have no name.
  std::string Language;     ///< What -x says: c, c++, cu; empty by the name.
  std::string Dependencies; ///< -M or -MM.

  std::vector<Word> Compile;
  std::string Optimization;           ///< The host's -O; empty without.
  std::vector<std::string> Link;      ///< Behind the objects.
  std::vector<std::string> Folders;   ///< -L; behind Link, as nvcc has them.
  std::vector<std::string> Libraries; ///< Last.
  std::vector<std::string> Archive;   ///< For the archiver.
  std::vector<std::string> Arguments; ///< Of the program, with Runs.
  std::string Archiver = "ar";

  Targets Gpu;
  bool Relocatable = false;
  bool DeviceDebug = false;     ///< -G
  bool OptimizesDevice = false; ///< -dopt on: in spite of -G.
  bool NoDeviceLink = false;
  bool CudaCompat = false; ///< What CUDA 13 removed is there.

  bool Runs = false;
  bool OnlyShows = false; ///< --dryrun
  bool Verbose = false;
  bool ShowsHelp = false;
  bool ShowsVersion = false;
  bool ListsCodes = false;
  bool ListsArchitectures = false;
  bool ForwardsToCompiler = false; ///< What no option is.
  bool ForwardsToLinker = false;
};

} // namespace blockmaestro::nvcc

#endif
