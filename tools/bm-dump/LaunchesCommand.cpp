// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump launches`: every launch of a recording, with the
// copies and barriers between them and what the compiler could not say exactly.

#include "Commands.h"
#include "Csv.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "RelationText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

using namespace llvm;

namespace blockmaestro {
namespace {

/// When the program asked for it, where that is known.
std::string askedText(const HostTime &Asked) {
  if (Asked.Ns == 0 && Asked.Thread == 0)
    return "";
  return ", after " + std::to_string(Asked.Ns) + " ns of the host" +
         (Asked.Thread ? "'s thread " + std::to_string(Asked.Thread) : "");
}

/// From where to where, as far as there are bytes there and it is known.
std::string placesText(const RecordedCopy &C) {
  const auto Says = [](MemoryPlace Place) {
    return Place != MemoryPlace::Unknown && Place != MemoryPlace::None;
  };
  std::string Out;
  if (Says(C.From))
    Out += std::string(", from ") + MemoryPlaceNames[size_t(C.From)];
  if (Says(C.To))
    Out += (Out.empty() ? ", to " : " to ") +
           std::string(MemoryPlaceNames[size_t(C.To)]);
  return Out;
}

void showLaunch(const RecordedLaunch &L) {
  outs() << "launch " << L.Id << ": " << L.Kernel << ", grid "
         << gridText(L.Grid) << ", block " << gridText(L.Block);
  if (L.SharedBytes)
    outs() << ", " << L.SharedBytes << " shared bytes";
  if (L.Registers)
    outs() << ", " << L.Registers << " registers";
  if (L.RegistersAsRun && L.RegistersAsRun != L.Registers)
    outs() << ", " << L.RegistersAsRun << " as run";
  outs() << askedText(L.Asked) << '\n';
  for (const std::string &Reason : L.Degraded)
    outs() << "  not exact: " << Reason << '\n';
}

void showCopy(const RecordedCopy &C) {
  outs() << "copy " << C.Id << ": " << C.Call << ", " << C.Bytes << " bytes"
         << placesText(C) << (C.HostWaits ? ", the host waits" : "")
         << askedText(C.Asked) << '\n';
}

void showBarrier(const RecordedBarrier &B) {
  outs() << (B.HostWaits ? "barrier: " : "fence: ") << B.What
         << askedText(B.Asked) << '\n';
}

void showWait(const RecordedWait &W) {
  outs() << "wait: " << W.What << ", for the first " << W.Until
         << askedText(W.Asked) << '\n';
}

/// Everything of a recording, in the order issued.
class LaunchesText {
public:
  explicit LaunchesText(const DumpView &Of) : Of(Of) {}

  void print() {
    for (const RecordedLaunch &L : Of.In.Launches) {
      printBetween(L.Id);
      if (Of.Launches.has(L.Id))
        showLaunch(L);
    }
    printBetween(Of.In.Launches.size());
  }

private:
  /// What comes before a launch and behind the one before it.
  void printBetween(uint64_t Launch) {
    const std::vector<RecordedCopy> &Copies = Of.In.Copies;
    for (; Copy < Copies.size() && Copies[Copy].Before <= Launch; ++Copy) {
      printPoints(Launch, Copy);
      if (Of.isShown(Copies[Copy]))
        showCopy(Copies[Copy]);
    }
    printPoints(Launch, Copies.size());
  }

  void printPoints(uint64_t Launch, uint64_t Copies) {
    printUpTo(Of.In.Barriers, Barrier, Launch, Copies, showBarrier);
    printUpTo(Of.In.Waits, Wait, Launch, Copies, showWait);
  }

  /// Those from Next on that come before a launch and a copy.
  template <typename T>
  void printUpTo(const std::vector<T> &All, size_t &Next, uint64_t Launch,
                 uint64_t Copy, void (*Show)(const T &)) {
    for (; Next < All.size() && All[Next].BeforeLaunch <= Launch &&
           All[Next].BeforeCopy <= Copy;
         ++Next)
      if (Of.Launches.hasBefore(All[Next].BeforeLaunch))
        Show(All[Next]);
  }

