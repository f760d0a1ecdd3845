// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxAssembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace blockmaestro {

namespace {

enum class Meaning {
  Harmless,   ///< No memory but the block's own.
  Load,       ///< ld d, [a]
  Store,      ///< st [a], v
  Update,     ///< atom and red
  CopyIn,     ///< cp.async [shared], [a], size, fewer
  BulkIn,     ///< cp.async.bulk [shared], [a], size, [barrier]
  BulkOut,    ///< cp.async.bulk [a], [shared], size
  BulkUpdate, ///< cp.reduce.async.bulk [a], [shared], size
  Branch,
  Flag, ///< Harmless but for a flag of AssemblyEffects.
  Opaque,
};

struct InstructionRow {
  const char *Prefix; ///< Of the opcode, whole components only.
  Meaning What;
  bool AssemblyEffects::*Flag = nullptr;
};

/// The first row that fits counts.
constexpr InstructionRow Instructions[] = {
    {"call", Meaning::Opaque},
    {"ret", Meaning::Opaque},
    {"exit", Meaning::Branch, &AssemblyEffects::Exits},
    {"trap", Meaning::Flag, &AssemblyEffects::Traps},
    {"bra", Meaning::Branch},
    {"brx", Meaning::Branch},
    {"bar.warp", Meaning::Harmless},
    {"barrier.cluster", Meaning::Flag, &AssemblyEffects::Cluster},
    {"bar", Meaning::Flag, &AssemblyEffects::Barrier},
    {"barrier", Meaning::Flag, &AssemblyEffects::Barrier},
    {"mapa", Meaning::Flag, &AssemblyEffects::Cluster},
    {"getctarank", Meaning::Flag, &AssemblyEffects::Cluster},
    {"griddepcontrol", Meaning::Flag, &AssemblyEffects::EarlyLaunch},
    {"mbarrier", Meaning::Flag, &AssemblyEffects::SharedBarrier},
    {"tex", Meaning::Opaque, &AssemblyEffects::Textures},
    {"tld4", Meaning::Opaque, &AssemblyEffects::Textures},
    {"suld", Meaning::Opaque, &AssemblyEffects::Textures},
    {"sust", Meaning::Opaque, &AssemblyEffects::Textures},
    {"sured", Meaning::Opaque, &AssemblyEffects::Textures},
    {"txq", Meaning::Flag, &AssemblyEffects::Textures},
    {"suq", Meaning::Flag, &AssemblyEffects::Textures},
    {"tensormap", Meaning::Opaque, &AssemblyEffects::Descriptor},
    {"cp.async.bulk.tensor", Meaning::Opaque, &AssemblyEffects::Descriptor},
    {"cp.reduce.async.bulk.tensor", Meaning::Opaque,
     &AssemblyEffects::Descriptor},
    {"cp.async.bulk.prefetch", Meaning::Harmless},
    {"cp.async.bulk.commit_group", Meaning::Harmless},
    {"cp.async.bulk.wait_group", Meaning::Harmless},
    {"cp.async.bulk.shared::cluster.global", Meaning::BulkIn,
     &AssemblyEffects::Bulk},
    {"cp.async.bulk.shared::cta.global", Meaning::BulkIn,
     &AssemblyEffects::Bulk},
    {"cp.async.bulk.global.shared::cta", Meaning::BulkOut,
     &AssemblyEffects::Bulk},
    {"cp.reduce.async.bulk.global.shared::cta", Meaning::BulkUpdate,
     &AssemblyEffects::Bulk},
    {"cp.async.bulk", Meaning::Opaque, &AssemblyEffects::Bulk},
    {"cp.async.commit_group", Meaning::Harmless},
    {"cp.async.wait_group", Meaning::Harmless},
    {"cp.async.wait_all", Meaning::Harmless},
    {"cp.async.mbarrier", Meaning::Flag, &AssemblyEffects::SharedBarrier},
    {"cp.async", Meaning::CopyIn},
    {"prefetch", Meaning::Harmless},
    {"prefetchu", Meaning::Harmless},
    {"applypriority", Meaning::Harmless},
    {"createpolicy", Meaning::Harmless},
    {"ldmatrix", Meaning::Harmless},
    {"stmatrix", Meaning::Harmless},
    {"ld", Meaning::Load},
    {"ldu", Meaning::Load},
    {"st", Meaning::Store},
    {"atom", Meaning::Update},
    {"red", Meaning::Update},
};

struct SpecialRegister {
  const char *Prefix;
  bool AssemblyEffects::*Flag;
};

constexpr SpecialRegister Registers[] = {
    {"%envreg", &AssemblyEffects::Grid},
    {"%clock", &AssemblyEffects::Clock},
    {"%globaltimer", &AssemblyEffects::Clock},
    {"%cluster", &AssemblyEffects::Cluster},
    {"%ncluster", &AssemblyEffects::Cluster},
    {"%is_explicit_cluster", &AssemblyEffects::Cluster},
    {"%tid", &AssemblyEffects::ReadsIndices},
    {"%ntid", &AssemblyEffects::ReadsIndices},
    {"%ctaid", &AssemblyEffects::ReadsIndices},
    {"%nctaid", &AssemblyEffects::ReadsIndices},
    {"%gridid", &AssemblyEffects::ReadsIndices},
    {"%warpid", &AssemblyEffects::ReadsIndices},
    {"%nwarpid", &AssemblyEffects::ReadsIndices},
    {"%dynamic_smem_size", &AssemblyEffects::ReadsIndices},
    {"%total_smem_size", &AssemblyEffects::ReadsIndices},
};

/// Text without PTX comments.
std::string withoutComments(StringRef Text) {
  std::string Clean;
  while (!Text.empty()) {
    size_t End = StringRef::npos;
    if (Text.starts_with("//"))
      End = Text.find('\n');
    else if (Text.starts_with("/*"))
      End = Text.find("*/") == StringRef::npos ? StringRef::npos
                                               : Text.find("*/") + 2;
    else {
      Clean += Text.front();
      Text = Text.drop_front();
      continue;
    }
    Clean += ' ';
    Text = End == StringRef::npos ? StringRef() : Text.drop_front(End);
  }
  return Clean;
}

/// Parts of Text between commas outside of braces and brackets.
SmallVector<StringRef, 6> splitOperands(StringRef Text) {
  SmallVector<StringRef, 6> Parts;
  int Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I <= Text.size(); ++I) {
    char C = I < Text.size() ? Text[I] : ',';
    Depth += C == '[' || C == '{';
    Depth -= C == ']' || C == '}';
    if (C != ',' || (Depth > 0 && I < Text.size()))
      continue;
    Parts.push_back(Text.slice(Start, I).trim());
    Start = I + 1;
  }
  return Parts;
}

