// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump encoding`: relations as the formulas executors read.

#include "Commands.h"
#include "Csv.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "RelationFacts.h"
#include "RelationText.h"
#include "Storage.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

bool isFull(const RecordedRelation &R) {
  return R.Header.Kind == uint32_t(RelationKind::Full);
}

uint64_t plainBytes(const RecordedRelation &R, const Recording &In) {
  return listBytes(consumerGrid(R, In).count(), edgeCount(R, In));
}

std::string pieceText(const RecordedRelation &R, size_t I,
                      const Recording &In) {
  return toText(R.Pieces[I], producerGrid(R), consumerGrid(R, In));
}

std::string runText(BlockRun Run, Dim3 Grid) {
  std::string Text = blockText(Run.First, Grid);
  return Run.First == Run.Last ? Text
                               : Text + " to " + blockText(Run.Last, Grid);
}

/// "c = (1,0): p = (0,0) to (3,0), (2,1)", for consumers that wait.
void showList(const RecordedRelation &R, const Recording &In) {
  const Dim3 Consumers = consumerGrid(R, In);
  for (uint32_t C = 0; C < Consumers.count(); ++C) {
    const char *Before = ": p = ";
    const RunRange Runs = producersOf(R.List->lists(), C);
    if (Runs.begin() == Runs.end())
      continue;
    outs() << "  c = " << blockText(C, Consumers);
    for (BlockRun Run : Runs) {
      outs() << Before << runText(Run, producerGrid(R));
      Before = ", ";
    }
    outs() << '\n';
  }
}

void showForm(const RecordedRelation &R, const Recording &In) {
  if (isFull(R))
    outs() << "  " << hazardsText(R.Hazards) << ": every p"
           << (R.Reason.empty() ? "" : "; " + R.Reason) << '\n';
  for (size_t I = 0; I < R.Pieces.size(); ++I)
    outs() << "  " << hazardsText(R.PieceHazards[I]) << ": "
           << pieceText(R, I, In) << '\n';
  if (R.List)
    showList(R, In);
}

void showTotal(const Storage &All) {
  const StorageBytes &Sum = All.total();
  outs() << "all: stored " << Sum.Stored << " bytes, of " << All.forms()
         << " forms (" << Sum.Form << " if none were shared), the paper "
         << Sum.Paper << ", lists " << Sum.List << '\n';
}

void showEncodingText(const DumpView &Of) {
  Storage Sums;
  for (const RecordedRelation &R : Of.In.Relations) {
    if (!Of.isShown(R))
      continue;
    outs() << "relation " << R.Producer << " -> " << R.Consumer << ", "
           << gridText(producerGrid(R)) << " to "
           << gridText(consumerGrid(R, Of.In)) << " blocks: " << encodedBytes(R)
           << " bytes, as a list " << plainBytes(R, Of.In);
    if (Of.How.Paper) {
      const StorageBytes One = Sums.add(R, consumerGrid(R, Of.In));
      outs() << ", stored " << One.Stored << ", its form " << One.Form
             << ", by the paper " << One.Paper;
    }
    outs() << '\n';
    showForm(R, Of.In);
  }
  if (Of.How.Paper)
    showTotal(Sums);
}

json::Array piecesOf(const RecordedRelation &R, const Recording &In) {
  json::Array Pieces;
  for (size_t I = 0; I < R.Pieces.size(); ++I)
    Pieces.push_back(json::Object{{"hazards", hazardsText(R.PieceHazards[I])},
                                  {"formula", pieceText(R, I, In)}});
  return Pieces;
}

/// The sums of --paper, of one relation or of all.
void addStorage(const StorageBytes &Of, json::Object &To) {
  To["stored_bytes"] = Of.Stored;
  To["form_bytes"] = Of.Form;
  To["paper_bytes"] = Of.Paper;
  To["list_bytes"] = Of.List;
}

void showEncodingJson(const DumpView &Of) {
  json::Array Relations;
  Storage Sums;
  for (const RecordedRelation &R : Of.In.Relations) {
    if (!Of.isShown(R))
      continue;
    json::Object One{{"producer", R.Producer},
                     {"consumer", R.Consumer},
                     {"kind", formName(R)},
                     {"bytes", encodedBytes(R)},
                     {"list_bytes", plainBytes(R, Of.In)},
                     {"pieces", piecesOf(R, Of.In)}};
    if (R.List)
      One["runs"] = R.List->Runs.size();
    if (Of.How.Paper)
      addStorage(Sums.add(R, consumerGrid(R, Of.In)), One);
    Relations.push_back(std::move(One));
  }
  json::Object All{{"relations", std::move(Relations)}};
  if (Of.How.Paper) {
    json::Object Sum{{"forms", Sums.forms()}};
    addStorage(Sums.total(), Sum);
    All["total"] = std::move(Sum);
  }
  printJson(std::move(All));
}

/// "RAW: p = c; WAR: p = c + 1"
std::string piecesText(const RecordedRelation &R, const Recording &In) {
  std::string Out;
  for (size_t I = 0; I < R.Pieces.size(); ++I)
    Out += (I ? "; " : "") + hazardsText(R.PieceHazards[I]) + ": " +
           pieceText(R, I, In);
  return Out;
}

void showEncodingCsv(const DumpView &Of) {
  Storage Sums;
  CsvTable Table(outs());
  for (const char *Name : {"producer", "consumer", "kind", "bytes",
                           "list_bytes", "runs", "pieces"})
    Table.add(Name);
  if (Of.How.Paper)
    for (const char *Name : {"stored_bytes", "form_bytes", "paper_bytes"})
      Table.add(Name);
  Table.end();
  for (const RecordedRelation &R : Of.In.Relations) {
    if (!Of.isShown(R))
      continue;
    Table.add(R.Producer);
    Table.add(R.Consumer);
    Table.add(formName(R));
    Table.add(encodedBytes(R));
    Table.add(plainBytes(R, Of.In));
    Table.add(R.List ? R.List->Runs.size() : size_t(0));
    Table.add(piecesText(R, Of.In));
    if (Of.How.Paper) {
      const StorageBytes One = Sums.add(R, consumerGrid(R, Of.In));
      for (uint64_t Bytes : {One.Stored, One.Form, One.Paper})
        Table.add(Bytes);
    }
    Table.end();
  }
}

Error showEncoding(const DumpView &Of) {
  (Of.How.Csv    ? showEncodingCsv
   : Of.How.Json ? showEncodingJson
                 : showEncodingText)(Of);
  return Error::success();
}

} // namespace

int runEncoding(const DumpOptions &Given) {
  return showRecording(showEncoding, Given);
}

} // namespace blockmaestro
