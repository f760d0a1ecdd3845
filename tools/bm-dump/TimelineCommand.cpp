// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump timeline`: a recorded run as a file for Perfetto.

#include "Commands.h"
#include "RecordingInput.h"
#include "Timeline.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {

/// A file is only there when it is whole.
static Error showTimeline(const DumpView &Of) {
  if (Of.In.Events.empty())
    return createStringError(Of.How.File + ": no block's times are recorded");
  return writeToOutput(Of.How.Output, [&](raw_ostream &Out) -> Error {
    printTimeline(Of, Out);
    return Error::success();
  });
}

int runTimeline(const DumpOptions &Given) {
  if (Given.Output.empty())
    return fail("no output given; -o FILE names it");
  return showRecording(showTimeline, Given);
}

} // namespace blockmaestro