/// Bytes of "u32", "f16x2", "b128"; 0 for what is no type.
uint64_t typeBytes(StringRef Component) {
  if (!Component.consume_front("bf") && !Component.consume_front("u") &&
      !Component.consume_front("s") && !Component.consume_front("b") &&
      !Component.consume_front("f"))
    return 0;
  uint64_t Bits = 0, Lanes = 1;
  if (Component.consumeInteger(10, Bits))
    return 0;
  if (Component.consume_front("x") && Component.consumeInteger(10, Lanes))
    return 0;
  return Component.empty() && Bits % 8 == 0 ? Bits / 8 * Lanes : 0;
}

/// Bytes of a memory instruction by its only type and its vector suffix; 0
/// when they are not clear.
uint64_t instructionBytes(ArrayRef<StringRef> Components) {
  uint64_t Bytes = 0, Lanes = 1;
  for (StringRef Component : Components) {
    unsigned Vector = 0;
    if (uint64_t Size = typeBytes(Component)) {
      if (Bytes)
        return 0;
      Bytes = Size;
    } else if (Component.consume_front("v") &&
               !Component.getAsInteger(10, Vector)) {
      Lanes = Vector;
    }
  }
  return Bytes * Lanes;
}

class Reader {
public:
  explicit Reader(const CallBase &Call) : Call(Call) {
    const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
    readConstraints(*Asm);
    Text = withoutComments(Asm->getAsmString());
  }

