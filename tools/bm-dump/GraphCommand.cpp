// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump graph`: which blocks wait for which, from a recording.

#include "Commands.h"
#include "Edges.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "RelationFacts.h"
#include "RelationText.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>
#include <utility>

using namespace llvm;

namespace blockmaestro {
namespace {

/// Calls Each(producer, consumer) for every pair.
template <typename Function>
void eachPair(const RecordedRelation &R, const Recording &In, Function Each) {
  forEachEdge(viewOf(R, consumerGrid(R, In)),
              [&](uint64_t C, uint64_t P) { Each(P, C); });
}

using LaunchPair = std::pair<uint64_t, uint64_t>;

LaunchPair launchesOf(const RecordedRelation &R) {
  return {R.Producer, R.Consumer};
}

/// What a check saw, by producer and consumer.
using Observed = std::map<LaunchPair, const RecordedObservation *>;

Observed observedIn(const Recording &What) {
  Observed Out;
  for (const RecordedObservation &O : What.Observations)
    Out[{O.Producer, O.Consumer}] = &O;
  return Out;
}

/// Those with true pairs whose launches have no relation that is shown.
std::vector<const RecordedObservation *> observedAlone(const Recording &What,
                                                       const DumpOptions &How) {
  std::set<LaunchPair> Shown;
  for (const RecordedRelation &R : What.Relations)
    if (isShown(R, How))
      Shown.insert(launchesOf(R));
  std::vector<const RecordedObservation *> Out;
  for (const RecordedObservation &O : What.Observations)
    if (O.TrueEdges && !Shown.count({O.Producer, O.Consumer}))
      Out.push_back(&O);
  return Out;
}

std::string seenText(const RecordedObservation &O) {
  return std::to_string(O.TrueEdges) + " of them true" +
         (O.Missing ? ", " + std::to_string(O.Missing) + " missing" : "");
}

void showRelation(const RecordedRelation &R, const RecordedObservation *Seen,
                  const Recording &What, const DumpOptions &How) {
  outs() << "relation " << nodeText(R.Producer, R.ProducerIsCopy) << " -> "
         << nodeText(R.Consumer, R.ConsumerIsCopy) << ": "
         << patternName(R, What) << ", " << edgeCount(R, What) << " edges, "
         << (Seen ? seenText(*Seen) + ", " : "") << hazardsText(R.Hazards)
         << ", " << (R.Exact ? "exact" : "not exact: " + R.Reason) << '\n';
  if (How.Edges)
    eachPair(R, What, [&](uint64_t P, uint64_t C) {
      outs() << "  " << blockText(P, producerGrid(R)) << " -> "
             << blockText(C, consumerGrid(R, What)) << '\n';
    });
}

void showText(const Recording &What, const DumpOptions &How) {
  Observed Seen = observedIn(What);
  for (const RecordedRelation &R : What.Relations)
    if (isShown(R, How))
      showRelation(R, Seen.count(launchesOf(R)) ? Seen[launchesOf(R)] : nullptr,
                   What, How);
  for (const RecordedRelation &R : What.CopyRelations)
    if (isShown(R, How))
      showRelation(R, nullptr, What, How);
  for (const RecordedObservation *O : observedAlone(What, How))
    outs() << "launches " << O->Producer << " -> " << O->Consumer
           << ": no relation, " << O->TrueEdges << " true edges, " << O->Missing
           << " missing\n";
  if (uint64_t Hidden = hiddenCount(What, How))
    outs() << Hidden << " more implied by these\n";
}

json::Object toJson(const RecordedRelation &R, const Recording &What,
                    const DumpOptions &How) {
  json::Object One{{"producer", R.Producer},
                   {"consumer", R.Consumer},
                   {"hazards", hazardsText(R.Hazards)},
                   {"pattern", patternName(R, What)},
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
  return One;
}

/// Those between launches.
json::Array relationsJson(const Recording &What, const DumpOptions &How) {
  Observed Seen = observedIn(What);
  json::Array Relations;
  for (const RecordedRelation &R : What.Relations) {
    if (!isShown(R, How))
      continue;
    json::Object One = toJson(R, What, How);
    if (auto Found = Seen.find(launchesOf(R)); Found != Seen.end()) {
      One["true_edges"] = Found->second->TrueEdges;
      One["missing"] = Found->second->Missing;
    }
    Relations.push_back(std::move(One));
  }
  return Relations;
}

/// Those from or to a copy, which say for both ends what they are.
json::Array copiesJson(const Recording &What, const DumpOptions &How) {
  json::Array Relations;
  for (const RecordedRelation &R : What.CopyRelations) {
    if (!isShown(R, How))
      continue;
    json::Object One = toJson(R, What, How);
    One["producer_is"] = R.ProducerIsCopy ? "copy" : "launch";
    One["consumer_is"] = R.ConsumerIsCopy ? "copy" : "launch";
    Relations.push_back(std::move(One));
  }
  return Relations;
}

json::Array unrelatedJson(const Recording &What, const DumpOptions &How) {
  json::Array Pairs;
  for (const RecordedObservation *O : observedAlone(What, How))
    Pairs.push_back(json::Object{{"producer", O->Producer},
                                 {"consumer", O->Consumer},
                                 {"true_edges", O->TrueEdges},
                                 {"missing", O->Missing}});
  return Pairs;
}

void showJson(const Recording &What, const DumpOptions &How) {
  printJson(json::Object{{"relations", relationsJson(What, How)},
                         {"copies", copiesJson(What, How)},
                         {"unrelated", unrelatedJson(What, How)},
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

int runGraph(const DumpOptions &Given) { return showRecording(show, Given); }

} // namespace blockmaestro
