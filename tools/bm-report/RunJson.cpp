// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Runs.h"

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

static double inUs(uint64_t Ns) { return double(Ns) / 1000; }

static void writeTimes(json::OStream &Out, StringRef Name,
                       const TimeColumns &Of) {
  Out.attributeObject(Name, [&] {
    writeColumn(Out, "start_ns", Of.Start);
    writeColumn(Out, "end_ns", Of.End);
  });
}

static void writeBlocks(json::OStream &Out, const BlockTable &Of) {
  if (Of.Window.Count == 0) {
    Out.attribute("blocks", nullptr);
    return;
  }
  Out.attributeObject("blocks", [&] {
    Out.attribute("first_launch", Of.Window.First);
    Out.attribute("launches", Of.Window.Count);
    writeColumn(Out, "row", Of.Rows);
    writeColumn(Out, "start_ns", Of.Starts);
    writeColumn(Out, "ns", Of.Lengths);
  });
}

static void writeStall(json::OStream &Out, const StallDistribution &Of) {
  Out.attributeObject("stall", [&] {
    Out.attribute("blocks", Of.Blocks);
    Out.attribute("least", rounded(Of.Least));
    Out.attribute("q1", rounded(Of.FirstQuartile));
    Out.attribute("median", rounded(Of.Median));
    Out.attribute("q3", rounded(Of.ThirdQuartile));
    Out.attribute("most", rounded(Of.Most));
  });
}

static void writeReport(json::OStream &Out, const SimulationReport &Of,
                        const Simulation &Among) {
  Out.attribute("speedup", rounded(speedup(Among.All, Of)));
  Out.attribute("of_bound", rounded(ofBound(Among.All, Of)));
  Out.attribute("concurrency", rounded(Of.Concurrency));
  Out.attribute("sm_utilisation", rounded(Of.SmUtilisation));
  Out.attribute("kernels_in_flight", Of.KernelsInFlight);
  Out.attribute("kernel_level_relations", Of.KernelLevelRelations);
  writeStall(Out, Of.Stall);
}

void writeRun(json::OStream &Out, const Run &Of, const Simulation *Among) {
  Out.object([&] {
    Out.attribute("name", Of.Name);
    Out.attribute("what", Of.What);
    Out.attribute("is_recorded", Of.IsRecorded);
    Out.attribute("times", Of.IsModelled ? "modelled" : "measured");
    Out.attribute("time_ns", Of.Ns);
    Out.attribute("time_us", inUs(Of.Ns));
    if (Of.Report && Among)
      writeReport(Out, *Of.Report, *Among);
    else
      for (StringRef Key :
           {"speedup", "of_bound", "concurrency", "sm_utilisation",
            "kernels_in_flight", "kernel_level_relations", "stall"})
        Out.attribute(Key, nullptr);
    Out.attribute("rows", Of.RowIds.size());
    Out.attribute("row_name", Of.RowName);
    writeColumn(Out, "row_ids", Of.RowIds);
    writeTimes(Out, "launches", Of.Launches);
    if (Of.IsRecorded)
      Out.attribute("copies", nullptr);
    else
      writeTimes(Out, "copies", Of.Copies);
    Out.attributeBegin("load");
    Of.Load.write(Out);
    Out.attributeEnd();
    writeBlocks(Out, Of.Blocks);
  });
}

void writeSimulation(json::OStream &Out, const Simulation &Of) {
  Out.object([&] {
    Out.attribute("durations",
                  Of.Durations == DurationSource::Events ? "events" : "shared");
    Out.attribute("launches_left_out", Of.All.Work.LaunchesLeftOut);
    Out.attribute("launches_without_registers", Of.All.Work.WithoutRegisters);
    Out.attribute("baseline_us", inUs(Of.All.BaselineNs));
    Out.attribute("bound_us", inUs(Of.All.Least.Ns));
    Out.attribute("critical_path_us", inUs(Of.All.Least.CriticalPathNs));
    Out.attribute("area_us", inUs(Of.All.Least.AreaNs));
  });
}

} // namespace blockmaestro
