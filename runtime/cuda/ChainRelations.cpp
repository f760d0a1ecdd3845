// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainRelations.h"

#include "BlockBytes.h"
#include "CommandOf.h"
#include "Evaluate.h"
#include "GateLine.h"
#include "Graph.h"
#include "NodesInFlight.h"
#include "PackLaunch.h"
#include "PreparedWork.h"
#include "Shape.h"
#include "Window.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace blockmaestro {
namespace {

using Boxes = std::vector<TouchedBox>;
/// A launch, what a copy or fill touches, or what comes behind all.
using Touching = std::variant<std::monostate, std::shared_ptr<Launch>, Boxes>;

bool keepsItsPlace(const KernelRecord &Kernel) {
  return Kernel.has(Feature::Prints) || Kernel.has(Feature::Asserts) ||
         Kernel.has(Feature::BlockWait) || Kernel.has(Feature::GridSync) ||
         Kernel.has(Feature::Volatile) || Kernel.has(Feature::DeviceHeap);
}

dim3 dim3Of(Dim3 Size) { return dim3(Size.X, Size.Y, Size.Z); }

struct TouchingOf {
  Touching operator()(const GpuLaunch &What) const {
    if (keepsItsPlace(*What.Kernel))
      return {};
    return packLaunch(*What.Kernel, dim3Of(What.Grid), dim3Of(What.Block),
                      What.Arguments, What.SharedBytes);
  }
  /// Bytes that were taken aside nothing else touches; pinned memory anybody
  /// may.
  Touching operator()(const GpuCopy &What) const {
    const cudaMemcpy3DParms Row =
        linearCopy(What.To, What.From, What.Bytes, cudaMemcpyDefault);
    if (What.Source == CopySource::Pinned)
      return {};
    if (What.Source == CopySource::Passing)
      return Boxes{writtenBy(Row)};
    return Boxes{writtenBy(Row), readBy(Row)};
  }
  Touching operator()(const GpuFill &What) const {
    FillCommand Row;
    Row.To = What.To;
    Row.Width = What.Bytes;
    return Boxes{writtenBy(Row)};
  }
};

/// What a work touches, where all of it is memory that only the device sees.
std::optional<LaunchAccesses> accessesOf(const Touching &What,
                                         const AllocationMap &Memory) {
  LaunchAccesses Out;
  if (const auto *Packed = std::get_if<std::shared_ptr<Launch>>(&What))
    Out = evaluate(**Packed, Memory);
  else if (const auto *Touched = std::get_if<Boxes>(&What))
    Out = accessesOf(*Touched, Memory);
  else
    return {};
  const bool Owned = std::all_of(
      Out.Accesses.begin(), Out.Accesses.end(), [&](const BlockAccess &Each) {
        return Each.How != Reach::Everything &&
               Memory.owns(Each.Where.Base, Each.Where.Bytes);
      });
  return Owned ? std::optional(std::move(Out)) : std::nullopt;
}

/// A work that need not keep its place.
struct Known final : WorkRelations::Touched {
  LaunchAccesses Touched;
  LaunchFindings Found;
};

/// Whether one of the two touches a byte that the other writes, as far as is
/// known. Which blocks do does not matter, so no effort is spent on it.
bool touchSame(Known &Earlier, Known &Later) {
  uint64_t Effort = 0;
  return !relate({Earlier.Touched, Earlier.Found}, {Later.Touched, Later.Found},
                 Effort)
              .independent();
}

ChainOrder findOrder(const std::vector<Touching> &Works,
                     const AllocationMap &Memory) {
  std::vector<std::optional<Known>> All;
  std::vector<uint64_t> Needs, Before; ///< A bit for each work; all of them.
  uint64_t BehindAll = 0; ///< The last work that all behind wait for.
  for (size_t I = 0; I < Works.size(); ++I) {
    const uint64_t InFront = (uint64_t(1) << I) - 1;
    std::optional<Known> &Mine = All.emplace_back();
    if (auto Touched = accessesOf(Works[I], Memory))
      Mine.emplace().Touched = *std::move(Touched);
    uint64_t Direct = Mine ? BehindAll : InFront;
    uint64_t Indirect = BehindAll != 0 ? 2 * BehindAll - 1 : 0;
    for (size_t J = I; Mine && J-- > 0;)
      if (!(Indirect >> J & 1) && touchSame(*All[J], *Mine)) {
        Direct |= uint64_t(1) << J;
        Indirect |= Before[J];
      }
    if (!Mine)
      BehindAll = uint64_t(1) << I;
    Needs.push_back(Direct);
    Before.push_back(Mine ? Direct | Indirect : InFront);
  }
  return ChainOrder::among(Needs);
}

WorkRelations::Needs findNeeds(const std::vector<Touching> &Works,
                               const AllocationMap &Memory) {
  constexpr size_t MemoEntries = 256;
  Window Line(GateLine::MaxWindow, MemoEntries);
  WorkRelations::Needs Out;
  for (size_t I = 0; I < Works.size(); ++I) {
    const std::optional<LaunchAccesses> Mine = accessesOf(Works[I], Memory);
    if (!Mine)
      return {};
    std::vector<Dependence> &Behind = Out.emplace_back();
    if (std::holds_alternative<Boxes>(Works[I])) {
      Line.clear();
      continue;
    }
    for (const Need &Each : Line.admit(I, *Mine, {.WithImplied = false}).Needs)
      Behind.push_back(dependenceOn(Each));
  }
  return Out;
}

/// All that the work touches is in allocations.
void noteAllocations(Known &Of, const AllocationMap &Memory) {
  constexpr uint64_t Odd = 0x9e3779b97f4a7c15;
  constexpr unsigned ToSixBits = 58;
  Of.Reads = Of.Writes = 0;
  for (const BlockAccess &Each : Of.Touched.Accesses) {
    const uint64_t Base = Memory.find(Each.Where.Base)->Base;
    const uint64_t Bit = uint64_t(1) << (Base * Odd >> ToSixBits);
    Of.Reads |= reads(Each.Kind) ? Bit : 0;
    Of.Writes |= writes(Each.Kind) ? Bit : 0;
  }
}

} // namespace

