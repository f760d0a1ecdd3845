// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrameArena.h"

#include <algorithm>
#include <new>

namespace blockmaestro {

FrameArena::~FrameArena() {
  for (Slab &S : Slabs)
    ::operator delete(S.Memory, std::align_val_t(FrameAlignment));
}

void *FrameArena::allocate(uint64_t Bytes) {
  Bytes = (Bytes + FrameAlignment - 1) / FrameAlignment * FrameAlignment;
  while (Current < Slabs.size() && Slabs[Current].Bytes - Used < Bytes) {
    ++Current;
    Used = 0;
  }
  if (Current == Slabs.size()) {
    uint64_t Size = std::max(Bytes, SlabBytes);
    auto *Memory = static_cast<char *>(
        ::operator new(Size, std::align_val_t(FrameAlignment)));
    Slabs.push_back({Memory, Size});
  }
  void *Out = Slabs[Current].Memory + Used;
  Used += Bytes;
  return Out;
}

} // namespace blockmaestro
