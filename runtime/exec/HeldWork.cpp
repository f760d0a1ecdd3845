// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeldWork.h"

#include <cstring>

namespace blockmaestro {

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

} // namespace blockmaestro
