// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump graph`: which blocks wait for which, from a recording.

#include "Commands.h"
#include "Edges.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "RelationText.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

const char *pattern(const RecordedRelation &R, const Recording &In) {
  return patternName(viewOf(R, consumerGrid(R, In)));
}

/// Calls Each(producer, consumer) for every pair.
template <typename Function>
void eachPair(const RecordedRelation &R, const Recording &In, Function Each) {
  forEachEdge(viewOf(R, consumerGrid(R, In)),
              [&](uint64_t C, uint64_t P) { Each(P, C); });
}

void showText(const Recording &What, const DumpOptions &How) {
  for (const RecordedRelation &R : What.Relations) {
    if (!isShown(R, How))
      continue;
    outs() << "relation " << R.Producer << " -> " << R.Consumer << ": "
           << pattern(R, What) << ", " << edgeCount(R, What) << " edges, "
           << hazardsText(R.Hazards) << ", "
           << (R.Exact ? "exact" : "not exact: " + R.Reason) << '\n';
    if (How.Edges)
      eachPair(R, What, [&](uint64_t P, uint64_t C) {
        outs() << "  " << blockText(P, producerGrid(R)) << " -> "
               << blockText(C, consumerGrid(R, What)) << '\n';
      });
  }
  if (uint64_t Hidden = hiddenCount(What, How))
    outs() << Hidden << " more implied by these\n";
}

void showJson(const Recording &What, const DumpOptions &How) {
  json::Array Relations;
  for (const RecordedRelation &R : What.Relations) {
    if (!isShown(R, How))
      continue;
    json::Object One{{"producer", R.Producer},
                     {"consumer", R.Consumer},
                     {"hazards", hazardsText(R.Hazards)},
                     {"pattern", pattern(R, What)},
                     {"edges", edgeCount(R, What)},
                     {"bytes", encodedBytes(R)},
                     {"exact", R.Exact},
                     {"implied", R.Implied},
                     {"reason", R.Reason}};
    if (How.Edges) {
      json::Array Pairs;
      eachPair(R, What, [&](uint64_t P, uint64_t C) {
        Pairs.push_back(json::Array{P, C});
      });
      One["pairs"] = std::move(Pairs);
    }
    Relations.push_back(std::move(One));
  }
  printJson(json::Object{{"relations", std::move(Relations)},
                         {"implied", hiddenCount(What, How)}});
}

/// Graphviz: one cluster for each launch that has a relation.
void showDot(const Recording &What, const DumpOptions &How) {
  std::vector<bool> Used(What.Launches.size());
  for (const RecordedRelation &R : What.Relations)
    if (isShown(R, How))
      Used[R.Producer] = Used[R.Consumer] = true;
  outs() << "digraph blocks {\n  rankdir=LR;\n  node [shape=box];\n";
  for (const RecordedLaunch &L : What.Launches) {
    if (!Used[L.Id])
      continue;
    outs() << "  subgraph cluster" << L.Id << " {\n    label=\"" << L.Id
           << "\";\n";
    for (uint64_t B = 0; B < L.Grid.count(); ++B)
      outs() << "    b" << L.Id << '_' << B << " [label=\""
             << blockText(B, L.Grid) << "\"];\n";
    outs() << "  }\n";
  }
  for (const RecordedRelation &R : What.Relations)
    if (isShown(R, How))
      eachPair(R, What, [&](uint64_t P, uint64_t C) {
        outs() << "  b" << R.Producer << '_' << P << " -> b" << R.Consumer
               << '_' << C << ";\n";
      });
  outs() << "}\n";
}

void show(const Recording &What, const DumpOptions &How) {
  if (How.Dot)
    showDot(What, How);
  else
    (How.Json ? showJson : showText)(What, How);
}

} // namespace

int runGraph(ArrayRef<const char *> Arguments) {
  static constexpr StringLiteral Extra[] = {"--edges", "--dot", "--all"};
  return showRecording(
      {"graph", "[--edges] [--all] [--json | --dot]", Extra, show}, Arguments);
}

} // namespace blockmaestro
