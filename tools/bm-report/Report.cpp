// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "Kernels.h"
#include "Losses.h"
#include "RecordJson.h"
#include "RecordingFacts.h"
#include "Runs.h"
#include "Tables.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {
namespace {

template <typename Function>
void attribute(json::OStream &Out, StringRef Name, Function Write) {
  Out.attributeBegin(Name);
  Write();
  Out.attributeEnd();
}

/// Null where the text is empty.
void writeText(json::OStream &Out, StringRef Name, StringRef Text) {
  if (Text.empty())
    Out.attribute(Name, nullptr);
  else
    Out.attribute(Name, utf8(Text));
}

void writeHead(json::OStream &Out, StringRef File, const RecordingFacts &Of) {
  Out.attribute("file", utf8(File));
  Out.attribute("program", utf8(Of.What.Program));
  Out.attribute("device", utf8(Of.What.Device));
  Out.attribute("executor", utf8(Of.What.Executor));
  Out.attribute("window", Of.What.Window);
  Out.attribute("truncated", Of.What.Truncated);
  attribute(Out, "counts", [&] { writeCounts(Out, Of); });
}

/// The values that tables refer to by number; behind all that numbers some.
void writeNumbered(json::OStream &Out, const RecordingFacts &Of,
                   const Numbered<Size> &Sizes) {
  Out.attributeArray("calls", [&] {
    for (const std::string &Each : Of.Calls.values())
      Out.value(utf8(Each));
  });
  Out.attributeArray("sizes", [&] {
    for (const Size &Each : Sizes.values())
      Out.value(json::Array(Each));
  });
  attribute(Out, "reasons", [&] { writeReasons(Out, Of); });
  Out.attributeArray("reason_sets", [&] {
    for (const std::vector<int64_t> &Each : Of.ReasonSets.values())
      Out.value(json::Array(Each));
  });
}

void writeProgram(json::OStream &Out, const RecordingFacts &Of) {
  writeText(Out, "program_file", Of.Program.File);
  writeText(Out, "program_problem", Of.Program.Problem);
  std::vector<const KernelRecord *> Kernels;
  for (const FoundKernel &Each : Of.KernelRecords)
    if (Each.Kernel)
      Kernels.push_back(Each.Kernel);
  attribute(Out, "sources",
            [&] { writeSources(Out, Kernels, Of.Program.File); });
}

/// What was simulated; nulls where the recording could not be.
void writeSimulated(json::OStream &Out, RecordingFacts &Of,
                    const std::optional<Run> &Recorded,
                    Expected<Simulation> Ran) {
  const Simulation *const Done = Ran ? &*Ran : nullptr;
  attribute(Out, "kernels", [&] {
    writeKernels(Out, Of, Done ? Done->find(KernelLevelRun) : nullptr);
  });
  Out.attributeArray("runs", [&] {
    if (Recorded)
      writeRun(Out, *Recorded, nullptr);
    if (Done)
      for (const Run &Each : Done->Runs)
        writeRun(Out, Each, Done);
  });
  if (!Done) {
    writeText(Out, "simulation_problem", toString(Ran.takeError()));
    for (StringRef Key : {"simulation", "losses", "advice"})
      Out.attribute(Key, nullptr);
    return;
  }
  Out.attribute("simulation_problem", nullptr);
  attribute(Out, "simulation", [&] { writeSimulation(Out, *Done); });
  const std::vector<PositionTimes> Times = positionTimes(Of, *Done);
  attribute(Out, "losses", [&] { writeLosses(Out, Of, *Done, Times); });
  attribute(Out, "advice", [&] { writeAdvice(Out, Of, *Done, Times); });
}

/// Of as many blocks for each run as all runs together may have.
Expected<BlockWindow> windowOf(const Recording &What, const ReportChoices &How,
                               size_t Simulated) {
  if (What.Launches.empty() && How.Launches.isAll())
    return BlockWindow();
  auto Range = launchesIn(How.Launches, What.Launches.size());
  if (!Range)
    return Range.takeError();
  const size_t Runs = Simulated + (What.Events.empty() ? 0 : 1);
  return blockWindow(What, *Range, How.MostBlocks / Runs);
}

} // namespace

Error writeRecording(json::OStream &Out, StringRef File, const Recording &What,
                     const ProgramRecords &Program, const ReportChoices &How) {
  const std::vector<Scheduler> By = schedulersNeeded(How.By);
  Expected<BlockWindow> Window = windowOf(What, How, By.size());
  if (!Window)
    return createStringError(File + ": " + toString(Window.takeError()));
  RecordingFacts Facts(What, Program);
  Numbered<Size> Sizes;
  Out.object([&] {
    writeHead(Out, File, Facts);
    writeTables(Out, Facts, Sizes);
    attribute(Out, "forms", [&] { Facts.Forms.write(Out); });
    attribute(Out, "motifs", [&] { writeMotifs(Out, Facts); });
    Out.attribute("machine", utf8(How.On.Name));
    writeSimulated(Out, Facts, recordedRun(What, Facts.Sums, *Window),
                   simulateRuns(What, How.On, By, *Window));
    writeProgram(Out, Facts);
    writeNumbered(Out, Facts, Sizes);
  });
  return Error::success();
}

} // namespace blockmaestro
