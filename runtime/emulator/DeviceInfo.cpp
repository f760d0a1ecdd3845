// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceInfo.h"

#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Function.h"

#include <memory>

using namespace llvm;

namespace blockmaestro {

namespace {

class DeviceInfo final : public TargetTransformInfoImplCRTPBase<DeviceInfo> {
  using Base = TargetTransformInfoImplCRTPBase<DeviceInfo>;

public:
  explicit DeviceInfo(const DataLayout &Layout) : Base(Layout) {}

  void getUnrollingPreferences(Loop *, ScalarEvolution &,
                               TargetTransformInfo::UnrollingPreferences &Out,
                               OptimizationRemarkEmitter *) const override {
    Out.Partial = Out.Runtime = true;
    Out.PartialThreshold = Out.Threshold / 4;
  }

  InstructionCost
  getArithmeticInstrCost(unsigned Opcode, Type *Of,
                         TargetTransformInfo::TargetCostKind Kind,
                         TargetTransformInfo::OperandValueInfo Left = {},
                         TargetTransformInfo::OperandValueInfo Right = {},
                         ArrayRef<const Value *> Operands = {},
                         const Instruction *I = nullptr) const override {
    const InstructionCost Narrow = Base::getArithmeticInstrCost(
        Opcode, Of, Kind, Left, Right, Operands, I);
    return Of->isIntegerTy(64) ? Narrow * 2 : Narrow;
  }
};

} // namespace

TargetIRAnalysis deviceInfo() {
  return TargetIRAnalysis([](const Function &F) {
    return TargetTransformInfo(std::make_unique<DeviceInfo>(F.getDataLayout()));
  });
}

} // namespace blockmaestro
