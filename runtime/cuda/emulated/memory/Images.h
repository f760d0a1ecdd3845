// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the texture and surface objects of the emulated device.
// On the data's way: the calls that create and ask them -> here; kernels get
// the handle, which is the address of the object's view (Texture.h).
// Invariants: the memory of an object that was destroyed stays, so that a
// kernel that still uses its handle is told; it is used again last.
// Threads: any; one lock. The calls drain the device before an object goes.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_IMAGES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_IMAGES_H

#include "Texture.h"

#include <cuda_runtime_api.h>

#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace blockmaestro::emulated {

/// What an object was made of.
struct ImageSource {
  cudaResourceDesc Resource = {};
  cudaTextureDesc Texture = {};
  std::optional<cudaResourceViewDesc> View;
};

/// The view of a texture or surface, or CUDA's error.
cudaError_t textureView(const ImageSource &From, ImageView &Out);
cudaError_t surfaceView(const cudaResourceDesc &From, ImageView &Out);

class Images {
public:
  unsigned long long add(const ImageSource &From, const ImageView &View);
  /// What the object was made of; nothing for what is no such object.
  std::optional<ImageSource> find(unsigned long long Handle,
                                  bool IsSurface) const;
  bool remove(unsigned long long Handle, bool IsSurface);
  /// Destroys all.
  void clear();

private:
  struct Object {
    ImageView View; ///< First: its address is the handle.
    ImageSource From;
  };
  Object *at(unsigned long long Handle, bool IsSurface) const;

  std::deque<Object> All;
  std::unordered_map<unsigned long long, Object *> Alive; ///< By handle.
  std::deque<Object *> Free;
  mutable std::mutex Lock;
};

} // namespace blockmaestro::emulated

#endif
