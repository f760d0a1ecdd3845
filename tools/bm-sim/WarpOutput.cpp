// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpOutput.h"

#include "Replay.h"
#include "Titles.h"
#include "WarpValues.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {
namespace {

double inUs(uint64_t Cycles, const Machine &On) {
  return double(Cycles) / On.ClockMHz;
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
  Out << left_justify(Name, 24)
      << format(" %8llu %12llu %12llu %6.2f %5.1f%% |",
                (unsigned long long)Of.Launches, (unsigned long long)C.Cycles,
                (unsigned long long)C.Executed.Instructions, ipc(C, On),
                100 * occupancy(C, On));
  printIssueAndMemory(C, On, Out);
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
      << " launches       cycles instructions    IPC  warps |"
      << IssueAndMemoryTitles << '\n';
  for (const auto &[Kernel, Sum] : byKernel(Of))
    printRow(columnName(Kernel), Sum, Of.On, Out);
  printRow("all", {R.Launches.size(), R.All}, Of.On, Out);
}

void printCsv(const WarpOutcome &Of, raw_ostream &Out) {
  Out << "launch,kernel";
  for (const WarpValue &Each : warpValues())
    Out << ',' << Each.Name;
  Out << '\n';
  for (size_t I = 0; I < Of.Report.Launches.size(); ++I) {
    std::string Kernel = Of.What.Launches[I].Kernel;
    std::replace(Kernel.begin(), Kernel.end(), '"', '\'');
    Out << I << ",\"" << Kernel << '"';
    for (const WarpValue &Each : warpValues()) {
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
