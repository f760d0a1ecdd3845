// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RelationForms.h"

#include "Column.h"
#include "Edges.h"
#include "RelationFacts.h"
#include "RelationText.h"

#include <string>
#include <unordered_map>

using namespace llvm;

namespace blockmaestro {

/// Lists of more runs are left out, each, and all lists together.
static constexpr size_t MostRuns = 4096, MostRunsOfAll = size_t(1) << 18;

RelationForms::RelationForms(const Recording &Of) : Of(Of) {
  std::unordered_map<std::string, uint32_t> Known;
  const auto Find = [&](const RecordedRelation &R) {
    const auto [Where, New] =
        Known.try_emplace(formKey(R, Of), uint32_t(Forms.size()));
    if (New) {
      const PatternFacts Facts = patternOf(viewOf(R, consumerGrid(R, Of)));
      Forms.push_back({&R, Facts.Name, Facts.Edges, 0});
    }
    ++Forms[Where->second].Relations;
    return Where->second;
  };
  for (const RecordedRelation &Each : Of.Relations)
    OfLaunches.push_back(Find(Each));
  for (const RecordedRelation &Each : Of.CopyRelations)
    OfCopies.push_back(Find(Each));
}

template <typename T>
static void writeThree(json::OStream &Out, StringRef Name, const T &Numbers) {
  Out.attributeArray(Name, [&] {
    for (unsigned I = 0; I < 3; ++I)
      Out.value(Numbers[I]);
  });
}

static void writeRow(json::OStream &Out, const EncodedRow &Row) {
  Out.array([&] {
    for (int32_t Each : Row.A)
      Out.value(Each);
    Out.value(Row.D);
    Out.value(Row.Low);
    Out.value(Row.High);
  });
}

static void writePiece(json::OStream &Out, const RecordedRelation &R, size_t I,
                       Dim3 ConsumerGrid) {
  const EncodedPiece &P = R.Pieces[I];
  Out.object([&] {
    Out.attribute("hazards", R.PieceHazards[I]);
    Out.attribute("formula", toText(P, producerGrid(R), ConsumerGrid));
    writeThree(Out, "consumer_low", P.ConsumerLow);
    writeThree(Out, "consumer_high", P.ConsumerHigh);
    writeThree(Out, "producer_low", P.ProducerLow);
    writeThree(Out, "producer_high", P.ProducerHigh);
    Out.attributeArray("rows", [&] {
      for (const EncodedRow &Row : P.Rows)
        writeRow(Out, Row);
    });
  });
}

static void writeList(json::OStream &Out, const BlockList &List) {
  Column First, Last;
  for (BlockRun Run : List.Runs) {
    First.push_back(Run.First);
    Last.push_back(Run.Last);
  }
  Out.object([&] {
    writeColumn(Out, "begin", Column(List.Begin.begin(), List.Begin.end()));
    writeColumn(Out, "first", First);
    writeColumn(Out, "last", Last);
  });
}

/// What a list takes of what all lists may take.
static size_t sizeOf(const BlockList &List) {
  return std::max(List.Runs.size(), List.Begin.size());
}

void RelationForms::writeForm(json::OStream &Out, const RelationForm &Form,
                              size_t &RunsLeft) const {
  const RecordedRelation &R = *Form.First;
  const Dim3 Consumers = consumerGrid(R, Of);
  Out.object([&] {
    Out.attribute("kind", formName(R));
    Out.attribute("pattern", Form.Pattern);
    Out.attribute("edges", Form.Edges);
    Out.attribute("bytes", encodedBytes(R));
    writeThree(Out, "producer_grid", producerGrid(R));
    writeThree(Out, "consumer_grid", Consumers);
    Out.attribute("relations", Form.Relations);
    Out.attributeArray("pieces", [&] {
      for (size_t I = 0; I < R.Pieces.size(); ++I)
        writePiece(Out, R, I, Consumers);
    });
    Out.attributeBegin("list");
    if (R.List && R.List->Runs.size() <= MostRuns &&
        sizeOf(*R.List) <= RunsLeft) {
      RunsLeft -= sizeOf(*R.List);
      writeList(Out, *R.List);
    } else {
      Out.value(nullptr);
    }
    Out.attributeEnd();
  });
}

void RelationForms::write(json::OStream &Out) const {
  size_t RunsLeft = MostRunsOfAll;
  Out.array([&] {
    for (const RelationForm &Each : Forms)
      writeForm(Out, Each, RunsLeft);
  });
}

} // namespace blockmaestro
