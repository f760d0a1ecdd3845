// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tables.h"

#include "Column.h"
#include "Durations.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// What a column has of each row.
template <typename Row> struct ColumnOf {
  StringRef Name;
  function_ref<int64_t(const Row &)> Number;
};

template <typename Row>
void writeTable(json::OStream &Out, StringRef Name, const std::vector<Row> &All,
                std::initializer_list<ColumnOf<Row>> Columns) {
  Out.attributeObject(Name, [&] {
    for (const ColumnOf<Row> &Each : Columns) {
      Column Numbers;
      Numbers.reserve(All.size());
      for (const Row &One : All)
        Numbers.push_back(Each.Number(One));
      writeColumn(Out, Each.Name, Numbers);
    }
  });
}

Size sizeOf(Dim3 Of) { return {Of.X, Of.Y, Of.Z}; }

void writeLaunches(json::OStream &Out, RecordingFacts &Of,
                   Numbered<Size> &Sizes) {
  using L = const RecordedLaunch &;
  const uint64_t First = firstStart(Of.Sums);
  const auto Sum = [&](L X) -> const LaunchSum & { return Of.Sums[X.Id]; };
  const auto StartOf = [&](L X) {
    return Sum(X).Events ? int64_t(Sum(X).Start - First) : -1;
  };
  writeTable<RecordedLaunch>(
      Out, "launches", Of.What.Launches,
      {{"kernel", [&](L X) { return Of.KernelOf[X.Id]; }},
       {"grid", [&](L X) { return Sizes(sizeOf(X.Grid)); }},
       {"block", [&](L X) { return Sizes(sizeOf(X.Block)); }},
       {"shared_bytes", [](L X) { return int64_t(X.SharedBytes); }},
       {"registers", [](L X) { return int64_t(X.Registers); }},
       {"registers_as_run", [](L X) { return int64_t(X.RegistersAsRun); }},
       {"thread", [](L X) { return int64_t(X.Asked.Thread); }},
       {"host_ns", [](L X) { return int64_t(X.Asked.Ns); }},
       {"not_exact", [&](L X) { return Of.ReasonSetOf[X.Id]; }},
       {"events", [&](L X) { return int64_t(Sum(X).Events); }},
       {"start_ns", StartOf},
       {"ns", [&](L X) { return int64_t(Sum(X).ns()); }},
       {"block_ns", [&](L X) { return int64_t(Sum(X).BlockNs); }},
       {"costs", [&](L X) { return int64_t(Sum(X).Costs); }},
       {"instructions",
        [&](L X) { return int64_t(Sum(X).Cost.instructions()); }},
       {"global_accesses",
        [&](L X) { return int64_t(Sum(X).Cost.globalAccesses()); }},
       {"global_sectors",
        [&](L X) { return int64_t(Sum(X).Cost.globalSectors()); }},
       {"shared_accesses",
        [&](L X) { return int64_t(Sum(X).Cost.sharedAccesses()); }},
       {"shared_wavefronts",
        [&](L X) { return int64_t(Sum(X).Cost.SharedWavefronts); }}});
}

/// A relation with its form and reason.
struct RelationRow {
  const RecordedRelation *What;
  uint32_t Form;
  int64_t Reason;
};

void writeRelations(json::OStream &Out, const RecordingFacts &Of) {
  using R = const RelationRow &;
  std::vector<RelationRow> Rows;
  for (size_t I = 0; I < Of.What.Relations.size(); ++I)
    Rows.push_back(
        {&Of.What.Relations[I], Of.Forms.ofLaunches(I), Of.RelationReasons[I]});
  writeTable<RelationRow>(
      Out, "relations", Rows,
      {{"producer", [](R X) { return int64_t(X.What->Producer); }},
       {"consumer", [](R X) { return int64_t(X.What->Consumer); }},
       {"form", [](R X) { return int64_t(X.Form); }},
       {"hazards", [](R X) { return int64_t(X.What->Hazards); }},
       {"exact", [](R X) { return int64_t(X.What->Exact); }},
       {"implied", [](R X) { return int64_t(X.What->Implied); }},
       {"reason", [](R X) { return X.Reason; }}});
}

void writeCopyRelations(json::OStream &Out, const RecordingFacts &Of) {
  using R = const RelationRow &;
  std::vector<RelationRow> Rows;
  for (size_t I = 0; I < Of.What.CopyRelations.size(); ++I)
    Rows.push_back({&Of.What.CopyRelations[I], Of.Forms.ofCopies(I),
                    Of.CopyRelationReasons[I]});
  writeTable<RelationRow>(
      Out, "copy_relations", Rows,
      {{"producer", [](R X) { return int64_t(X.What->Producer); }},
       {"consumer", [](R X) { return int64_t(X.What->Consumer); }},
       {"producer_is_copy",
        [](R X) { return int64_t(X.What->ProducerIsCopy); }},
       {"consumer_is_copy",
        [](R X) { return int64_t(X.What->ConsumerIsCopy); }},
       {"form", [](R X) { return int64_t(X.Form); }},
       {"hazards", [](R X) { return int64_t(X.What->Hazards); }},
       {"exact", [](R X) { return int64_t(X.What->Exact); }},
       {"implied", [](R X) { return int64_t(X.What->Implied); }},
       {"reason", [](R X) { return X.Reason; }}});
}

