// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what keeps a launch from running beside those before it.
// On the data's way: found from a recording's barriers, copies and relations;
// part of losses and advice.
// Invariants: the strongest first: what no executor may pass, then what is
// waited for although it need not be, then what must be waited for. A launch
// has at least one.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_CAUSES_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_CAUSES_H

#include "RecordingFacts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

enum class CauseKind : uint8_t {
  Barrier,    ///< The host waited for everything.
  Copy,       ///< The host waited for a copy.
  NotExact,   ///< A relation is larger than it need be.
  Full,       ///< Every block needs every block.
  Fence,      ///< The device keeps the order.
  Dependence, ///< Blocks need their own producers.
  Launching,  ///< Nothing but launches themselves.
};

struct Cause {
  CauseKind What = CauseKind::Launching;
  int64_t Call = -1;     ///< In RecordingFacts::Calls.
  int64_t Relation = -1; ///< In Recording::Relations.
  int64_t Reason = -1;   ///< In RecordingFacts::Reasons.
  std::string Text;
};

std::vector<Cause> causesOf(uint64_t Launch, RecordingFacts &In);

/// As a list of objects.
void writeCauses(llvm::json::OStream &Out, llvm::ArrayRef<Cause> Causes,
                 const RecordingFacts &In);

/// Null where nothing is known of it.
void writeLocation(llvm::json::OStream &Out, const Access *Of);

} // namespace blockmaestro

#endif
