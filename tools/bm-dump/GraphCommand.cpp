// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump graph`: which blocks wait for which, from a recording.

#include "Commands.h"
#include "Csv.h"
#include "GraphDrawing.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "RelationFacts.h"
#include "RelationText.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace llvm;

namespace blockmaestro {
namespace {

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
std::vector<const RecordedObservation *> observedAlone(const DumpView &Of) {
  std::set<LaunchPair> Shown;
  for (const RecordedRelation &R : Of.In.Relations)
    if (Of.isShown(R))
      Shown.insert(launchesOf(R));
  std::vector<const RecordedObservation *> Out;
  for (const RecordedObservation &O : Of.In.Observations)
    if (O.TrueEdges && !Shown.count({O.Producer, O.Consumer}) &&
        Of.Launches.has(O.Producer) && Of.Launches.has(O.Consumer))
      Out.push_back(&O);
  return Out;
}

/// What a check saw of the launches of a relation, or null.
const RecordedObservation *seenOf(const RecordedRelation &R,
                                  const Observed &Among) {
  const auto Found = Among.find(launchesOf(R));
  const bool IsOfCopy = R.ProducerIsCopy || R.ConsumerIsCopy;
  return IsOfCopy || Found == Among.end() ? nullptr : Found->second;
}

std::string seenText(const RecordedObservation &O) {
  return std::to_string(O.TrueEdges) + " of them true" +
         (O.Missing ? ", " + std::to_string(O.Missing) + " missing" : "");
}

void showRelation(const RecordedRelation &R, const RecordedObservation *Seen,
                  const DumpView &Of) {
  outs() << "relation " << nodeText(R.Producer, R.ProducerIsCopy) << " -> "
         << nodeText(R.Consumer, R.ConsumerIsCopy) << ": "
         << patternName(R, Of.In) << ", " << edgeCount(R, Of.In) << " edges, "
         << (Seen ? seenText(*Seen) + ", " : "") << hazardsText(R.Hazards)
         << ", " << (R.Exact ? "exact" : "not exact: " + R.Reason) << '\n';
  if (Of.How.Edges)
    forEachPair(R, Of.In, [&](uint64_t P, uint64_t C) {
      outs() << "  " << blockText(P, producerGrid(R)) << " -> "
             << blockText(C, consumerGrid(R, Of.In)) << '\n';
    });
}

/// Those between launches, then those from or to a copy.
template <typename Function>
void forEachShown(const DumpView &Of, Function Call) {
  for (const auto *All : {&Of.In.Relations, &Of.In.CopyRelations})
    for (const RecordedRelation &R : *All)
      if (Of.isShown(R))
        Call(R);
}

void showGraphText(const DumpView &Of) {
  const Observed Seen = observedIn(Of.In);
  forEachShown(Of, [&](const RecordedRelation &R) {
    showRelation(R, seenOf(R, Seen), Of);
  });
  for (const RecordedObservation *O : observedAlone(Of))
    outs() << "launches " << O->Producer << " -> " << O->Consumer
           << ": no relation, " << O->TrueEdges << " true edges, " << O->Missing
           << " missing\n";
  if (uint64_t Hidden = Of.hiddenCount())
    outs() << Hidden << " more implied by these\n";
}

json::Object toJson(const RecordedRelation &R, const DumpView &Of) {
  json::Object One{{"producer", R.Producer},
                   {"consumer", R.Consumer},
                   {"hazards", hazardsText(R.Hazards)},
                   {"pattern", patternName(R, Of.In)},
                   {"edges", edgeCount(R, Of.In)},
                   {"bytes", encodedBytes(R)},
                   {"exact", R.Exact},
                   {"implied", R.Implied},
                   {"reason", R.Reason}};
  if (Of.How.Edges) {
    json::Array Pairs;
    forEachPair(R, Of.In, [&](uint64_t P, uint64_t C) {
      Pairs.push_back(json::Array{P, C});
    });
    One["pairs"] = std::move(Pairs);
  }
  return One;
}

/// Those between launches.
json::Array relationsJson(const DumpView &Of) {
  const Observed Seen = observedIn(Of.In);
  json::Array Relations;
  for (const RecordedRelation &R : Of.In.Relations) {
    if (!Of.isShown(R))
      continue;
    json::Object One = toJson(R, Of);
    if (const RecordedObservation *O = seenOf(R, Seen)) {
      One["true_edges"] = O->TrueEdges;
      One["missing"] = O->Missing;
    }
    Relations.push_back(std::move(One));
  }
  return Relations;
}

const char *kindName(bool IsCopy) { return IsCopy ? "copy" : "launch"; }

/// Those from or to a copy, which say for both ends what they are.
json::Array copiesJson(const DumpView &Of) {
  json::Array Relations;
  for (const RecordedRelation &R : Of.In.CopyRelations) {
    if (!Of.isShown(R))
      continue;
    json::Object One = toJson(R, Of);
    One["producer_is"] = kindName(R.ProducerIsCopy);
    One["consumer_is"] = kindName(R.ConsumerIsCopy);
    Relations.push_back(std::move(One));
  }
  return Relations;
}

json::Array unrelatedJson(const DumpView &Of) {
  json::Array Pairs;
  for (const RecordedObservation *O : observedAlone(Of))
    Pairs.push_back(json::Object{{"producer", O->Producer},
                                 {"consumer", O->Consumer},
                                 {"true_edges", O->TrueEdges},
                                 {"missing", O->Missing}});
  return Pairs;
}

void showGraphJson(const DumpView &Of) {
  printJson(json::Object{{"relations", relationsJson(Of)},
                         {"copies", copiesJson(Of)},
                         {"unrelated", unrelatedJson(Of)},
                         {"implied", Of.hiddenCount()}});
}

/// A row for each pair of blocks.
void showPairsCsv(const DumpView &Of) {
  CsvTable Table(outs());
  Table.row("producer_is", "producer", "consumer_is", "consumer",
            "producer_block", "consumer_block");
  forEachShown(Of, [&](const RecordedRelation &R) {
    forEachPair(R, Of.In, [&](uint64_t P, uint64_t C) {
      Table.row(kindName(R.ProducerIsCopy), R.Producer,
                kindName(R.ConsumerIsCopy), R.Consumer, P, C);
    });
  });
}

/// A row for each relation; without a check its last two cells are empty.
void showGraphCsv(const DumpView &Of) {
  const Observed Seen = observedIn(Of.In);
  CsvTable Table(outs());
  Table.row("producer_is", "producer", "consumer_is", "consumer", "hazards",
            "pattern", "edges", "bytes", "exact", "implied", "reason",
            "true_edges", "missing");
  forEachShown(Of, [&](const RecordedRelation &R) {
    const RecordedObservation *O = seenOf(R, Seen);
    Table.row(kindName(R.ProducerIsCopy), R.Producer,
              kindName(R.ConsumerIsCopy), R.Consumer, hazardsText(R.Hazards),
              patternName(R, Of.In), edgeCount(R, Of.In), encodedBytes(R),
              R.Exact, R.Implied, R.Reason,
              O ? std::to_string(O->TrueEdges) : "",
              O ? std::to_string(O->Missing) : "");
  });
}

Error showGraph(const DumpView &Of) {
  if (Of.How.Svg)
    return printSvg(Of, outs());
  if (Of.How.Dot)
    printDot(Of, outs());
  else if (Of.How.Csv)
    (Of.How.Edges ? showPairsCsv : showGraphCsv)(Of);
  else
    (Of.How.Json ? showGraphJson : showGraphText)(Of);
  return Error::success();
}

} // namespace

int runGraph(const DumpOptions &Given) {
  return showRecording(showGraph, Given);
}

} // namespace blockmaestro
