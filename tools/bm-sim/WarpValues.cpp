// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpValues.h"

#include "Replay.h"

#include "llvm/Support/Format.h"

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {
namespace {

double over(double A, double B) { return B > 0 ? A / B : 0; }

double percent(uint64_t A, uint64_t B) {
  return 100 * over(double(A), double(B));
}

double schedulerCycles(const WarpCounts &C, const Machine &On) {
  return double(C.Cycles) * On.Sms * On.Warps.Schedulers;
}

template <Stall Which> double stallOf(const WarpCounts &C, const Machine &On) {
  return over(double(C.Stalls[size_t(Which)]), schedulerCycles(C, On));
}

} // namespace

double ipc(const WarpCounts &C, const Machine &On) {
  return over(double(C.Executed.Instructions), double(C.Cycles) * On.Sms);
}

double occupancy(const WarpCounts &C, const Machine &On) {
  return over(double(C.Executed.WarpCycles),
              double(C.Cycles) * On.Sms *
                  (double(On.ThreadsPerSm) / On.WarpSize));
}

namespace {

double issued(const WarpCounts &C, const Machine &On) {
  return over(double(C.IssueCycles), schedulerCycles(C, On));
}

#define COUNT(Member)                                                          \
  [](const WarpCounts &C, const Machine &) { return double(C.Member); }, false

const WarpValue Values[] = {
    {"cycles", COUNT(Cycles)},
    {"blocks", COUNT(Blocks)},
    {"blocks_traced", COUNT(Traced)},
    {"instructions", COUNT(Executed.Instructions)},
    {"ipc", ipc},
    {"lanes",
     [](const WarpCounts &C, const Machine &) {
       return over(double(C.Executed.Lanes), double(C.Executed.Instructions));
     }},
    {"occupancy", occupancy},
    {"issued", issued},
    {"stall_structural", stallOf<Stall::Structural>},
    {"stall_memory", stallOf<Stall::Memory>},
    {"stall_dependence", stallOf<Stall::Dependence>},
    {"stall_barrier", stallOf<Stall::Barrier>},
    {"stall_no_warp", stallOf<Stall::NoWarp>},
    {"l1_reads", COUNT(L1.Reads)},
    {"l1_hits", COUNT(L1.Hits)},
    {"l1_under_way", COUNT(L1.UnderWay)},
    {"l2_reads", COUNT(L2.Reads)},
    {"l2_hits", COUNT(L2.Hits)},
    {"l2_writes", COUNT(L2.Writes)},
    {"l2_atomics", COUNT(L2.Atomics)},
    {"dram_reads", COUNT(Dram.Reads)},
    {"dram_writes", COUNT(Dram.Writes)},
    {"dram_row_hits", COUNT(Dram.RowHits)},
    {"cycles_blocks", COUNT(BlockCycles)},
};

#undef COUNT

} // namespace

ArrayRef<WarpValue> warpValues() { return Values; }

const char *nameOf(WarpPolicy By) {
  return By == WarpPolicy::GreedyThenOldest ? "gto" : "lrr";
}

json::Object toJson(const WarpCounts &Of, const Machine &On) {
  json::Object Out;
  for (const WarpValue &Each : Values) {
    const double Number = Each.Of(Of, On);
    Out[Each.Name] = Each.IsRatio ? json::Value(rounded(Number))
                                  : json::Value(int64_t(Number));
  }
  return Out;
}

void printIssueAndMemory(const WarpCounts &C, const Machine &On,
                         raw_ostream &Out) {
  const double All = schedulerCycles(C, On);
  Out << format(" %5.1f%%", 100 * issued(C, On));
  for (uint64_t Each : C.Stalls)
    Out << format(" %5.1f%%", 100 * over(double(Each), All));
  Out << format(" | %5.1f%% %5.1f%% %11llu %5.1f%%\n",
                percent(C.L1.Hits + C.L1.UnderWay, C.L1.Reads),
                percent(C.L2.Hits, C.L2.Reads + C.L2.Atomics),
                (unsigned long long)(C.Dram.Reads + C.Dram.Writes),
                percent(C.Dram.RowHits, C.Dram.Reads + C.Dram.Writes));
}

} // namespace blockmaestro
