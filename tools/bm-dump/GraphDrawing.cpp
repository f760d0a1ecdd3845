// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphDrawing.h"

#include "RelationText.h"
#include "ToolErrors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <set>
#include <string>
#include <vector>

using namespace llvm;

namespace blockmaestro {
namespace {

/// Inside quotes of Graphviz's language, where a kernel may be called anything.
std::string quoted(StringRef Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += static_cast<unsigned char>(C) < ' ' ? '?' : C;
  }
  return Out + "\"";
}

/// One cluster for each launch that has a relation.
void printClusters(const DumpView &Of, raw_ostream &Out) {
  std::vector<bool> Used(Of.In.Launches.size());
  for (const RecordedRelation &R : Of.In.Relations)
    if (Of.isShown(R))
      Used[R.Producer] = Used[R.Consumer] = true;
  for (const RecordedLaunch &L : Of.In.Launches) {
    if (!Used[L.Id])
      continue;
    Out << "  subgraph cluster" << L.Id << " {\n    label=\"" << L.Id
        << "\";\n";
    for (uint64_t B = 0; B < L.Grid.count(); ++B)
      Out << "    b" << L.Id << '_' << B << " [label=\"" << blockText(B, L.Grid)
          << "\"];\n";
    Out << "  }\n";
  }
}

void printBlocks(const DumpView &Of, raw_ostream &Out) {
  Out << "digraph blocks {\n  rankdir=LR;\n  node [shape=box];\n";
  printClusters(Of, Out);
  for (const RecordedRelation &R : Of.In.Relations)
    if (Of.isShown(R))
      forEachPair(R, Of.In, [&](uint64_t P, uint64_t C) {
        Out << "  b" << R.Producer << '_' << P << " -> b" << R.Consumer << '_'
            << C << ";\n";
      });
  Out << "}\n";
}

std::string nodeName(uint64_t Number, bool IsCopy) {
  return (IsCopy ? "c" : "l") + std::to_string(Number);
}

/// Of a copy there is only a node where a relation has it.
void printNodes(const DumpView &Of, raw_ostream &Out) {
  for (const RecordedLaunch &L : Of.In.Launches)
    if (Of.Launches.has(L.Id))
      Out << "  " << nodeName(L.Id, false) << " [label="
          << quoted(std::to_string(L.Id) + ": " + L.Kernel + ", " +
                    gridText(L.Grid))
          << "];\n";
  std::set<uint64_t> Copies;
  for (const RecordedRelation &R : Of.In.CopyRelations) {
    if (!Of.isShown(R))
      continue;
    if (R.ProducerIsCopy)
      Copies.insert(R.Producer);
    if (R.ConsumerIsCopy)
      Copies.insert(R.Consumer);
  }
  for (uint64_t Copy : Copies)
    Out << "  " << nodeName(Copy, true) << " [shape=ellipse, label="
        << quoted("copy " + std::to_string(Copy) + ": " +
                  Of.In.Copies[Copy].Call)
        << "];\n";
}

/// An arrow is dashed where the relation is not exact.
void printLaunches(const DumpView &Of, raw_ostream &Out) {
  Out << "digraph launches {\n  node [shape=box];\n";
  printNodes(Of, Out);
  for (const auto *All : {&Of.In.Relations, &Of.In.CopyRelations})
    for (const RecordedRelation &R : *All)
      if (Of.isShown(R))
        Out << "  " << nodeName(R.Producer, R.ProducerIsCopy) << " -> "
            << nodeName(R.Consumer, R.ConsumerIsCopy) << " [label=\""
            << patternName(R, Of.In) << ", " << hazardsText(R.Hazards) << '"'
            << (R.Exact ? "" : ", style=dashed") << "];\n";
  Out << "}\n";
}

/// A file of ours that goes with the object.
Error makeTemporary(StringRef Suffix, SmallString<128> &Path) {
  if (std::error_code Failure =
          sys::fs::createTemporaryFile("bm-dump", Suffix, Path))
    return createStringError("no temporary file: " + Failure.message());
  return Error::success();
}

Error runDot(StringRef From, StringRef To) {
  const ErrorOr<std::string> Dot = sys::findProgramByName("dot");
  if (!Dot)
    return createStringError("'--svg' needs Graphviz's 'dot', which is not "
                             "installed; '--dot' writes what it would read");
  std::string Why;
  const StringRef Arguments[] = {*Dot, "-Tsvg", "-o", To, From};
  const int Code =
      sys::ExecuteAndWait(*Dot, Arguments, std::nullopt, {}, 0, 0, &Why);
  if (Code != 0)
    return createStringError(
        *Dot + (Why.empty() ? " ended with exit code " + std::to_string(Code)
                            : ": " + Why));
  return Error::success();
}

} // namespace

void printDot(const DumpView &Of, raw_ostream &Out) {
  (Of.How.ByLaunch ? printLaunches : printBlocks)(Of, Out);
}

Error printSvg(const DumpView &Of, raw_ostream &Out) {
  SmallString<128> Source, Picture;
  if (Error Failure = makeTemporary("dot", Source))
    return Failure;
  FileRemover SourceGone(Source);
  if (Error Failure = makeTemporary("svg", Picture))
    return Failure;
  FileRemover PictureGone(Picture);
  std::error_code Failed;
  raw_fd_ostream To(Source, Failed);
  if (Failed)
    return createFileError(Source, Failed);
  printDot(Of, To);
  if (Error Failure = writingError(To, Source))
    return Failure;
  if (Error Failure = runDot(Source, Picture))
    return Failure;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Drawn = MemoryBuffer::getFile(Picture);
  if (!Drawn)
    return createFileError(Picture, Drawn.getError());
  Out << (*Drawn)->getBuffer();
  return Error::success();
}

} // namespace blockmaestro
