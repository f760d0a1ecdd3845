// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: memory that a piece of work reads or writes, with the strides of
// copies and matrices.
// On the data's way: in commands and prepared work; becomes an access of a
// block (PreparedWork.h). Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_TOUCHEDBOX_H
#define BLOCKMAESTRO_RUNTIME_CUDA_TOUCHEDBOX_H

#include <cstddef>
#include <cstdint>

namespace blockmaestro {

/// Slices of rows of bytes; a pitch counts where there are several.
struct TouchedBox {
  uint64_t Address = 0;
  size_t Width = 0;
  size_t Rows = 1;
  size_t Pitch = 0;
  size_t Slices = 1;
  size_t SlicePitch = 0;
  bool Writes = false;
  bool HostSees = false; ///< The host may touch it without a call.

  /// From the first byte to behind the last.
  size_t span() const {
    return (Slices - 1) * SlicePitch + (Rows - 1) * Pitch + Width;
  }
  size_t bytes() const { return Width * Rows * Slices; }
};

} // namespace blockmaestro

#endif