std::shared_ptr<const AllocationMap> ChainRelations::copied() {
  if (!Copied || Copied->version() != Memory.version())
    Copied = std::make_shared<const AllocationMap>(Memory);
  return Copied;
}

WorkRelations::OrderFinder
ChainRelations::orderOf(std::span<const GpuWork> Works,
                        const std::vector<bool> &InPlace) {
  std::vector<Touching> Touched;
  for (size_t I = 0; I < Works.size(); ++I)
    Touched.push_back(InPlace[I] ? Touching()
                                 : std::visit(TouchingOf(), Works[I]));
  return [Touched = std::move(Touched), Map = copied()] {
    return findOrder(Touched, *Map);
  };
}

WorkRelations::NeedsFinder
ChainRelations::needsOf(std::span<const GpuWork> Works) {
  std::vector<Touching> Touched;
  for (const GpuWork &Each : Works)
    Touched.push_back(std::visit(TouchingOf(), Each));
  return [Touched = std::move(Touched), Map = copied()] {
    return findNeeds(Touched, *Map);
  };
}

/// Null where the bytes are within no parameter.
static const Parameter *parameterWith(const KernelRecord &Kernel,
                                      uint32_t Offset) {
  for (const Parameter &Each : Kernel.Parameters)
    if (Each.Offset <= Offset && Offset < Each.Offset + Each.Bytes)
      return &Each;
  return nullptr;
}

/// Those that evaluate() reads; see Note [What a launch depends on] in
/// Shape.cpp. Words, so that one that is not all there is read to its end.
const std::vector<ChainRelations::ArgumentBytes> &
ChainRelations::inputsOf(const KernelRecord &Kernel) {
  constexpr uint32_t Word = sizeof(uint64_t);
  const auto [Found, New] = Inputs.try_emplace(&Kernel);
  if (!New)
    return Found->second;
  const KernelInputs Read(Kernel);
  std::vector<KernelInputs::Bytes> All = Read.Scalars;
  for (uint32_t Each : Read.Pointers)
    All.push_back({Each, Word});
  for (const KernelInputs::Bytes &Each : All)
    if (const Parameter *In = parameterWith(Kernel, Each.Offset)) {
      const uint32_t Offset = Each.Offset - In->Offset;
      Found->second.push_back(
          {uint32_t(In - Kernel.Parameters.data()), Offset,
           std::min({Each.Count, Word, In->Bytes - Offset})});
    }
  return Found->second;
}

void ChainRelations::describe(const GpuWork &What, std::vector<uint64_t> &Key) {
  constexpr unsigned Half = 32;
  Key.push_back(What.index());
  if (const auto *Copy = std::get_if<GpuCopy>(&What)) {
    Key.insert(Key.end(), {reinterpret_cast<uintptr_t>(Copy->To),
                           reinterpret_cast<uintptr_t>(Copy->From), Copy->Bytes,
                           uint64_t(Copy->Source)});
    return;
  }
  if (const auto *Fill = std::get_if<GpuFill>(&What)) {
    Key.insert(Key.end(), {reinterpret_cast<uintptr_t>(Fill->To), Fill->Bytes});
    return;
  }
  const GpuLaunch &Launch = std::get<GpuLaunch>(What);
  const Dim3 &Grid = Launch.Grid, &Block = Launch.Block;
  Key.insert(Key.end(), {reinterpret_cast<uintptr_t>(Launch.Kernel),
                         uint64_t(Grid.X) << Half | Grid.Y,
                         uint64_t(Grid.Z) << Half | Block.X,
                         uint64_t(Block.Y) << Half | Block.Z});
  for (const ArgumentBytes &Each : inputsOf(*Launch.Kernel)) {
    uint64_t Value = 0;
    std::memcpy(&Value,
                static_cast<const char *>(Launch.Arguments[Each.Parameter]) +
                    Each.Offset,
                Each.Count);
    Key.push_back(Value);
  }
}

std::unique_ptr<WorkRelations::Touched>
ChainRelations::touchedBy(const GpuWork &What) {
  auto Out = std::make_unique<Known>();
  std::optional<LaunchAccesses> Accesses =
      accessesOf(std::visit(TouchingOf(), What), Memory);
  if (!Accesses)
    return nullptr;
  Out->Touched = *std::move(Accesses);
  noteAllocations(*Out, Memory);
  return Out;
}

bool ChainRelations::meet(Touched &Earlier, Touched &Later) {
  return touchSame(static_cast<Known &>(Earlier), static_cast<Known &>(Later));
}

} // namespace blockmaestro