  const DumpView &Of;
  size_t Barrier = 0, Wait = 0, Copy = 0;
};

json::Object toJson(const HostTime &Asked) {
  return json::Object{{"thread", Asked.Thread}, {"ns", Asked.Ns}};
}

json::Array copiesJson(const DumpView &Of) {
  json::Array Copies;
  for (const RecordedCopy &C : Of.In.Copies) {
    if (!Of.isShown(C))
      continue;
    json::Array Ranges;
    for (const RecordedRange &R : C.Ranges)
      Ranges.push_back(json::Object{
          {"address", R.Address}, {"bytes", R.Bytes}, {"writes", R.Writes}});
    Copies.push_back(json::Object{{"copy", C.Id},
                                  {"before_launch", C.Before},
                                  {"call", C.Call},
                                  {"bytes", C.Bytes},
                                  {"host_waits", C.HostWaits},
                                  {"from", MemoryPlaceNames[size_t(C.From)]},
                                  {"to", MemoryPlaceNames[size_t(C.To)]},
                                  {"ranges", std::move(Ranges)},
                                  {"host", toJson(C.Asked)}});
  }
  return Copies;
}

json::Array toJson(Dim3 Size) { return json::Array{Size.X, Size.Y, Size.Z}; }

json::Array launchesJson(const DumpView &Of) {
  json::Array Launches;
  for (const RecordedLaunch &L : Of.In.Launches)
    if (Of.Launches.has(L.Id))
      Launches.push_back(json::Object{{"launch", L.Id},
                                      {"kernel", L.Kernel},
                                      {"grid", toJson(L.Grid)},
                                      {"block", toJson(L.Block)},
                                      {"shared_bytes", L.SharedBytes},
                                      {"registers", L.Registers},
                                      {"registers_as_run", L.RegistersAsRun},
                                      {"not_exact", json::Array(L.Degraded)},
                                      {"host", toJson(L.Asked)}});
  return Launches;
}

void showLaunchesJson(const DumpView &Of) {
  json::Array Barriers;
  for (const RecordedBarrier &B : Of.In.Barriers)
    if (Of.Launches.hasBefore(B.BeforeLaunch))
      Barriers.push_back(json::Object{{"before_launch", B.BeforeLaunch},
                                      {"before_copy", B.BeforeCopy},
                                      {"what", B.What},
                                      {"host_waits", B.HostWaits},
                                      {"host", toJson(B.Asked)}});
  json::Array Waits;
  for (const RecordedWait &W : Of.In.Waits)
    if (Of.Launches.hasBefore(W.BeforeLaunch))
      Waits.push_back(json::Object{{"before_launch", W.BeforeLaunch},
                                   {"before_copy", W.BeforeCopy},
                                   {"what", W.What},
                                   {"until", W.Until},
                                   {"host", toJson(W.Asked)}});
  printJson(json::Object{{"launches", launchesJson(Of)},
                         {"copies", copiesJson(Of)},
                         {"barriers", std::move(Barriers)},
                         {"waits", std::move(Waits)}});
}

void showLaunchesCsv(const DumpView &Of) {
  CsvTable Table(outs());
  Table.row("launch", "kernel", "grid_x", "grid_y", "grid_z", "block_x",
            "block_y", "block_z", "shared_bytes", "registers",
            "registers_as_run", "not_exact", "host_thread", "host_ns");
  for (const RecordedLaunch &L : Of.In.Launches)
    if (Of.Launches.has(L.Id))
      Table.row(L.Id, L.Kernel, L.Grid.X, L.Grid.Y, L.Grid.Z, L.Block.X,
                L.Block.Y, L.Block.Z, L.SharedBytes, L.Registers,
                L.RegistersAsRun, join(L.Degraded, "; "), L.Asked.Thread,
                L.Asked.Ns);
}

Error showLaunches(const DumpView &Of) {
  if (Of.How.Csv)
    showLaunchesCsv(Of);
  else if (Of.How.Json)
    showLaunchesJson(Of);
  else
    LaunchesText(Of).print();
  return Error::success();
}

} // namespace

int runLaunches(const DumpOptions &Given) {
  return showRecording(showLaunches, Given);
}

} // namespace blockmaestro
