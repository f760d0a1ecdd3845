// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Edges.h"
#include "RecordingTables.h"
#include "RelationFacts.h"
#include "RelationText.h"

#include <map>
#include <utility>

namespace blockmaestro::python {
namespace {

using Each = RecordedRelation;

/// Calls \p Do with each, in the order of their numbers.
template <typename Callback>
void forEachRelation(const Recording &Of, Callback Do) {
  for (const Each &R : Of.Relations)
    Do(R);
  for (const Each &R : Of.CopyRelations)
    Do(R);
}

/// Patterns, of which loops have the same ones again and again, and whose cost
/// grows with the grid.
class KnownPatterns {
public:
  const PatternFacts &of(const Each &R, const Recording &In) {
    const auto [Found, IsNew] = Known.try_emplace(formKey(R, In));
    if (IsNew)
      Found->second = patternOf(viewOf(R, consumerGrid(R, In)));
    return Found->second;
  }

private:
  std::map<std::string, PatternFacts> Known;
};

/// The numbers of one piece: boxes, then rows.
template <typename Callback>
void forEachNumber(const EncodedPiece &P, Callback Do) {
  static constexpr const char *Axis[] = {"x", "y", "z"};
  const std::pair<const char *, const int32_t *> Boxes[] = {
      {"consumer_low_", P.ConsumerLow},
      {"consumer_high_", P.ConsumerHigh},
      {"producer_low_", P.ProducerLow},
      {"producer_high_", P.ProducerHigh}};
  for (const auto &[Name, Values] : Boxes)
    for (int J = 0; J < 3; ++J)
      Do(Name + std::string(Axis[J]), Values[J]);
  for (int J = 0; J < 3; ++J) {
    const std::string Of = std::string("_") + Axis[J];
    for (int K = 0; K < 3; ++K)
      Do("row" + Of + "_by_" + Axis[K], P.Rows[J].A[K]);
    Do("row" + Of + "_divisor", P.Rows[J].D);
    Do("row" + Of + "_low", P.Rows[J].Low);
    Do("row" + Of + "_high", P.Rows[J].High);
  }
}

/// The columns of all pieces' numbers.
class PieceNumbers {
public:
  PieceNumbers() {
    forEachNumber({}, [&](std::string Name, int32_t) {
      Names.push_back(std::move(Name));
    });
    Values.resize(Names.size());
  }

  void add(const EncodedPiece &P) {
    size_t Next = 0;
    forEachNumber(P, [&](const std::string &, int32_t Value) {
      Values[Next++].push_back(Value);
    });
  }

