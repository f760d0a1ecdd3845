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
    {"cycles_past_l2_near", WORD(Cycles.PastL2Near), 0, Million},
    {"cycles_barrier_warp", WORD(Cycles.BarrierWarp), 0, Million},
    {"cycles_arguments", WORD(Cycles.Arguments), 0, Million},
    {"l1_bytes_per_sm", WORD(L1BytesPerSm), 0, 1u << 30},
    {"l2_bytes", WORD(L2Bytes), 0, 1u << 31},
    {"l2_near_bytes", WORD(L2NearBytes), 0, 1u << 31},
    {"l1_bytes_per_cycle", WORD(L1BytesPerCycle), 0, Million},
    {"sm_bytes_per_cycle", WORD(SmBytesPerCycle), 0, Million},
    {"l2_bytes_per_cycle", WORD(L2BytesPerCycle), 0, Million},
    {"doubles_per_cycle", WORD(DoublesPerCycle), 0, 1024},
    {"special_cycles", WORD(SpecialCycles), 0, Million},
    {"block_spread_percent", WORD(BlockSpreadPercent), 0, 100},
    {"launch_overhead_ns", LONG(LaunchOverheadNs), 0, 1000 * Million},
    {"launches_at_once", WORD(LaunchesAtOnce), 1, Million},
    {"device_launch_ns", LONG(DeviceLaunchNs), 0, 1000 * Million},
    {"stream_gap_ns", LONG(StreamGapNs), 0, 1000 * Million},
    {"graph_gap_ns", LONG(GraphGapNs), 0, 1000 * Million},
    {"early_gap_ns", LONG(EarlyGapNs), 0, 1000 * Million},
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
    {"warp_schedulers", WORD(Warps.Schedulers), 1, 64},
    {"sm_start_ns", WORD(Warps.SmStartNs), 0, Million},
    {"issues_per_scheduler", WORD(Warps.IssuesPerScheduler), 1, 64},
    {"integer_pipes", WORD(Warps.Integer.Count), 1, 64},
    {"integer_interval", WORD(Warps.Integer.Interval), 1, Million},
    {"product_pipes", WORD(Warps.Product.Count), 0, 64},
    {"product_interval", WORD(Warps.Product.Interval), 1, Million},
    {"single_pipes", WORD(Warps.Single.Count), 1, 64},
    {"single_interval", WORD(Warps.Single.Interval), 1, Million},
    {"double_pipes", WORD(Warps.Double.Count), 1, 64},
    {"double_interval", WORD(Warps.Double.Interval), 1, Million},
    {"special_pipes", WORD(Warps.Special.Count), 1, 64},
    {"special_interval", WORD(Warps.Special.Interval), 1, Million},
    {"conversion_pipes", WORD(Warps.Conversion.Count), 0, 64},
    {"conversion_interval", WORD(Warps.Conversion.Interval), 1, Million},
    {"matrix_pipes", WORD(Warps.Matrix.Count), 1, 64},
    {"matrix_interval", WORD(Warps.Matrix.Interval), 1, Million},
    {"memory_pipes", WORD(Warps.Memory.Count), 1, 64},
    {"memory_interval", WORD(Warps.Memory.Interval), 1, Million},
    {"memory_issue_interval", WORD(Warps.MemoryIssueInterval), 1, Million},
    {"cycles_matrix", WORD(Warps.CyclesMatrix), 1, Million},
    {"cycles_branch", WORD(Warps.CyclesBranch), 1, Million},
    {"cycles_predicate", WORD(Warps.CyclesPredicate), 0, Million},
    {"cycles_single", WORD(Warps.CyclesSingle), 0, Million},
    {"cycles_product", WORD(Warps.CyclesProduct), 0, Million},
    {"cycles_approximation", WORD(Warps.CyclesApproximation), 0, Million},
    {"cycles_l1_access", WORD(Warps.CyclesL1Access), 0, Million},
    {"cycles_shared_access", WORD(Warps.CyclesSharedAccess), 0, Million},
    {"write_port_sms", WORD(Warps.WritePortSms), 1, Million},
    {"write_port_bytes", WORD(Warps.WritePortBytes), 0, Million},
    {"atomic_bytes", WORD(Warps.AtomicBytes), 1, 4096},
    {"atomic_interval", WORD(Warps.AtomicInterval), 1, Million},
    {"atomic_word_cycles", WORD(Warps.AtomicWordCycles), 0, Million},
    {"cache_line_bytes", WORD(Warps.CacheLineBytes), 32, 4096},
    {"cache_sector_bytes", WORD(Warps.CacheSectorBytes), 32, 4096},
    {"l1_sets", WORD(Warps.L1Sets), 0, Million},
    {"l1_ways", WORD(Warps.L1Ways), 1, 1024},
    {"l1_shared_least", WORD(Warps.L1SharedLeast), 0, 1u << 30},
    {"l1_misses", WORD(Warps.L1Misses), 1, Million},
    {"l1_write_back", WORD(Warps.L1WriteBack), 0, 1},
    {"l1_banked", WORD(Warps.L1Banked), 0, 1},
    {"l1_bypass_blocks", WORD(Warps.L1BypassBlocks), 0, 4096},
    {"l2_slices", WORD(Warps.L2Slices), 1, 4096},
    {"l2_slice_bytes", WORD(Warps.L2SliceBytes), 32, Million},
    {"l2_window", WORD(Warps.L2Window), 0, Million},
    {"l2_sets", WORD(Warps.L2Sets), 0, Million},
    {"l2_ways", WORD(Warps.L2Ways), 1, 1024},
    {"l2_interval", WORD(Warps.L2Interval), 1, Million},
    {"l2_clock_mhz", WORD(Warps.L2ClockMHz), 0, Million},
    {"l2_halves", WORD(Warps.L2Halves), 1, 2},
    {"cycles_l2_far", WORD(Warps.CyclesL2Far), 0, Million},
    {"dram_channels", WORD(Warps.DramChannels), 1, 4096},
    {"dram_clock_mhz", WORD(Warps.DramClockMHz), 1, Million},
    {"dram_latency", WORD(Warps.DramLatency), 0, Million},
    {"dram_queue", WORD(Warps.DramQueue), 1, Million},
    {"dram_writes", WORD(Warps.DramWrites), 1, Million},
    {"dram_banks", WORD(Warps.DramBanks), 1, 1024},
    {"dram_bank_groups", WORD(Warps.DramBankGroups), 1, 1024},
    {"dram_row_bytes", WORD(Warps.DramRowBytes), 32, Million},
    {"dram_burst_bytes", WORD(Warps.DramBurstBytes), 1, 4096},
    {"dram_ccd", WORD(Warps.Dram.Ccd), 1, Million},
    {"dram_ccd_l", WORD(Warps.Dram.CcdL), 0, Million},
    {"dram_rrd", WORD(Warps.Dram.Rrd), 0, Million},
    {"dram_rcd", WORD(Warps.Dram.Rcd), 0, Million},
    {"dram_ras", WORD(Warps.Dram.Ras), 0, Million},
    {"dram_rp", WORD(Warps.Dram.Rp), 0, Million},
    {"dram_rc", WORD(Warps.Dram.Rc), 0, Million},
    {"dram_cl", WORD(Warps.Dram.Cl), 0, Million},
    {"dram_wl", WORD(Warps.Dram.Wl), 0, Million},
    {"dram_cdlr", WORD(Warps.Dram.Cdlr), 0, Million},
    {"dram_wr", WORD(Warps.Dram.Wr), 0, Million},
    {"dram_rtp", WORD(Warps.Dram.Rtp), 0, Million},
    {"energy_issue_fj", WORD(Warps.Energy.Issue), 0, 1u << 30},
    {"energy_operands_fj", WORD(Warps.Energy.Operands), 0, 1u << 30},
    {"energy_integer_fj", WORD(Warps.Energy.Integer), 0, 1u << 30},
    {"energy_single_fj", WORD(Warps.Energy.Single), 0, 1u << 30},
    {"energy_double_fj", WORD(Warps.Energy.Double), 0, 1u << 30},
    {"energy_special_fj", WORD(Warps.Energy.Special), 0, 1u << 30},
    {"energy_conversion_fj", WORD(Warps.Energy.Conversion), 0, 1u << 30},
    {"energy_matrix_fj", WORD(Warps.Energy.Matrix), 0, 1u << 30},
    {"energy_l1_byte_fj", WORD(Warps.Energy.L1Byte), 0, 1u << 30},
    {"energy_l2_byte_fj", WORD(Warps.Energy.L2Byte), 0, 1u << 30},
    {"energy_dram_byte_fj", WORD(Warps.Energy.DramByte), 0, 1u << 30},
    {"static_milliwatts", WORD(Warps.Energy.StaticMilliwatts), 0, 1u << 30},
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
