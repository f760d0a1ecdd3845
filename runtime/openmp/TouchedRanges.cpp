// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TouchedRanges.h"

#include "BlockBytes.h"
#include "Evaluate.h"
#include "MetadataReader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace blockmaestro::openmp {
namespace {

/// Of the ranges of one task; it touches anything if there are more.
constexpr uint64_t MostEffort = 1 << 16;

/// The memory that pointers of the record point to.
AllocationMap memoryOf(const Footprint &Of, std::span<const std::byte> Record,
                       const TouchedRanges::Surroundings &Around) {
  AllocationMap Out;
  for (const Access &Each : Of.Accesses) {
    uint64_t Pointer = 0;
    if (Each.Base.Kind != RootKind::Argument ||
        Each.Base.Offset + sizeof(Pointer) > Record.size())
      continue;
    std::memcpy(&Pointer, Record.data() + Each.Base.Offset, sizeof(Pointer));
    const DeviceRange Found = Around(Pointer);
    Out.add({Found.Begin, Found.Bytes});
  }
  return Out;
}

} // namespace

Result<TouchedRanges> TouchedRanges::read(const TaskTable &Table) {
  Result<std::vector<ModuleRecord>> Read =
      readMetadata(Table.Footprints, Table.FootprintBytes);
  if (!Read.ok())
    return Read.status();
  if (Read->size() != 1 || Read->front().Kernels.size() != Table.KindCount)
    return Status(StatusCode::InvalidArgument,
                  "footprints of tasks are not those of their kinds");
  for (uint32_t Kind = 0; Kind < Table.KindCount; ++Kind)
    if (Read->front().Kernels[Kind].ArgumentBytes !=
        Table.Kinds[Kind].RecordBytes)
      return Status(StatusCode::InvalidArgument,
                    "the footprint of the task at " +
                        std::string(Table.Kinds[Kind].Name) +
                        " is that of another record");
  return TouchedRanges(std::move(Read->front()));
}

bool TouchedRanges::add(uint32_t Kind, std::span<const std::byte> Record,
                        unsigned Threads, const Surroundings &Around,
                        std::vector<TaskGraph::Range> &To) const {
  Launch Only;
  Only.Kernel = &Kinds.Kernels[Kind];
  Only.Block = {Threads, 1, 1};
  const auto *Bytes = reinterpret_cast<const uint8_t *>(Record.data());
  Only.Arguments.assign(Bytes, Bytes + Record.size());
  const LaunchAccesses Touched =
      evaluate(Only, memoryOf(Only.Kernel->Bytes, Record, Around));
  if (std::any_of(Touched.Accesses.begin(), Touched.Accesses.end(),
                  [](const BlockAccess &Each) {
                    return Each.How == Reach::Everything;
                  }))
    return false;
  std::vector<ByteRun> Runs;
  uint64_t Effort = MostEffort;
  if (!runsOf(Touched, Runs, Effort))
    return false;
  for (const ByteRun &Each : Runs)
    To.push_back({Each.First, Each.Last - Each.First + 1,
                  Each.Writes ? DependKind::Out : DependKind::In});
  return true;
}

} // namespace blockmaestro::openmp
