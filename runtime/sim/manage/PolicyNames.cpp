// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PolicyNames.h"

#include <charconv>
#include <optional>

namespace blockmaestro::sim {

const std::vector<PolicyRow> &policyRows() {
  static const std::vector<PolicyRow> Rows = {
      {"sequential", PolicyKind::Sequential, "one application after the other",
       true},
      {"leftover", PolicyKind::Leftover,
       "of the launch that began first, as long as it has blocks (default)",
       true},
      {"coarse:even", PolicyKind::CoarseEven, "even parts of the SMs", true},
      {"coarse:smc", PolicyKind::CoarseSmc,
       "parts of the SMs and blocks on them, by hill climbing", true},
      {"static", PolicyKind::Static,
       "so many blocks an SM as the profiles of the applications say", true},
      {"static:shared", PolicyKind::StaticShared,
       "the same, and what both do with fewer blocks where static says nothing",
       true},
      {"dynamic", PolicyKind::Dynamic,
       "from there on each SM learns by how it uses its pipelines", true},
      {"bypass", PolicyKind::Bypass,
       "besides, each SM learns how many blocks go past L1", true},
      {"bypass:guarded", PolicyKind::BypassGuarded,
       "the same, of applications that L1 does not help", true},
      {"best", PolicyKind::Best, "the best of all numbers of blocks an SM",
       true},
      {"best:bypass", PolicyKind::BestBypass,
       "the same with all numbers of blocks that go past L1", false},
  };
  return Rows;
}

/// "3,2" as numbers, or nothing.
static std::optional<std::vector<uint32_t>> numbersOf(std::string_view Text) {
  std::vector<uint32_t> Out;
  for (;;) {
    uint32_t Next = 0;
    const char *End = Text.data() + Text.size();
    const auto [Behind, Fault] = std::from_chars(Text.data(), End, Next);
    if (Fault != std::errc() || Next > 1024)
      return std::nullopt;
    Out.push_back(Next);
    if (Behind == End)
      return Out;
    if (*Behind != ',')
      return std::nullopt;
    Text.remove_prefix(size_t(Behind - Text.data()) + 1);
  }
}

static Status unknown(std::string_view Name) {
  std::string Names = "fine:A,B, fine:A,B+bypass:A,B, all";
  for (auto Row = policyRows().rbegin(); Row != policyRows().rend(); ++Row)
    Names = Row->Name + (", " + Names);
  return {StatusCode::InvalidArgument,
          "no policy '" + std::string(Name) + "': " + Names};
}

/// What stands behind "fine:".
static Result<ManagedPolicy> parseFine(std::string_view Name) {
  constexpr std::string_view Fine = "fine:", Past = "+bypass:";
  const size_t Plus = Name.find(Past);
  const auto Blocks = numbersOf(Name.substr(0, Plus).substr(Fine.size()));
  const auto Bypassing =
      Plus == std::string_view::npos
          ? std::optional(std::vector<uint32_t>(Blocks ? Blocks->size() : 0))
          : numbersOf(Name.substr(Plus + Past.size()));
  if (!Blocks || !Bypassing || Blocks->size() != Bypassing->size())
    return unknown(Name);
  ManagedPolicy Out{PolicyKind::Fine, {}, std::string(Name)};
  for (size_t I = 0; I < Blocks->size(); ++I) {
    if ((*Blocks)[I] == 0 || (*Bypassing)[I] > (*Blocks)[I])
      return Status{StatusCode::InvalidArgument,
                    "'" + Out.Name +
                        "': an application has a block at the least, and no "
                        "more go past L1 than it has"};
    Out.Limits.push_back({(*Blocks)[I], (*Bypassing)[I]});
  }
  return Out;
}

Result<std::vector<ManagedPolicy>> parsePolicies(std::string_view Name) {
  std::vector<ManagedPolicy> Out;
  if (Name.starts_with("fine:")) {
    Result<ManagedPolicy> Fine = parseFine(Name);
    if (!Fine.ok())
      return Fine.status();
    Out.push_back(*Fine);
    return Out;
  }
  for (const PolicyRow &Each : policyRows())
    if (Name == "all" ? Each.IsOfAll : Name == Each.Name)
      Out.push_back({Each.Kind, {}, Each.Name});
  if (Out.empty())
    return unknown(Name);
  return Out;
}

} // namespace blockmaestro::sim
