// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls without a stream that have a second form for programs compiled
// with --default-stream per-thread.

#include "Calls.h"
#include "Copies.h"

namespace blockmaestro::emulated {

cudaError_t cudaMemcpy_ptds(void *To, const void *From, size_t Count,
                            cudaMemcpyKind Kind) {
  PerThreadDefault Here;
  return emulated::cudaMemcpy(To, From, Count, Kind);
}

cudaError_t cudaMemcpyToSymbol_ptds(const void *Symbol, const void *From,
                                    size_t Count, size_t Offset,
                                    cudaMemcpyKind Kind) {
  PerThreadDefault Here;
  return emulated::cudaMemcpyToSymbol(Symbol, From, Count, Offset, Kind);
}

cudaError_t cudaMemcpyFromSymbol_ptds(void *To, const void *Symbol,
                                      size_t Count, size_t Offset,
                                      cudaMemcpyKind Kind) {
  PerThreadDefault Here;
  return emulated::cudaMemcpyFromSymbol(To, Symbol, Count, Offset, Kind);
}

cudaError_t cudaMemcpy2D_ptds(void *To, size_t ToPitch, const void *From,
                              size_t FromPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind) {
  PerThreadDefault Here;
  return emulated::cudaMemcpy2D(To, ToPitch, From, FromPitch, Width, Height,
                                Kind);
}

cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms *What) {
  PerThreadDefault Here;
  return emulated::cudaMemcpy3D(What);
}

cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms *What) {
  PerThreadDefault Here;
  return emulated::cudaMemcpy3DPeer(What);
}

cudaError_t cudaMemset_ptds(void *Address, int Value, size_t Count) {
  PerThreadDefault Here;
  return emulated::cudaMemset(Address, Value, Count);
}

cudaError_t cudaMemset2D_ptds(void *Address, size_t Pitch, int Value,
                              size_t Width, size_t Height) {
  PerThreadDefault Here;
  return emulated::cudaMemset2D(Address, Pitch, Value, Width, Height);
}

cudaError_t cudaMemset3D_ptds(cudaPitchedPtr To, int Value, cudaExtent Extent) {
  PerThreadDefault Here;
  return emulated::cudaMemset3D(To, Value, Extent);
}

} // namespace blockmaestro::emulated