  void moveTo(Table &To) {
    for (size_t I = 0; I < Names.size(); ++I)
      To.add(Names[I], std::move(Values[I]));
  }

private:
  std::vector<std::string> Names;
  std::vector<std::vector<int32_t>> Values;
};

std::vector<const Each *> allRelations(const Recording &Of) {
  std::vector<const Each *> Out;
  forEachRelation(Of, [&](const Each &R) { Out.push_back(&R); });
  return Out;
}

/// Producers or consumers: their numbers, and whether these are copies'.
void addEnd(Table &To, const std::string &Name,
            const std::vector<const Each *> &Of, uint64_t Each::*Number,
            bool Each::*IsCopy) {
  To.add(Name,
         collected<uint64_t>(Of, [&](const Each *R) { return R->*Number; }));
  addWords(To, Name + "_is", Of, [&](const Each *R) {
    return std::string(R->*IsCopy ? "copy" : "launch");
  });
}

/// What follows from the pairs of blocks.
void addPairs(Table &To, const std::vector<const Each *> &Of,
              const Recording &In) {
  KnownPatterns Known;
  Words Names;
  std::vector<int32_t> Patterns;
  std::vector<uint64_t> Edges;
  for (const Each *R : Of) {
    const PatternFacts &Facts = Known.of(*R, In);
    Patterns.push_back(Names.numberOf(Facts.Name));
    Edges.push_back(Facts.Edges);
  }
  To.addWords("pattern", std::move(Patterns), Names);
  To.add("edges", std::move(Edges));
}

} // namespace

Table relationsOf(const Recording &Of) {
  const std::vector<const Each *> All = allRelations(Of);
  Table Out;
  addEnd(Out, "producer", All, &Each::Producer, &Each::ProducerIsCopy);
  addEnd(Out, "consumer", All, &Each::Consumer, &Each::ConsumerIsCopy);
  addWords(Out, "kind", All,
           [](const Each *R) { return std::string(formName(*R)); });
  addPairs(Out, All, Of);
  addWords(Out, "hazards", All,
           [](const Each *R) { return hazardsText(R->Hazards); });
  Out.addBools("exact",
               collected<uint8_t>(All, [](const Each *R) { return R->Exact; }));
  Out.addBools("implied", collected<uint8_t>(
                              All, [](const Each *R) { return R->Implied; }));
  Out.add("pieces", collected<uint64_t>(
                        All, [](const Each *R) { return R->Pieces.size(); }));
  Out.add("runs", collected<uint64_t>(All, [](const Each *R) {
            return R->List ? R->List->Runs.size() : 0;
          }));
  Out.add("bytes", collected<uint64_t>(
                       All, [](const Each *R) { return encodedBytes(*R); }));
  Out.add("stored_bytes", collected<uint32_t>(All, [](const Each *R) {
            return R->Stored.Bytes;
          }));
  Out.add("form_bytes", collected<uint32_t>(
                            All, [](const Each *R) { return R->Stored.Form; }));
  addWords(Out, "reason", All, [](const Each *R) { return R->Reason; });
  return Out;
}

Table piecesOf(const Recording &Of) {
  std::vector<uint64_t> Relations;
  std::vector<int32_t> Hazards, Formulas;
  Words HazardNames, FormulaTexts;
  PieceNumbers Numbers;
  uint64_t Next = 0;
  forEachRelation(Of, [&](const Each &R) {
    for (size_t I = 0; I < R.Pieces.size(); ++I) {
      Relations.push_back(Next);
      Hazards.push_back(HazardNames.numberOf(hazardsText(R.PieceHazards[I])));
      Formulas.push_back(FormulaTexts.numberOf(
          toText(R.Pieces[I], producerGrid(R), consumerGrid(R, Of))));
      Numbers.add(R.Pieces[I]);
    }
    ++Next;
  });
  Table Out;
  Out.add("relation", std::move(Relations));
  Out.addWords("hazards", std::move(Hazards), HazardNames);
  Out.addWords("formula", std::move(Formulas), FormulaTexts);
  Numbers.moveTo(Out);
  return Out;
}

Table runsOf(const Recording &Of) {
  std::vector<uint64_t> Relations;
  std::vector<uint32_t> Consumers, First, Last;
  std::vector<int32_t> Hazards;
  Words HazardNames;
  uint64_t Next = 0;
  forEachRelation(Of, [&](const Each &R) {
    const size_t Blocks = R.List ? R.List->Begin.size() - 1 : 0;
    for (size_t C = 0; C < Blocks; ++C)
      for (uint32_t I = R.List->Begin[C]; I < R.List->Begin[C + 1]; ++I) {
        Relations.push_back(Next);
        Consumers.push_back(uint32_t(C));
        First.push_back(R.List->Runs[I].First);
        Last.push_back(R.List->Runs[I].Last);
        Hazards.push_back(
            HazardNames.numberOf(hazardsText(R.List->Hazards[I])));
      }
    ++Next;
  });
  Table Out;
  Out.add("relation", std::move(Relations));
  Out.add("consumer_block", std::move(Consumers));
  Out.add("first", std::move(First));
  Out.add("last", std::move(Last));
  Out.addWords("hazards", std::move(Hazards), HazardNames);
  return Out;
}

} // namespace blockmaestro::python