  AssemblyEffects read();

private:
  void readConstraints(const InlineAsm &Asm);
  void readStatement(StringRef Statement);
  void readInstruction(StringRef Opcode, StringRef Operands);
  void readMemory(const InstructionRow &Row, ArrayRef<StringRef> Components,
                  ArrayRef<StringRef> Operands);
  void readCopy(ArrayRef<StringRef> Operands);
  void readBulk(Meaning What, ArrayRef<StringRef> Operands);
  void readRegisters(StringRef Statement);
  std::optional<unsigned> argument(StringRef Operand) const;
  std::optional<int64_t> number(StringRef Operand) const;
  bool address(StringRef Operand, AssemblyAccess &A) const;
  void giveUp() { Effects.Understood = false; }

  const CallBase &Call;
  std::string Text;
  /// For each operand $k the argument of the call, or -1 for an output.
  SmallVector<int, 8> Arguments;
  bool Branches = false;
  bool Predicated = false;
  AssemblyEffects Effects;
};

/// Operands in memory, and those both read and written, are not followed.
void Reader::readConstraints(const InlineAsm &Asm) {
  int Next = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    if (C.isIndirect || C.Type == InlineAsm::isLabel ||
        is_contained(C.Codes, "m"))
      giveUp();
    bool Input = C.Type == InlineAsm::isInput;
    Arguments.push_back(Input ? Next : -1);
    Next += Input;
  }
}

AssemblyEffects Reader::read() {
  SmallVector<StringRef, 8> Statements;
  StringRef(Text).split(Statements, ';');
  for (StringRef Statement : Statements)
    readStatement(Statement);
  for (AssemblyAccess &A : Effects.Accesses)
    A.Sometimes |= Branches;
  if (!Effects.Understood)
    Effects.Accesses.clear();
  return std::move(Effects);
}

bool isNameCharacter(char C) {
  return isAlnum(C) || C == '_' || C == '$' || C == '%';
}

/// One statement, with the braces and labels in front of it.
void Reader::readStatement(StringRef Statement) {
  for (;;) {
    Statement = Statement.ltrim(" \t\r\n{}");
    StringRef Name = Statement.take_while(isNameCharacter);
    StringRef After = Statement.drop_front(Name.size()).ltrim();
    if (Name.empty() || !After.starts_with(":") || After.starts_with("::"))
      break;
    Branches = true;
    Statement = After.drop_front();
  }
  readRegisters(Statement);
  Predicated = Statement.consume_front("@");
  if (Predicated)
    Statement = Statement.drop_until(isSpace).ltrim();
  if (Statement.empty() || Statement.starts_with("."))
    return;
  StringRef Opcode = Statement.take_until(
      [](char C) { return isSpace(C) || C == '[' || C == '{'; });
  readInstruction(Opcode, Statement.drop_front(Opcode.size()).trim(" \t\r\n"));
}

void Reader::readRegisters(StringRef Statement) {
  for (const SpecialRegister &R : Registers)
    if (Statement.contains(R.Prefix))
      Effects.*R.Flag = true;
}

const InstructionRow *findInstruction(StringRef Opcode) {
  return find_if(Instructions, [&](const InstructionRow &Row) {
    StringRef Rest = Opcode;
    return Rest.consume_front(Row.Prefix) &&
           (Rest.empty() || Rest.starts_with("."));
  });
}

void Reader::readInstruction(StringRef Opcode, StringRef OperandText) {
  const InstructionRow *Row = findInstruction(Opcode);
  if (Row == std::end(Instructions)) {
    if (OperandText.contains('['))
      giveUp();
    return;
  }
  if (Row->Flag)
    Effects.*Row->Flag = true;
  SmallVector<StringRef, 8> Components;
  Opcode.split(Components, '.');
  switch (Row->What) {
  case Meaning::Harmless:
  case Meaning::Flag:
    return;
  case Meaning::Branch:
    Branches = true;
    return;
  case Meaning::Opaque:
    return giveUp();
  case Meaning::CopyIn:
    return readCopy(splitOperands(OperandText));
  case Meaning::BulkIn:
  case Meaning::BulkOut:
  case Meaning::BulkUpdate:
    return readBulk(Row->What, splitOperands(OperandText));
  case Meaning::Load:
  case Meaning::Store:
  case Meaning::Update:
    return readMemory(*Row, Components, splitOperands(OperandText));
  }
}

/// The argument of the call that operand "$k" is.
std::optional<unsigned> Reader::argument(StringRef Operand) const {
  unsigned Index = 0;
  if (!Operand.consume_front("$") || Operand.getAsInteger(10, Index) ||
      Index >= Arguments.size() || Arguments[Index] < 0)
    return std::nullopt;
  return Arguments[Index];
}

