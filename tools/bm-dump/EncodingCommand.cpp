// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump encoding`: relations as the formulas executors read.

#include "Commands.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "RelationText.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Bytes of the same relation written out: an offset for each consumer block
/// and one past the last, and a block number for each pair.
uint64_t listBytes(const RecordedRelation &R, const Recording &In) {
  return 4 * (consumerGrid(R, In).count() + 1 + edgeCount(R, In));
}

bool isFull(const RecordedRelation &R) {
  return R.Header.Kind == uint32_t(RelationKind::Full);
}

std::string pieceText(const RecordedRelation &R, size_t I,
                      const Recording &In) {
  return toText(R.Pieces[I], producerGrid(R), consumerGrid(R, In));
}

void showText(const Recording &What, const DumpOptions &How) {
  for (const RecordedRelation &R : What.Relations) {
    if (!isShown(R, How))
      continue;
    outs() << "relation " << R.Producer << " -> " << R.Consumer << ", "
           << gridText(producerGrid(R)) << " to "
           << gridText(consumerGrid(R, What)) << " blocks: " << encodedBytes(R)
           << " bytes, as a list " << listBytes(R, What) << '\n';
    if (isFull(R))
      outs() << "  " << hazardsText(R.Hazards) << ": every p"
             << (R.Reason.empty() ? "" : "; " + R.Reason) << '\n';
    for (size_t I = 0; I < R.Pieces.size(); ++I)
      outs() << "  " << hazardsText(R.PieceHazards[I]) << ": "
             << pieceText(R, I, What) << '\n';
  }
}

void showJson(const Recording &What, const DumpOptions &How) {
  json::Array Relations;
  for (const RecordedRelation &R : What.Relations) {
    if (!isShown(R, How))
      continue;
    json::Array Pieces;
    for (size_t I = 0; I < R.Pieces.size(); ++I)
      Pieces.push_back(json::Object{{"hazards", hazardsText(R.PieceHazards[I])},
                                    {"formula", pieceText(R, I, What)}});
    Relations.push_back(json::Object{{"producer", R.Producer},
                                     {"consumer", R.Consumer},
                                     {"kind", isFull(R) ? "full" : "closed"},
                                     {"bytes", encodedBytes(R)},
                                     {"list_bytes", listBytes(R, What)},
                                     {"pieces", std::move(Pieces)}});
  }
  printJson(json::Object{{"relations", std::move(Relations)}});
}

void show(const Recording &What, const DumpOptions &How) {
  (How.Json ? showJson : showText)(What, How);
}

} // namespace

int runEncoding(ArrayRef<const char *> Arguments) {
  static constexpr StringLiteral Extra[] = {"--all"};
  return showRecording({"encoding", "[--all] [--json]", Extra, show},
                       Arguments);
}

} // namespace blockmaestro
