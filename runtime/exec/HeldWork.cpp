// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeldWork.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro {

/// Mixes Value into Seed: a step of MurmurHash's 64-bit finalizer.
static uint64_t mix(uint64_t Seed, uint64_t Value) {
  Seed = (Seed ^ Value) * 0xff51afd7ed558ccdu;
  return Seed ^ Seed >> 33;
}

static uint64_t mixBytes(uint64_t Seed, const void *Bytes, size_t Count) {
  const auto *From = static_cast<const unsigned char *>(Bytes);
  for (; Count > 0; From += 8, Count -= std::min<size_t>(Count, 8)) {
    uint64_t Word = 0;
    std::memcpy(&Word, From, std::min<size_t>(Count, 8));
    Seed = mix(Seed, Word);
  }
  return Seed;
}

static uint64_t mixSize(uint64_t Seed, Dim3 Size) {
  return mix(mix(Seed, uint64_t(Size.X) << 32 | Size.Y), Size.Z);
}

NodeKind kindOf(const GpuWork &What) {
  const auto *Launch = std::get_if<GpuLaunch>(&What);
  return {What.index(), Launch ? Launch->Kernel : nullptr};
}

void HeldWork::copy(const GpuWork &From) {
  Work = From;
  auto *Launch = std::get_if<GpuLaunch>(&Work);
  if (!Launch)
    return;
  Bytes.resize(Launch->Kernel->ArgumentBytes);
  Arguments.clear();
  for (const Parameter &Each : Launch->Kernel->Parameters) {
    void *To = Bytes.data() + Each.Offset;
    std::memcpy(To, Launch->Arguments[Arguments.size()], Each.Bytes);
    Arguments.push_back(To);
  }
  Launch->Arguments = Arguments.data();
}

unsigned HeldWork::costAfter(const GpuLaunch &Mine,
                             const GpuLaunch &Other) const {
  if (!(Mine.Grid == Other.Grid && Mine.Block == Other.Block &&
        Mine.SharedBytes == Other.SharedBytes))
    return SizeCost;
  size_t Number = 0;
  for (const Parameter &Each : Mine.Kernel->Parameters) {
    if (std::memcmp(Mine.Arguments[Number], Other.Arguments[Number],
                    Each.Bytes) != 0)
      return ArgumentCost;
    ++Number;
  }
  return 0;
}

unsigned HeldWork::costAfter(const HeldWork &Other) const {
  if (const auto *Launch = std::get_if<GpuLaunch>(&Work))
    return costAfter(*Launch, std::get<GpuLaunch>(Other.Work));
  if (const auto *Copy = std::get_if<GpuCopy>(&Work))
    return *Copy == std::get<GpuCopy>(Other.Work) ? 0 : CopyCost;
  return std::get<GpuFill>(Work) == std::get<GpuFill>(Other.Work) ? 0
                                                                  : CopyCost;
}

uint64_t HeldWork::hash(uint64_t Seed) const {
  const auto Address = [](const void *Of) {
    return reinterpret_cast<uint64_t>(Of);
  };
  if (const auto *Copy = std::get_if<GpuCopy>(&Work))
    return mix(mix(mix(Seed, Address(Copy->To)), Address(Copy->From)),
               Copy->Bytes);
  if (const auto *Fill = std::get_if<GpuFill>(&Work))
    return mix(mix(mix(Seed, Address(Fill->To)), Fill->Value), Fill->Bytes);
  const GpuLaunch &Launch = std::get<GpuLaunch>(Work);
  Seed = mix(mixSize(mixSize(Seed, Launch.Grid), Launch.Block),
             Launch.SharedBytes);
  for (const Parameter &Each : Launch.Kernel->Parameters)
    Seed = mixBytes(Seed, Bytes.data() + Each.Offset, Each.Bytes);
  return Seed;
}

} // namespace blockmaestro
