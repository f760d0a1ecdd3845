// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump events`: when and where every block of a recording ran.

#include "Commands.h"
#include "Csv.h"
#include "SortedBlocks.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

Error showEventsText(SortedBlocks &Of) {
  return Of.forEach([](const Event &E) {
    outs() << "launch " << E.Launch << " block " << E.Block << ": " << E.Start
           << " to " << E.End << " ns on " << E.Where << '\n';
  });
}

/// Keys in the order in which those of any object are printed.
Error showEventsJson(SortedBlocks &Of) {
  json::OStream Out(outs(), 2);
  Out.objectBegin();
  Out.attributeBegin("events");
  Out.arrayBegin();
  Error Wrong = Of.forEach([&](const Event &E) {
    Out.object([&] {
      Out.attribute("block", E.Block);
      Out.attribute("end_ns", E.End);
      Out.attribute("launch", E.Launch);
      Out.attribute("start_ns", E.Start);
      Out.attribute("where", E.Where);
    });
  });
  Out.arrayEnd();
  Out.attributeEnd();
  Out.objectEnd();
  outs() << '\n';
  return Wrong;
}

Error showEventsCsv(SortedBlocks &Of) {
  CsvTable Table(outs());
  Table.row("launch", "block", "start_ns", "end_ns", "where");
  return Of.forEach([&](const Event &E) {
    Table.row(E.Launch, E.Block, E.Start, E.End, E.Where);
  });
}

Error showEvents(const DumpOptions &Given) {
  Expected<SortedBlocks> Blocks = SortedBlocks::read(Given);
  if (!Blocks)
    return Blocks.takeError();
  return (Given.Csv    ? showEventsCsv
          : Given.Json ? showEventsJson
                       : showEventsText)(*Blocks);
}

} // namespace

int runEvents(const DumpOptions &Given) {
  if (Error Wrong = showEvents(Given))
    return fail(toString(std::move(Wrong)));
  return 0;
}

} // namespace blockmaestro
