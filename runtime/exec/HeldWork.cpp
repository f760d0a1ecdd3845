// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeldWork.h"

#include <cstring>
#include <span>

namespace blockmaestro {

/// Whole words first: most arguments are pointers and numbers.
static uint64_t mixBytes(uint64_t Seed, std::span<const std::byte> Bytes) {
  uint64_t Word = 0;
  for (; Bytes.size() >= sizeof(Word); Bytes = Bytes.subspan(sizeof(Word))) {
    std::memcpy(&Word, Bytes.data(), sizeof(Word));
    Seed = mix(Seed, Word);
  }
  Word = 0;
  std::memcpy(&Word, Bytes.data(), Bytes.size());
  return mix(Seed, Word);
}

/// A number of these, found at once: each step of mix() waits for the last.
static uint64_t sizesOf(const GpuLaunch &What) {
  constexpr uint64_t Odd = 0x9e3779b97f4a7c15u;
  uint64_t Sum = What.SharedBytes, Factor = Odd;
  for (const Dim3 Each : {What.Grid, What.Block})
    for (const uint32_t Size : {Each.X, Each.Y, Each.Z}) {
      Sum += Size * Factor;
      Factor *= Odd;
    }
  return Sum;
}

NodeKind kindOf(const GpuWork &What) {
  if (const auto *Launch = std::get_if<GpuLaunch>(&What))
    return NodeKind(*Launch->Kernel);
  const auto *Copy = std::get_if<GpuCopy>(&What);
  return Copy ? NodeKind(Copy->Source) : NodeKind::fill();
}

/// Makes room for arguments of this kernel; between them is nothing but zeros,
/// so that equal arguments are equal bytes.
void HeldWork::makeRoomFor(const KernelRecord &Kernel) {
  Room = &Kernel;
  Bytes.assign(Kernel.ArgumentBytes, std::byte());
  Arguments.clear();
  for (const Parameter &Each : Kernel.Parameters)
    Arguments.push_back(Bytes.data() + Each.Offset);
}

/// The sizes that most arguments have need no call.
static void copyArgument(void *To, const void *From, size_t Bytes) {
  if (Bytes == sizeof(uint64_t))
    std::memcpy(To, From, sizeof(uint64_t));
  else if (Bytes == sizeof(uint32_t))
    std::memcpy(To, From, sizeof(uint32_t));
  else
    std::memcpy(To, From, Bytes);
}

void HeldWork::copy(const GpuWork &From) {
  const auto *Given = std::get_if<GpuLaunch>(&From);
  if (!Given) {
    Work = From;
    return;
  }
  GpuLaunch *Launch = &Work.emplace<GpuLaunch>(*Given);
  if (Room != Launch->Kernel || Bytes.size() != Room->ArgumentBytes)
    makeRoomFor(*Launch->Kernel);
  size_t Number = 0;
  for (const Parameter &Each : Launch->Kernel->Parameters) {
    copyArgument(Arguments[Number], Given->Arguments[Number], Each.Bytes);
    ++Number;
  }
  Launch->Arguments = Arguments.data();
}

void HeldWorks::push(const GpuWork &From) {
  if (Count == Room.size())
    Room.emplace_back();
  Room[Count++].copy(From);
}

void HeldWorks::forgetKernels() {
  Room.clear();
  Count = 0;
}

unsigned HeldWork::costAfter(const HeldWork &Other) const {
  if (const auto *Mine = std::get_if<GpuLaunch>(&Work)) {
    const GpuLaunch &Theirs = std::get<GpuLaunch>(Other.Work);
    if (!(Mine->Grid == Theirs.Grid && Mine->Block == Theirs.Block &&
          Mine->SharedBytes == Theirs.SharedBytes))
      return SizeCost;
    return std::memcmp(Bytes.data(), Other.Bytes.data(), Bytes.size()) == 0
               ? 0
               : ArgumentCost;
  }
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
    return mix(mix(mix(mix(Seed, Address(Copy->To)), Address(Copy->From)),
                   Copy->Bytes),
               Copy->Allocation);
  if (const auto *Fill = std::get_if<GpuFill>(&Work))
    return mix(mix(mix(Seed, Address(Fill->To)), Fill->Value), Fill->Bytes);
  const GpuLaunch &Launch = std::get<GpuLaunch>(Work);
  return mixBytes(mix(Seed, sizesOf(Launch)), Bytes);
}

} // namespace blockmaestro
