// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump launches`: every launch of a recording, with the
// copies and barriers between them and what the compiler could not say exactly.

#include "Commands.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "RelationText.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

void showLaunch(const RecordedLaunch &L) {
  outs() << "launch " << L.Id << ": " << L.Kernel << ", grid "
         << gridText(L.Grid) << ", block " << gridText(L.Block);
  if (L.SharedBytes)
    outs() << ", " << L.SharedBytes << " shared bytes";
  outs() << '\n';
  for (const std::string &Reason : L.Degraded)
    outs() << "  not exact: " << Reason << '\n';
}

void showCopy(const RecordedCopy &C) {
  outs() << "copy " << C.Id << ": " << C.Call << ", " << C.Bytes << " bytes"
         << (C.HostWaits ? ", the host waits" : "") << '\n';
}

void showText(const Recording &What) {
  auto Barrier = What.Barriers.begin();
  auto Copy = What.Copies.begin();
  auto ShowBetween = [&](uint64_t Launch) {
    for (; Copy != What.Copies.end() && Copy->Before <= Launch; ++Copy)
      showCopy(*Copy);
    for (; Barrier != What.Barriers.end() && Barrier->BeforeLaunch <= Launch;
         ++Barrier)
      outs() << "barrier: " << Barrier->What << '\n';
  };
  for (const RecordedLaunch &L : What.Launches) {
    ShowBetween(L.Id);
    showLaunch(L);
  }
  ShowBetween(What.Launches.size());
}

json::Array copiesJson(const Recording &What) {
  json::Array Copies;
  for (const RecordedCopy &C : What.Copies) {
    json::Array Ranges;
    for (const RecordedRange &R : C.Ranges)
      Ranges.push_back(json::Object{
          {"address", R.Address}, {"bytes", R.Bytes}, {"writes", R.Writes}});
    Copies.push_back(json::Object{{"copy", C.Id},
                                  {"before_launch", C.Before},
                                  {"call", C.Call},
                                  {"bytes", C.Bytes},
                                  {"host_waits", C.HostWaits},
                                  {"ranges", std::move(Ranges)}});
  }
  return Copies;
}

json::Array toJson(Dim3 Size) { return json::Array{Size.X, Size.Y, Size.Z}; }

void showJson(const Recording &What) {
  json::Array Launches;
  for (const RecordedLaunch &L : What.Launches)
    Launches.push_back(json::Object{{"launch", L.Id},
                                    {"kernel", L.Kernel},
                                    {"grid", toJson(L.Grid)},
                                    {"block", toJson(L.Block)},
                                    {"shared_bytes", L.SharedBytes},
                                    {"not_exact", json::Array(L.Degraded)}});
  json::Array Barriers;
  for (const RecordedBarrier &B : What.Barriers)
    Barriers.push_back(
        json::Object{{"before_launch", B.BeforeLaunch}, {"what", B.What}});
  printJson(json::Object{{"launches", std::move(Launches)},
                         {"copies", copiesJson(What)},
                         {"barriers", std::move(Barriers)}});
}

void show(const Recording &What, const DumpOptions &How) {
  (How.Json ? showJson : showText)(What);
}

} // namespace

int runLaunches(ArrayRef<const char *> Arguments) {
  return showRecording({"launches", "[--json]", {}, show}, Arguments);
}

} // namespace blockmaestro
