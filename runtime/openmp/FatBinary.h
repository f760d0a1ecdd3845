// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a fat binary around images of machine code, as NVIDIA's
// fatbinary makes it without compression, so that the images of OpenMP are
// registered as those of CUDA are.
// On the data's way: images of a LinkedBinary -> here ->
// __cudaRegisterFatBinary. Invariants: CodeImages reads what stands here.
// Ownership: owns the bytes, which stay where they are. Threads: constant once
// made.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_FATBINARY_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_FATBINARY_H

#include "MachineImage.h"

#include <vector>

namespace blockmaestro::openmp {

class FatBinary {
public:
  /// Images that are no machine code for GPUs are left out.
  explicit FatBinary(const std::vector<ImageBytes> &Images);
  FatBinary(const FatBinary &) = delete;
  FatBinary &operator=(const FatBinary &) = delete;

  bool empty() const { return Count == 0; }
  /// The argument of __cudaRegisterFatBinary.
  void *wrapper() { return &Outer; }

private:
  struct Wrapper {
    uint32_t Magic;
    uint32_t Version;
    const void *Container;
    const void *Unused;
  };

  void add(ImageBytes Image, ImageArchitecture For);

  size_t Count = 0;
  std::vector<uint64_t> Words; ///< The container, aligned.
  Wrapper Outer = {};
};

} // namespace blockmaestro::openmp

#endif
