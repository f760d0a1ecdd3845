// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Traces.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace blockmaestro::sim {
namespace {

Status wrong(const BlockTrace &Of, const std::string &What) {
  return {StatusCode::InvalidArgument,
          "the trace of block " + std::to_string(Of.Block) + " of launch " +
              std::to_string(Of.Launch) + " " + What};
}

/// What of a code is wrong, or nothing.
std::string faultOf(const WarpInstruction &Of, const WarpCode &Code) {
  if (size_t(Of.Class) >= std::size(WarpClassNames))
    return "has an instruction of no class";
  if (Of.Result != NoRegister && Of.Result >= Code.Registers)
    return "writes register " + std::to_string(Of.Result) + " of " +
           std::to_string(Code.Registers);
  for (uint32_t Each : Of.Operands)
    if (Each >= Code.Registers)
      return "reads register " + std::to_string(Each) + " of " +
             std::to_string(Code.Registers);
  return {};
}

std::string faultOf(const WarpMove &Of, const WarpCode &Code) {
  if (Of.From >= Code.Steps.size())
    return "has a move from step " + std::to_string(Of.From) + " of " +
           std::to_string(Code.Steps.size());
  if (Of.Result >= Code.Registers ||
      (Of.Operand != NoRegister && Of.Operand >= Code.Registers))
    return "moves a register that its code does not have";
  return {};
}

std::string faultOf(const WarpCode &Code) {
  for (const WarpStep &Step : Code.Steps) {
    for (const WarpMove &Each : Step.Moves)
      if (std::string Fault = faultOf(Each, Code); !Fault.empty())
        return Fault;
    for (const WarpInstruction &Each : Step.Instructions)
      if (std::string Fault = faultOf(Each, Code); !Fault.empty())
        return Fault;
  }
  return {};
}

std::string faultOf(const WarpRoute &Route, const WarpCode &Code) {
  uint64_t Accesses = 0;
  for (const WarpVisit &Each : Route.Visits) {
    if (Each.Step >= Code.Steps.size())
      return "visits step " + std::to_string(Each.Step) + " of " +
             std::to_string(Code.Steps.size());
    if (Each.Lanes == 0)
      return "has a visit without lanes";
    Accesses += accessesOf(Code.Steps[Each.Step]);
  }
  if (Accesses != Route.Accesses.size())
    return "has " + std::to_string(Route.Accesses.size()) +
           " accesses where its steps have " + std::to_string(Accesses);
  return {};
}

/// Sectors rise within each access and are as many as the route says.
std::string faultOf(const WarpPath &Path) {
  uint64_t Next = 0;
  for (const WarpAccess &Each : Path.Route->Accesses) {
    if (Each.Shared)
      continue;
    if (Each.Count > Path.Sectors.size() - Next)
      return "has fewer sectors than its accesses";
    for (uint64_t I = 1; I < Each.Count; ++I)
      if (Path.Sectors[Next + I] <= Path.Sectors[Next + I - 1])
        return "has sectors that do not rise within an access";
    Next += Each.Count;
  }
  if (Next != Path.Sectors.size())
    return "has more sectors than its accesses";
  return {};
}

} // namespace

Status checkTrace(const BlockTrace &Of) {
  if (!Of.Code)
    return wrong(Of, "has no code");
  if (std::string Fault = faultOf(*Of.Code); !Fault.empty())
    return wrong(Of, Fault);
  if (Of.Warps.empty())
    return wrong(Of, "has no warps");
  const WarpPath *Before = nullptr;
  for (const std::shared_ptr<const WarpPath> &Each : Of.Warps) {
    if (!Each || !Each->Route)
      return wrong(Of, "has a warp without a path");
    if (Each.get() == Before)
      continue;
    Before = Each.get();
    std::string Fault = faultOf(*Each->Route, *Of.Code);
    if (Fault.empty())
      Fault = faultOf(*Each);
    if (!Fault.empty())
      return wrong(Of, Fault);
  }
  return {};
}

LaunchTraces::LaunchTraces(std::vector<const BlockTrace *> Of)
    : Blocks(std::move(Of)) {
  std::sort(Blocks.begin(), Blocks.end(),
            [](const BlockTrace *A, const BlockTrace *B) {
              return A->Block < B->Block;
            });
}

/// Sectors that lie between those of two paths, or behind them: Part of Whole
/// of the way from the first.
static std::vector<uint64_t> between(const WarpPath &From, const WarpPath &To,
                                     uint64_t Part, uint64_t Whole) {
  std::vector<uint64_t> Out(From.Sectors.size());
  for (size_t I = 0; I < Out.size(); ++I) {
    const auto Way = int64_t(To.Sectors[I] - From.Sectors[I]);
    Out[I] = From.Sectors[I] +
             uint64_t(int64_t(double(Way) * double(Part) / double(Whole)));
  }
  return Out;
}

/// Moves the sectors of warps that went the same way in both blocks.
static void move(const BlockTrace &First, const BlockTrace &Second,
                 uint64_t Block, std::vector<WarpWork> &Out) {
  if (First.Warps.size() != Second.Warps.size() || First.Block == Second.Block)
    return;
  for (size_t I = 0; I < Out.size(); ++I) {
    const WarpPath &A = *First.Warps[I];
    const WarpPath &B = *Second.Warps[I];
    if (A.Route == B.Route && A.Sectors != B.Sectors)
      Out[I].Moved =
          between(A, B, Block - First.Block, Second.Block - First.Block);
  }
}

const BlockTrace &LaunchTraces::workOf(uint64_t Block,
                                       std::vector<WarpWork> &Out) const {
  const auto After = std::upper_bound(
      Blocks.begin(), Blocks.end(), Block,
      [](uint64_t Number, const BlockTrace *T) { return Number < T->Block; });
  const BlockTrace &Same = After == Blocks.begin() ? **After : **(After - 1);
  Out.clear();
  for (const std::shared_ptr<const WarpPath> &Each : Same.Warps)
    Out.push_back({Each.get(), {}});
  if (Block <= Same.Block)
    return Same;
  if (After != Blocks.end())
    move(Same, **After, Block, Out);
  else if (Blocks.size() > 1)
    move(**(After - 2), Same, Block, Out);
  return Same;
}

} // namespace blockmaestro::sim
