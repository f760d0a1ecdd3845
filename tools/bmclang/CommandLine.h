// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the driver has to know about its command line: its own
// flags, and what clang will do with the rest, by clang's own table of options.
// On the data's way: read first, from the arguments; used by Job.
// Invariants: Rest is the command line without our flags, in order, also where
// clang will refuse it. What clang knows under several names is known under all
// of them, and what it takes for a value is neither a flag nor a file.
// Threads: plain values.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_COMMANDLINE_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_COMMANDLINE_H

#include "Manual.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace blockmaestro {

struct CommandLine {
  // Our own flags.
  bool HasOwn = false;  ///< Any flag of ours.
  bool Enabled = false; ///< The last of -fblockmaestro, -fno-blockmaestro.
  bool InferDepend = false;
  std::optional<std::string> Dump; ///< The value of -fblockmaestro-dump=.
  bool CudaCompat = false; ///< The last of -f(no-)blockmaestro-cuda-compat.

  // What is asked of clang.
  bool Help = false;      ///< --help
  bool Version = false;   ///< --version, and nothing that is answered first.
  bool OnlyShows = false; ///< -###: nothing is run.
  bool Links = true;      ///< No flag that stops before the linker.
  bool DeviceOnly = false;
  bool HostOnly = false;
  bool Static = false;      ///< -static, -static-pie
  bool Relocatable = false; ///< -fgpu-rdc and what else links device code.
  bool HasArchitecture = false;
  std::optional<std::string> CudaPath; ///< The value of --cuda-path=.
  bool IgnoresEnvironment = false;     ///< --cuda-path-ignore-env
  bool NeedsHeaders = true;            ///< No -nocudainc.
  /// Where remarks on device code are to be saved, which clang would write
  /// where it then writes those on the host's; empty where it does not.
  std::string DeviceRemarks;
  bool OpenMP = false; ///< libomp's; the last of -fopenmp, -fno-openmp.
  bool OpenMPRuntimeElsewhere = false; ///< No libomp of the system's is linked.
  std::vector<std::string> OffloadTargets; ///< -fopenmp-targets=
  bool HasNvidiaTarget = true; ///< What names targets names NVIDIA's GPUs.
  bool HasTargetArchitecture = false;      ///< -Xopenmp-target -march=
  std::vector<std::string> LibraryFolders; ///< -L

  // The files.
  bool HasInput = false;    ///< A file that is no header, or linker input.
  bool HasCuda = false;     ///< A file that will be compiled as CUDA.
  bool HasCxx = false;      ///< A file that will be compiled as C or C++.
  bool SourceStdin = false; ///< One of those is standard input.

  struct Argument {
    std::string Text;
    bool Input = false;       ///< A file, `-` for standard input.
    bool CudaRuntime = false; ///< Asks for NVIDIA's runtime.
  };
  std::vector<Argument> Rest;

  /// Whether clang, given Rest, runs the linker.
  bool links() const { return Links && !DeviceOnly && HasInput; }

  /// Whether OpenMP's target regions are somebody's code for a device.
  bool hasTargetRegions() const {
    return OpenMP && !HasCuda && !HostOnly && (HasCxx || links());
  }

  /// Whether they are ours, and not of devices that clang alone serves.
  bool ownsTargetRegions() const {
    return hasTargetRegions() && HasNvidiaTarget;
  }
};

/// Reads the arguments behind the program's name. Fails on flags that look like
/// ours and are not.
llvm::Expected<CommandLine>
readCommandLine(llvm::ArrayRef<const char *> Arguments);

/// Our flags, for --help and the manual.
ManualGroup flagGroup();

} // namespace blockmaestro

#endif
