// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump launches`: every launch of a recording, with the
// barriers between them and what the compiler could not say exactly.

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

void showText(const Recording &What) {
  auto Barrier = What.Barriers.begin();
  auto ShowBarriersBefore = [&](uint64_t Launch) {
    for (; Barrier != What.Barriers.end() && Barrier->BeforeLaunch <= Launch;
         ++Barrier)
      outs() << "barrier: " << Barrier->What << '\n';
  };
  for (const RecordedLaunch &L : What.Launches) {
    ShowBarriersBefore(L.Id);
    showLaunch(L);
  }
  ShowBarriersBefore(What.Launches.size());
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
