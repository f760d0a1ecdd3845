// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: CUDA arrays and mipmapped arrays of the emulated device: plain
// memory of the heap, row after row, slice after slice, level after level.
// On the data's way: the calls that make arrays -> here; copies resolve the
// arrays they name here, texture and surface objects their texels.
// Invariants: a handle is the address of what is kept here and is checked
// before it is used. Rows and slices follow each other without a gap.
// Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_ARRAYS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_ARRAYS_H

#include "Command.h"
#include "Texture.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace blockmaestro::emulated {

/// What an array is made of; of a mipmapped one, its finest level.
struct ArrayShape {
  cudaChannelFormatDesc Channels = {};
  cudaExtent Extent = {}; ///< As given: sizes that an array lacks are 0.
  unsigned Flags = 0;

  bool isLayered() const { return Flags & cudaArrayLayered; }
  bool isCube() const { return Flags & cudaArrayCubemap; }
};

struct ArrayObject {
  ArrayShape Shape;
  TexelFormat Format;
  ImageLevel Texels;

  size_t bytes() const { return Texels.SliceBytes * Texels.Slices; }
};

struct MipmappedObject {
  ArrayShape Shape;
  std::vector<cudaArray_t> Levels; ///< From the finest on.
  uint8_t *Base = nullptr;         ///< The memory of all of them.
};

/// The most texels of a texture of a row in plain memory.
inline constexpr size_t MostLinearTexels = size_t(1) << 28;

/// How the components of \p Channels are stored, or the error: 1, 2 or 4 of 8,
/// 16 or 32 bits, all alike.
cudaError_t formatOf(const cudaChannelFormatDesc &Channels, TexelFormat &Out);
cudaChannelFormatDesc channelsOf(const TexelFormat &Format);

/// The levels of an array of this shape, their texels counted from address 0,
/// or the error. \p Count is bounded by how often the sizes can be halved.
cudaError_t layOut(const ArrayShape &Shape, unsigned Count,
                   std::vector<ArrayObject> &Out);

class Arrays {
public:
  cudaArray_t add(const ArrayObject &What);
  cudaMipmappedArray_t add(const ArrayShape &Shape,
                           const std::vector<ArrayObject> &Levels);
  std::optional<ArrayObject> find(cudaArray_const_t Handle) const;
  std::optional<MipmappedObject> find(cudaMipmappedArray_const_t Handle) const;
  /// The memory that goes with it; null for what is no array of its own, such
  /// as a level.
  uint8_t *memoryOf(cudaArray_t Handle) const;
  uint8_t *memoryOf(cudaMipmappedArray_t Handle) const;
  void forget(cudaArray_t Handle);
  void forget(cudaMipmappedArray_t Handle);
  void clear();

private:
  struct Entry {
    ArrayObject What;
    bool IsLevel = false;
  };
  cudaArray_t insert(const ArrayObject &What, bool IsLevel);

  std::map<const void *, std::unique_ptr<Entry>> Plain;
  std::map<const void *, std::unique_ptr<MipmappedObject>> Mipmapped;
  mutable std::mutex Lock;
};

/// \p Copy between plain memories: arrays are where their texels are. Fails
/// where it names what is no array, or leaves one.
cudaError_t withoutArrays(const CopyCommand &Copy, CopyCommand &Out);

/// \p Copy as a node of a graph tells it: in elements where arrays take part.
cudaError_t inElements(const CopyCommand &Copy, CopyCommand &Out);

} // namespace blockmaestro::emulated

#endif
