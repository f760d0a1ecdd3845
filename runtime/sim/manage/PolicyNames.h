// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the policies by their names, as bm-sim manage takes and prints
// them.
// On the data's way: from the command line to Management. docs/management.md
// lists the names. Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_POLICYNAMES_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_POLICYNAMES_H

#include "Policies.h"
#include "blockmaestro/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace blockmaestro::sim {

enum class PolicyKind : uint8_t {
  Sequential,
  Leftover,
  CoarseEven,
  CoarseSmc,
  Fine,
  Static,
  StaticShared,
  Dynamic,
  Bypass,
  BypassGuarded,
  Best,
  BestBypass,
};

struct ManagedPolicy {
  PolicyKind Kind = PolicyKind::Leftover;
  Shares Limits; ///< Of fine.
  std::string Name;
};

/// A row of what --help lists; fine stands with its values.
struct PolicyRow {
  const char *Name;
  PolicyKind Kind;
  const char *What;
  bool IsOfAll; ///< Of those that "all" names.
};

const std::vector<PolicyRow> &policyRows();

/// A name, or "all"; the message is for users.
Result<std::vector<ManagedPolicy>> parsePolicies(std::string_view Name);

} // namespace blockmaestro::sim

#endif