/// A literal, or an operand that is a constant.
std::optional<int64_t> Reader::number(StringRef Operand) const {
  int64_t Literal = 0;
  if (!Operand.getAsInteger(0, Literal))
    return Literal;
  std::optional<unsigned> Index = argument(Operand);
  const auto *C =
      Index ? dyn_cast<ConstantInt>(Call.getArgOperand(*Index)) : nullptr;
  return C && C->getBitWidth() <= 64 ? std::optional(C->getSExtValue())
                                     : std::nullopt;
}

/// Reads "[$k]" or "[$k + number]".
bool Reader::address(StringRef Operand, AssemblyAccess &A) const {
  if (!Operand.consume_front("[") || !Operand.consume_back("]"))
    return false;
  auto [Base, Offset] = Operand.split('+');
  std::optional<unsigned> Index = argument(Base.trim());
  std::optional<int64_t> Displacement =
      Offset.empty() ? std::optional<int64_t>(0) : number(Offset.trim());
  if (!Index || !Displacement)
    return false;
  Type *T = Call.getArgOperand(*Index)->getType();
  A.Address = *Index;
  A.Displacement = *Displacement;
  return T->isPointerTy() || T->isIntegerTy(64);
}

void Reader::readMemory(const InstructionRow &Row,
                        ArrayRef<StringRef> Components,
                        ArrayRef<StringRef> Operands) {
  if (is_contained(Components, "shared::cluster"))
    Effects.Cluster = true;
  for (StringRef Own : {"shared", "shared::cta", "shared::cluster", "local"})
    if (is_contained(Components, Own))
      return;
  auto InBrackets = [](StringRef Operand) { return Operand.contains('['); };
  AssemblyAccess A;
  A.Bytes = instructionBytes(Components);
  bool Elsewhere = any_of(Components, [](StringRef Component) {
    return Component.starts_with("param") || Component == "const" ||
           Component == "async" || Component == "bulk";
  });
  const StringRef *Place = find_if(Operands, InBrackets);
  if (Elsewhere || !A.Bytes || count_if(Operands, InBrackets) != 1 ||
      !address(*Place, A))
    return giveUp();
  if (Row.What != Meaning::Load)
    A.Kind =
        Row.What == Meaning::Store ? AccessKind::Write : AccessKind::Atomic;
  A.Sometimes = Predicated;
  A.NonCoherent = Components.front() == "ldu" || is_contained(Components, "nc");
  Effects.Accesses.push_back(A);
}

/// cp.async [shared], [from], bytes, and possibly how many of them are read.
void Reader::readCopy(ArrayRef<StringRef> Operands) {
  AssemblyAccess A;
  std::optional<int64_t> Bytes;
  if (Operands.size() >= 3)
    Bytes = number(Operands[2]);
  if (!Bytes || *Bytes <= 0 || !address(Operands[1], A))
    return giveUp();
  A.Bytes = *Bytes;
  A.Sometimes = Predicated;
  if (Operands.size() >= 4) {
    std::optional<int64_t> Fewer = number(Operands[3]);
    if (Fewer && *Fewer >= 0 && *Fewer <= *Bytes)
      A.Bytes = *Fewer;
    else
      A.Sometimes = true;
  }
  if (A.Bytes)
    Effects.Accesses.push_back(A);
}

void Reader::readBulk(Meaning What, ArrayRef<StringRef> Operands) {
  AssemblyAccess A;
  bool In = What == Meaning::BulkIn;
  if (Operands.size() < 3 || !address(Operands[In ? 1 : 0], A))
    return giveUp();
  if (!In)
    A.Kind = What == Meaning::BulkOut ? AccessKind::Write : AccessKind::Atomic;
  A.Sometimes = Predicated;
  if (std::optional<int64_t> Bytes = number(Operands[2])) {
    if (*Bytes <= 0)
      return giveUp();
    A.Bytes = *Bytes;
  } else if (std::optional<unsigned> Length = argument(Operands[2])) {
    A.Length = *Length;
  } else {
    return giveUp();
  }
  Effects.Accesses.push_back(A);
}

} // namespace

AssemblyEffects describeAssembly(const CallBase &Call) {
  return Reader(Call).read();
}

} // namespace blockmaestro