void writeCopies(json::OStream &Out, RecordingFacts &Of) {
  using C = const RecordedCopy &;
  writeTable<RecordedCopy>(
      Out, "copies", Of.What.Copies,
      {{"before_launch", [](C X) { return int64_t(X.Before); }},
       {"call", [&](C X) { return Of.Calls(X.Call); }},
       {"bytes", [](C X) { return int64_t(X.Bytes); }},
       {"host_waits", [](C X) { return int64_t(X.HostWaits); }},
       {"from", [](C X) { return int64_t(X.From); }},
       {"to", [](C X) { return int64_t(X.To); }},
       {"path", [](C X) { return int64_t(sim::pathOf(X)); }},
       {"thread", [](C X) { return int64_t(X.Asked.Thread); }},
       {"host_ns", [](C X) { return int64_t(X.Asked.Ns); }}});
}

void writeBarriers(json::OStream &Out, RecordingFacts &Of) {
  using B = const RecordedBarrier &;
  writeTable<RecordedBarrier>(
      Out, "barriers", Of.What.Barriers,
      {{"before_launch", [](B X) { return int64_t(X.BeforeLaunch); }},
       {"before_copy", [](B X) { return int64_t(X.BeforeCopy); }},
       {"call", [&](B X) { return Of.Calls(X.What); }},
       {"host_waits", [](B X) { return int64_t(X.HostWaits); }},
       {"thread", [](B X) { return int64_t(X.Asked.Thread); }},
       {"host_ns", [](B X) { return int64_t(X.Asked.Ns); }}});
}

void writeWaits(json::OStream &Out, RecordingFacts &Of) {
  using W = const RecordedWait &;
  writeTable<RecordedWait>(
      Out, "waits", Of.What.Waits,
      {{"before_launch", [](W X) { return int64_t(X.BeforeLaunch); }},
       {"before_copy", [](W X) { return int64_t(X.BeforeCopy); }},
       {"call", [&](W X) { return Of.Calls(X.What); }},
       {"until", [](W X) { return int64_t(X.Until); }},
       {"thread", [](W X) { return int64_t(X.Asked.Thread); }},
       {"host_ns", [](W X) { return int64_t(X.Asked.Ns); }}});
}

void writeObservations(json::OStream &Out, const RecordingFacts &Of) {
  using O = const RecordedObservation &;
  writeTable<RecordedObservation>(
      Out, "observations", Of.What.Observations,
      {{"producer", [](O X) { return int64_t(X.Producer); }},
       {"consumer", [](O X) { return int64_t(X.Consumer); }},
       {"true_edges", [](O X) { return int64_t(X.TrueEdges); }},
       {"missing", [](O X) { return int64_t(X.Missing); }}});
}

} // namespace

void writeTables(json::OStream &Out, RecordingFacts &Of,
                 Numbered<Size> &Sizes) {
  writeLaunches(Out, Of, Sizes);
  writeRelations(Out, Of);
  writeCopyRelations(Out, Of);
  writeCopies(Out, Of);
  writeBarriers(Out, Of);
  writeWaits(Out, Of);
  writeObservations(Out, Of);
}

void writeMotifs(json::OStream &Out, const RecordingFacts &Of) {
  Column Count, Children, First;
  for (const MotifNode &Each : Of.Motifs) {
    Count.push_back(Each.Count);
    Children.push_back(Each.Children);
    First.push_back(Each.First);
  }
  Out.object([&] {
    writeColumn(Out, "count", Count);
    writeColumn(Out, "children", Children);
    writeColumn(Out, "first", First);
    writeColumn(Out, "positions",
                Column(Of.Positions.begin(), Of.Positions.end()));
  });
}

void writeCounts(json::OStream &Out, const RecordingFacts &Of) {
  const Recording &What = Of.What;
  uint64_t Blocks = 0, Edges = 0;
  for (const RecordedLaunch &Each : What.Launches)
    Blocks += Each.Grid.count();
  for (size_t I = 0; I < What.Relations.size(); ++I)
    Edges += Of.Forms.all()[Of.Forms.ofLaunches(I)].Edges;
  const auto IsImplied = [](const RecordedRelation &R) { return R.Implied; };
  Out.object([&] {
    Out.attribute("launches", What.Launches.size());
    Out.attribute("relations", What.Relations.size());
    Out.attribute("copies", What.Copies.size());
    Out.attribute("copy_relations", What.CopyRelations.size());
    Out.attribute("barriers", What.Barriers.size());
    Out.attribute("waits", What.Waits.size());
    Out.attribute("observations", What.Observations.size());
    Out.attribute("events", What.Events.size());
    Out.attribute("costs", What.Costs.size());
    Out.attribute("blocks", Blocks);
    Out.attribute("implied", count_if(What.Relations, IsImplied) +
                                 count_if(What.CopyRelations, IsImplied));
    Out.attribute("edges", Edges);
  });
}

} // namespace blockmaestro
