// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

#include <algorithm>
#include <array>
#include <bit>

namespace blockmaestro::sim {

/// A number of the warp tier, or, where it is 0, of the block tier.
static uint32_t orElse(uint32_t Own, uint32_t Other) {
  return Own ? Own : Other;
}

ClassTiming timingOf(WarpClass Class, const Machine &On) {
  const Latencies &Of = On.Cycles;
  switch (Class) {
  case WarpClass::Integer:
    return {Unit::Integer, Of.Arithmetic};
  case WarpClass::Single:
    return {Unit::Single, orElse(On.Warps.CyclesSingle, Of.Arithmetic)};
  case WarpClass::Comparison:
    return {Unit::Integer, orElse(On.Warps.CyclesPredicate, Of.Arithmetic)};
  case WarpClass::Double:
    return {Unit::Double, Of.Double};
  case WarpClass::Product:
    return {On.Warps.Product.Count ? Unit::Product : Unit::Integer,
            orElse(On.Warps.CyclesProduct, Of.Arithmetic)};
  case WarpClass::Special:
    return {Unit::Special, Of.Special};
  case WarpClass::Approximation:
    return {Unit::Special, orElse(On.Warps.CyclesApproximation, Of.Special)};
  case WarpClass::Conversion:
    return {On.Warps.Conversion.Count ? Unit::Conversion : Unit::Special,
            Of.Conversion};
  case WarpClass::Matrix:
    return {Unit::Matrix, On.Warps.CyclesMatrix};
  case WarpClass::Exchange:
    return {Unit::Memory, Of.Exchange};
  case WarpClass::Read:
  case WarpClass::Write:
  case WarpClass::Atomic:
    return {Unit::Memory, orElse(On.Warps.CyclesSharedAccess, Of.Shared)};
  case WarpClass::Branch:
    return {Unit::None, On.Warps.CyclesBranch};
  case WarpClass::Barrier:
    return {Unit::None, Of.Barrier};
  case WarpClass::Private:
  case WarpClass::Other:
    break;
  }
  return {Unit::Integer, Of.Other};
}

const Pipeline *pipelineOf(Unit Which, const WarpNumbers &Of) {
  switch (Which) {
  case Unit::Integer:
    return &Of.Integer;
  case Unit::Single:
    return &Of.Single;
  case Unit::Double:
    return &Of.Double;
  case Unit::Product:
    return Of.Product.Count ? &Of.Product : nullptr;
  case Unit::Special:
    return &Of.Special;
  case Unit::Conversion:
    return Of.Conversion.Count ? &Of.Conversion : nullptr;
  case Unit::Matrix:
    return &Of.Matrix;
  case Unit::Memory:
    return &Of.Memory;
  case Unit::None:
    break;
  }
  return nullptr;
}

Program::Program(std::shared_ptr<const WarpCode> Of, const Machine &On)
    : Code(std::move(Of)) {
  for (const WarpStep &Step : Code->Steps) {
    StepBegin.push_back(uint32_t(Instructions.size()));
    for (const WarpInstruction &Each : Step.Instructions) {
      const ClassTiming How = timingOf(Each.Class, On);
      const auto First = uint32_t(Operands.size());
      Operands.insert(Operands.end(), Each.Operands.begin(),
                      Each.Operands.end());
      Instructions.push_back({Each.Class, How.On, std::max(1u, How.Latency),
                              Each.Result, First, uint32_t(Operands.size())});
    }
  }
  StepBegin.push_back(uint32_t(Instructions.size()));
}

namespace {

/// The moves of a visit: those of all steps that its lanes come from. A result
/// that lanes take from different steps is there when all of these are.
class MoveLayout {
public:
  MoveLayout() { LastStep.fill(NoStep); }

  void add(const WarpVisit &Next, const WarpStep &Step,
           std::vector<Move> &Out) {
    std::vector<uint32_t> From;
    for (uint32_t Left = Next.Lanes; Left; Left &= Left - 1) {
      uint32_t &Last = LastStep[size_t(std::countr_zero(Left))];
      if (std::find(From.begin(), From.end(), Last) == From.end())
        From.push_back(Last);
      Last = Next.Step;
    }
    for (const WarpMove &Each : Step.Moves)
      if (std::find(From.begin(), From.end(), Each.From) != From.end())
        Out.push_back({Each.Result, Each.Operand});
  }

private:
  static constexpr uint32_t NoStep = ~0u;

  std::array<uint32_t, 32> LastStep;
};

} // namespace

const Route &Program::route(const std::shared_ptr<const WarpRoute> &Of) {
  std::unique_ptr<Route> &Known = Routes[Of.get()];
  if (Known)
    return *Known;
  Known = std::make_unique<Route>();
  Known->Of = Of;
  MoveLayout Layout;
  for (const WarpVisit &Each : Of->Visits) {
    const auto First = uint32_t(Known->Moves.size());
    Layout.add(Each, Code->Steps[Each.Step], Known->Moves);
    Known->Visits.push_back({StepBegin[Each.Step], StepBegin[Each.Step + 1],
                             First, uint32_t(Known->Moves.size()), Each.Lanes});
  }
  return *Known;
}

} // namespace blockmaestro::sim
