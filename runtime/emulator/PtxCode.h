// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one PTX instruction taken apart, and the code that its handler
// reads operands from and writes results to.
// On the data's way: between PtxLowering, which walks the statements, and the
// handlers of the instruction families (Ptx*.cpp).
// Invariants: a register is a stack slot of integer type, as wide as it was
// declared; promotion to SSA comes later. New instructions go to the end of the
// current block. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_PTXCODE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_PTXCODE_H

#include "FloatCode.h"
#include "PtxStatements.h"
#include "PtxTypes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <string>

namespace blockmaestro {

/// An instruction's opcode in parts. What a handler does not take is unknown to
/// it, and then the instruction is refused.
struct PtxInstruction {
  explicit PtxInstruction(const PtxStatement &S);

  /// Whether the modifier \p Word is there; it is taken away.
  bool take(llvm::StringRef Word);
  /// The first of \p Words that is there, taken away; else empty.
  llvm::StringRef takeAny(llvm::ArrayRef<llvm::StringRef> Words);
  /// Takes every modifier that begins with \p Prefix; whether there was one.
  bool takePrefixed(llvm::StringRef Prefix);
  /// Rounding, .ftz, .sat, .relu and .satfinite.
  FloatForm takeForm();
  /// The last type; operands are of this one unless an instruction says else.
  PtxType type() const { return Types.empty() ? PtxType() : Types.back(); }

  llvm::StringRef Base;
  llvm::SmallVector<llvm::StringRef, 4> Words; ///< Modifiers not yet taken.
  llvm::SmallVector<PtxType, 3> Types;
  llvm::ArrayRef<PtxOperand> Operands;
};

class PtxCode {
public:
  /// Code for the statement \p Asm, in a new block where \p B goes.
  PtxCode(llvm::CallBase &Asm, llvm::IRBuilder<> &B);

  /// The bits of \p Operand as an operand of type \p Type.
  llvm::Value *read(const PtxOperand &Operand, PtxType Type);
  /// As read(), of a vector or of one operand.
  llvm::SmallVector<llvm::Value *, 4> readAll(const PtxOperand &Operand,
                                              PtxType Type);
  llvm::Value *readPredicate(const PtxOperand &Operand);
  /// Operand number \p N of \p I, or null after a refusal.
  llvm::Value *operand(const PtxInstruction &I, unsigned N, PtxType Type);
  void write(const PtxOperand &Operand, llvm::Value *Bits, bool Signed = false);
  /// The address \p Operand, in the address space \p Space.
  llvm::Value *address(const PtxOperand &Operand, unsigned Space);
  /// The operand's value when it is known now.
  std::optional<uint64_t> constant(const PtxOperand &Operand);

  /// Refuses a name that its scope has already.
  void declare(llvm::StringRef Name, PtxType Type);
  void openScope() { Scopes.emplace_back(); }
  /// What was declared since openScope() is not known any more.
  void closeScope() { Scopes.pop_back(); }
  /// Refuses a name that the text has already, in any scope.
  void declareLabel(llvm::StringRef Name);
  llvm::BasicBlock *label(llvm::StringRef Name);
  llvm::BasicBlock *makeBlock(const llvm::Twine &Name);
  /// All blocks made for the statement.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return Made; }
  /// The carry flag, which lives as long as the function.
  llvm::Value *carry();
  /// Whether something before in the function writes it.
  bool isCarrySet();
  llvm::Value *intrinsic(llvm::Intrinsic::ID Id,
                         llvm::ArrayRef<llvm::Value *> Operands,
                         llvm::ArrayRef<llvm::Type *> Types = {});
  /// The value for the uses of the statement.
  llvm::Value *result();

  /// Notes that the instruction cannot be lowered; handlers then return.
  void refuse(std::string Why = "");
  bool refused() const { return Refused; }
  const std::string &why() const { return Why; }
  /// Whether the statement is volatile: its loads must happen each time.
  bool isVolatile() const { return Volatile; }

  llvm::IRBuilder<> &B;
  FloatCode Floats;

private:
  struct Argument {
    llvm::Value *Value = nullptr;     ///< Of an input.
    llvm::AllocaInst *Slot = nullptr; ///< Of an output.
  };
  void collectArguments();
  llvm::AllocaInst *makeSlot(unsigned Bits, const llvm::Twine &Name);
  llvm::Value *toBits(llvm::Value *V);
  llvm::Value *fromBits(llvm::Value *Bits, llvm::Type *T);
  llvm::Value *immediate(const PtxOperand &Operand, PtxType Type);
  llvm::Value *specialRegister(llvm::StringRef Name);
  llvm::Value *reservedShared();
  llvm::Value *raw(const PtxOperand &Operand, PtxType Type);
  llvm::AllocaInst *slot(const PtxOperand &Operand);

  llvm::CallBase &Asm;
  bool Volatile;
  std::vector<Argument> Arguments;
  llvm::SmallVector<llvm::AllocaInst *> Outputs;
  /// The registers of the scopes that are open, the innermost last.
  std::vector<llvm::StringMap<llvm::AllocaInst *>> Scopes{1};
  llvm::StringMap<llvm::BasicBlock *> Labels;
  llvm::SmallVector<llvm::BasicBlock *> Made;
  bool Refused = false;
  std::string Why;
};

using PtxHandler = void (*)(PtxCode &, PtxInstruction &);
struct PtxRow {
  const char *Base;
  PtxHandler Handler;
};

/// The families; each file gives its rows.
llvm::ArrayRef<PtxRow> ptxArithmeticRows();
llvm::ArrayRef<PtxRow> ptxIntegerRows();
llvm::ArrayRef<PtxRow> ptxBitRows();
llvm::ArrayRef<PtxRow> ptxCompareRows();
llvm::ArrayRef<PtxRow> ptxConvertRows();
llvm::ArrayRef<PtxRow> ptxMemoryRows();
llvm::ArrayRef<PtxRow> ptxAtomicRows();
llvm::ArrayRef<PtxRow> ptxWarpRows();
llvm::ArrayRef<PtxRow> ptxVideoRows();
llvm::ArrayRef<PtxRow> ptxMbarrierRows();
llvm::ArrayRef<PtxRow> ptxTextureRows();
llvm::ArrayRef<PtxRow> ptxMatrixRows();

} // namespace blockmaestro

#endif
