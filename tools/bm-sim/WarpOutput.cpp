// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpOutput.h"

#include "Replay.h"
#include "Titles.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {
namespace {

double over(double A, double B) { return B > 0 ? A / B : 0; }

const char *nameOf(WarpPolicy By) {
  return By == WarpPolicy::GreedyThenOldest ? "gto" : "lrr";
}

/// A number of a launch, as columns and keys have it.
struct Value {
  StringLiteral Name;
  double (*Of)(const WarpCounts &, const Machine &);
  bool IsRatio = true;
};

double schedulerCycles(const WarpCounts &C, const Machine &On) {
  return double(C.Cycles) * On.Sms * On.Warps.Schedulers;
}

template <Stall Which> double stallOf(const WarpCounts &C, const Machine &On) {
  return over(double(C.Stalls[size_t(Which)]), schedulerCycles(C, On));
}

double ipc(const WarpCounts &C, const Machine &On) {
  return over(double(C.Executed.Instructions), double(C.Cycles) * On.Sms);
}

double occupancy(const WarpCounts &C, const Machine &On) {
  return over(double(C.Executed.WarpCycles),
              double(C.Cycles) * On.Sms *
                  (double(On.ThreadsPerSm) / On.WarpSize));
}

double issued(const WarpCounts &C, const Machine &On) {
  return over(double(C.IssueCycles), schedulerCycles(C, On));
}

#define COUNT(Member)                                                          \
  [](const WarpCounts &C, const Machine &) { return double(C.Member); }, false

const Value Values[] = {
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
};

#undef COUNT

json::Object toJson(const WarpCounts &Of, const Machine &On) {
  json::Object Out;
  for (const Value &Each : Values) {
    const double Number = Each.Of(Of, On);
    Out[Each.Name] = Each.IsRatio ? json::Value(rounded(Number))
                                  : json::Value(int64_t(Number));
  }
  return Out;
}

double inUs(uint64_t Cycles, const Machine &On) {
  return double(Cycles) / On.ClockMHz;
}

double percent(uint64_t A, uint64_t B) {
  return 100 * over(double(A), double(B));
}

struct KernelSum {
  uint64_t Launches = 0;
  WarpCounts Sum;
};

/// In the order of their first launches.
MapVector<StringRef, KernelSum> byKernel(const WarpOutcome &Of) {
  MapVector<StringRef, KernelSum> Out;
  for (size_t I = 0; I < Of.Report.Launches.size(); ++I) {
    KernelSum &Sum = Out[Of.What.Launches[I].Kernel];
    ++Sum.Launches;
    Sum.Sum += Of.Report.Launches[I];
  }
  return Out;
}

/// A kernel's name without its parameters, as far as the column goes.
std::string columnName(StringRef Kernel) {
  return StringRef(shortName(Kernel)).take_front(24).str();
}

void printRow(const std::string &Name, const KernelSum &Of, const Machine &On,
              raw_ostream &Out) {
  const WarpCounts &C = Of.Sum;
  const double All = schedulerCycles(C, On);
  Out << left_justify(Name, 24)
      << format(" %8llu %12llu %12llu %6.2f %5.1f%% |",
                (unsigned long long)Of.Launches, (unsigned long long)C.Cycles,
                (unsigned long long)C.Executed.Instructions, ipc(C, On),
                100 * occupancy(C, On))
      << format(" %5.1f%%", 100 * issued(C, On));
  for (uint64_t Each : C.Stalls)
    Out << format(" %5.1f%%", 100 * over(double(Each), All));
  Out << format(" | %5.1f%% %5.1f%% %11llu %5.1f%%\n",
                percent(C.L1.Hits + C.L1.UnderWay, C.L1.Reads),
                percent(C.L2.Hits, C.L2.Reads + C.L2.Atomics),
                (unsigned long long)(C.Dram.Reads + C.Dram.Writes),
                percent(C.Dram.RowHits, C.Dram.Reads + C.Dram.Writes));
}

} // namespace

void printTable(const WarpOutcome &Of, raw_ostream &Out) {
  const WarpReport &R = Of.Report;
  Out << Of.File << " on " << Of.On.Name << ", warp by warp, " << nameOf(Of.By)
      << ": " << R.Launches.size() << " launches, " << R.All.Blocks
      << " blocks, "
      << format("%.3f us without launch overheads\n",
                inUs(R.All.Cycles, Of.On));
  if (R.All.Traced < R.All.Blocks)
    Out << R.All.Traced << " blocks were traced, one in " << R.WarpsOneIn
        << " of each launch: each other one does what the last traced one "
           "before it did, its sectors between that one's and the next one's; "
           "hits of caches and rows are estimates\n";
  if (Of.What.Truncated)
    Out << "the recording is cut off\n";
  Out << '\n'
      << left_justify("kernel", 24)
      << " launches       cycles instructions    IPC  warps | issued struct "
         "memory depend barrie nowarp |     L1     L2        DRAM   rows\n";
  for (const auto &[Kernel, Sum] : byKernel(Of))
    printRow(columnName(Kernel), Sum, Of.On, Out);
  printRow("all", {R.Launches.size(), R.All}, Of.On, Out);
}

void printCsv(const WarpOutcome &Of, raw_ostream &Out) {
  Out << "launch,kernel";
  for (const Value &Each : Values)
    Out << ',' << Each.Name;
  Out << '\n';
  for (size_t I = 0; I < Of.Report.Launches.size(); ++I) {
    std::string Kernel = Of.What.Launches[I].Kernel;
    std::replace(Kernel.begin(), Kernel.end(), '"', '\'');
    Out << I << ",\"" << Kernel << '"';
    for (const Value &Each : Values) {
      const double Number = Each.Of(Of.Report.Launches[I], Of.On);
      Out << format(Each.IsRatio ? ",%.4f" : ",%.0f", Number);
    }
    Out << '\n';
  }
}

void printJson(const WarpOutcome &Of, raw_ostream &Out) {
  json::Array Launches;
  for (size_t I = 0; I < Of.Report.Launches.size(); ++I) {
    json::Object Next = toJson(Of.Report.Launches[I], Of.On);
    Next["id"] = Of.What.Launches[I].Id;
    Next["kernel"] = Of.What.Launches[I].Kernel;
    Launches.push_back(std::move(Next));
  }
  json::Object Top{{"recording", Of.File},
                   {"program", Of.What.Program},
                   {"machine", Of.On.Name},
                   {"detail", "warp"},
                   {"warp_scheduler", nameOf(Of.By)},
                   {"truncated", Of.What.Truncated},
                   {"warps_one_in", Of.Report.WarpsOneIn},
                   {"time_us", rounded(inUs(Of.Report.All.Cycles, Of.On))},
                   {"all", toJson(Of.Report.All, Of.On)},
                   {"launches", std::move(Launches)}};
  Out << formatv("{0:2}", json::Value(std::move(Top))) << '\n';
}

} // namespace blockmaestro
