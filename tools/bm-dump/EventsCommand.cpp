// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump events`: when and where every block of a recording ran.

#include "Commands.h"
#include "RecordJson.h"
#include "RecordingInput.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <tuple>

using namespace llvm;

namespace blockmaestro {
namespace {

/// By launch and block, with times counted from the first start.
std::vector<Event> eventsOf(const Recording &What) {
  std::vector<Event> Out = What.Events.all();
  uint64_t First = ~uint64_t(0);
  for (const Event &Each : Out)
    First = std::min(First, Each.Start);
  for (Event &Each : Out) {
    Each.Start -= First;
    Each.End -= First;
  }
  std::sort(Out.begin(), Out.end(), [](const Event &A, const Event &B) {
    return std::tie(A.Launch, A.Block, A.Start) <
           std::tie(B.Launch, B.Block, B.Start);
  });
  return Out;
}

void showText(const Recording &What) {
  for (const Event &Each : eventsOf(What))
    outs() << "launch " << Each.Launch << " block " << Each.Block << ": "
           << Each.Start << " to " << Each.End << " ns on " << Each.Where
           << '\n';
}

void showJson(const Recording &What) {
  json::Array Events;
  for (const Event &Each : eventsOf(What))
    Events.push_back(json::Object{{"launch", Each.Launch},
                                  {"block", Each.Block},
                                  {"start_ns", Each.Start},
                                  {"end_ns", Each.End},
                                  {"where", Each.Where}});
  printJson(json::Object{{"events", std::move(Events)}});
}

void show(const Recording &What, const DumpOptions &How) {
  (How.Json ? showJson : showText)(What);
}

} // namespace

int runEvents(const DumpOptions &Given) { return showRecording(show, Given); }

} // namespace blockmaestro
