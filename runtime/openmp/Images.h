// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the regions and variables that host and device both know, of all
// programs and libraries that are loaded.
// On the data's way: __tgt_register_lib -> here -> the registration of CUDA, as
// which both devices see a region's kernel: cudaLaunchKernel takes the region's
// id, and cudaGetSymbolAddress the address of the host's variable.
// Invariants: a binary's images are one fat binary, whose code the device
// chooses. What objects carry for the analysis is found as that of relocatable
// CUDA code is (docs/linking.md): by entries with the names of LinkedParts.h.
// Ownership: owns the fat binaries; entries are the program's. Threads: any;
// one lock.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_IMAGES_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_IMAGES_H

#include "FatBinary.h"
#include "blockmaestro/Status.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace blockmaestro::openmp {

struct RegionKernel {
  /// What cudaLaunchKernel takes: the region's id.
  const void *Kernel = nullptr;
  std::string Symbol;
  KernelEnvironment Environment = {};
};

/// A declare target variable, or with `link` the pointer that stands for it.
struct SharedVariable {
  void *Host = nullptr;
  size_t Bytes = 0;
  std::string Symbol;
};

class Images {
public:
  void addBinary(const LinkedBinary &Binary);
  /// Returns the variables that have gone with it.
  std::vector<SharedVariable> removeBinary(const LinkedBinary &Binary);

  /// Whether there is code, and a device may run it: refusal() is empty.
  bool mayRun();
  /// Nothing where Region has no kernel.
  std::optional<RegionKernel> kernelOf(const void *Region);
  /// The symbol of Region, for messages; empty where it is not known.
  std::string nameOf(const void *Region);
  /// The variables that have come since the last time.
  std::vector<SharedVariable> takeVariables();
  /// Empty, or why no device can run the program's regions.
  std::string refusal();

private:
  struct Binary {
    std::unique_ptr<FatBinary> Code;
    void **Handle = nullptr;
    std::vector<const void *> Regions;
    std::vector<SharedVariable> Variables;
    size_t Taken = 0; ///< How many of them takeVariables() has handed out.
  };

  void addEntry(const OffloadEntry &Entry, const std::vector<ImageBytes> &All,
                Binary &To);
  void addRegion(const OffloadEntry &Entry, const std::vector<ImageBytes> &All,
                 Binary &To);
  void addVariable(const OffloadEntry &Entry, Binary &To);
  void addRequirements(uint64_t Flags);
  void refuseConstructors(ImageBytes Image);

  std::mutex Lock;
  std::map<const LinkedBinary *, Binary> Binaries;
  std::map<const void *, RegionKernel> Kernels;
  std::map<const void *, std::string> WithoutEnvironment;
  std::string Refusal;
};

} // namespace blockmaestro::openmp

#endif
