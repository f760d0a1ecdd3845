// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MachineNumbers.h"

#include <algorithm>
#include <iterator>

namespace blockmaestro::sim {
namespace {

/// A name and the field that it stands for; either Word or Long.
struct Field {
  std::string_view Name;
  uint32_t *(*Word)(Machine &);
  uint64_t *(*Long)(Machine &);
  uint64_t Least;
  uint64_t Most;
};

#define WORD(Member) [](Machine &M) -> uint32_t * { return &M.Member; }, nullptr
#define LONG(Member) nullptr, [](Machine &M) -> uint64_t * { return &M.Member; }

constexpr uint64_t Million = 1000000;

const Field Fields[] = {
    {"sms", WORD(Sms), 1, 4096},
    {"blocks_per_sm", WORD(BlocksPerSm), 1, 4096},
    {"threads_per_sm", WORD(ThreadsPerSm), 1, Million},
    {"registers_per_sm", WORD(RegistersPerSm), 1, 1u << 30},
    {"register_granularity", WORD(RegisterGranularity), 1, Million},
    {"registers_least", WORD(RegistersLeast), 0, 1024},
    {"shared_bytes_per_sm", WORD(SharedBytesPerSm), 0, 1u << 30},
    {"warp_size", WORD(WarpSize), 1, 1024},
    {"clock_mhz", WORD(ClockMHz), 1, Million},
    {"issue_width", WORD(IssueWidth), 1, 1024},
    {"loads_in_flight", WORD(LoadsInFlight), 0, 1024},
    {"bytes_per_sector", WORD(BytesPerSector), 1, 4096},
    {"memory_bytes_per_cycle", WORD(MemoryBytesPerCycle), 1, Million},
    {"host_bytes_per_us", WORD(HostBytesPerUs), 1, 1000 * Million},
    {"cycles_arithmetic", WORD(Cycles.Arithmetic), 0, Million},
    {"cycles_global_read", WORD(Cycles.GlobalRead), 0, Million},
    {"cycles_global_write", WORD(Cycles.GlobalWrite), 0, Million},
    {"cycles_shared", WORD(Cycles.Shared), 0, Million},
    {"cycles_barrier", WORD(Cycles.Barrier), 0, Million},
    {"cycles_other", WORD(Cycles.Other), 0, Million},
    {"cycles_double", WORD(Cycles.Double), 0, Million},
    {"cycles_special", WORD(Cycles.Special), 0, Million},
    {"cycles_conversion", WORD(Cycles.Conversion), 0, Million},
    {"cycles_exchange", WORD(Cycles.Exchange), 0, Million},
    {"cycles_atomic", WORD(Cycles.Atomic), 0, Million},
    {"cycles_l1", WORD(Cycles.L1), 0, Million},
    {"cycles_l2", WORD(Cycles.L2), 0, Million},
    {"cycles_barrier_warp", WORD(Cycles.BarrierWarp), 0, Million},
    {"cycles_arguments", WORD(Cycles.Arguments), 0, Million},
    {"l1_bytes_per_sm", WORD(L1BytesPerSm), 0, 1u << 30},
    {"l2_bytes", WORD(L2Bytes), 0, 1u << 31},
    {"l1_bytes_per_cycle", WORD(L1BytesPerCycle), 0, Million},
    {"sm_bytes_per_cycle", WORD(SmBytesPerCycle), 0, Million},
    {"l2_bytes_per_cycle", WORD(L2BytesPerCycle), 0, Million},
    {"doubles_per_cycle", WORD(DoublesPerCycle), 0, 1024},
    {"special_cycles", WORD(SpecialCycles), 0, Million},
    {"block_spread_percent", WORD(BlockSpreadPercent), 0, 100},
    {"launch_overhead_ns", LONG(LaunchOverheadNs), 0, 1000 * Million},
    {"launches_at_once", WORD(LaunchesAtOnce), 1, Million},
    {"device_launch_ns", LONG(DeviceLaunchNs), 0, 1000 * Million},
    {"dependency_check_ns", LONG(DependencyCheckNs), 0, 1000 * Million},
    {"stream_sync_ns", LONG(StreamSyncNs), 0, 1000 * Million},
    {"scheduler_streams", WORD(SchedulerStreams), 1, Million},
    {"block_issue_ns", LONG(BlockIssueNs), 0, Million},
    {"block_turnaround_ns", LONG(BlockTurnaroundNs), 0, Million},
    {"dependency_list_entries", WORD(DependencyListEntries), 1, 1u << 30},
    {"children_per_entry", WORD(ChildrenPerEntry), 1, 4096},
    {"parent_counter_entries", WORD(ParentCounterEntries), 1, 1u << 30},
    {"parent_counter_bits", WORD(ParentCounterBits), 1, 16},
    {"closed_forms_decode", WORD(ClosedFormsDecode), 0, 1},
    {"full_buffers_stall", WORD(FullBuffersStall), 0, 1},
    {"pending_update_entries", WORD(PendingUpdateEntries), 1, 1u << 30},
};

#undef WORD
#undef LONG

const Field *findField(std::string_view Name) {
  const Field *Found =
      std::find_if(std::begin(Fields), std::end(Fields),
                   [&](const Field &Each) { return Each.Name == Name; });
  return Found == std::end(Fields) ? nullptr : Found;
}

std::string quoted(std::string_view Name) {
  return "'" + std::string(Name) + "'";
}

} // namespace

std::vector<MachineNumber> machineNumbers(const Machine &Of) {
  Machine Copy = Of;
  std::vector<MachineNumber> Out;
  for (const Field &Each : Fields)
    Out.push_back({std::string(Each.Name),
                   Each.Word ? *Each.Word(Copy) : *Each.Long(Copy), Each.Least,
                   Each.Most});
  return Out;
}

Status checkMachineNumber(std::string_view Name) {
  if (findField(Name))
    return {};
  return {StatusCode::InvalidArgument, "unknown key " + quoted(Name)};
}

Status setMachineNumber(Machine &To, std::string_view Name,
                        std::optional<uint64_t> Value) {
  const Field *Found = findField(Name);
  if (!Found)
    return checkMachineNumber(Name);
  if (!Value || *Value < Found->Least || *Value > Found->Most)
    return {StatusCode::InvalidArgument,
            quoted(Name) + " must be a number from " +
                std::to_string(Found->Least) + " to " +
                std::to_string(Found->Most)};
  if (Found->Word)
    *Found->Word(To) = static_cast<uint32_t>(*Value);
  else
    *Found->Long(To) = *Value;
  return {};
}

} // namespace blockmaestro::sim
