// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxAssembly.h"

#include "AssemblyFlags.h"
#include "PtxModifiers.h"
#include "PtxOpcodes.h"
#include "PtxStatements.h"
#include "PtxTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

// Note [Assembly]
// A text is read statement by statement, and all of it must be known: every
// directive, opcode, modifier of a memory instruction and form of an address.
// What a register holds is followed through moves, conversions and additions of
// constants, as long as no label and no predicate leaves open which of them
// ran. An input may be written like any other register; then an address in it
// is another one. Text that is not known may do anything, and end the thread; a
// known instruction whose bytes are not clear may touch anything, but does no
// more than that. A predicate is followed where it is a comparison of integers
// that are inputs, or an input and a number, as they came in.

namespace blockmaestro {

namespace {

bool has(const PtxStatement &S, StringRef Word) {
  return is_contained(S.Words, Word);
}

/// An address: so many bytes behind what an argument of the call is.
struct Place {
  unsigned Argument = 0;
  int64_t Displacement = 0;
};

class Reader {
public:
  explicit Reader(const CallBase &Call) : Call(Call) {
    const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
    readConstraints(*Asm);
    Text = Asm->getAsmString();
  }

  AssemblyEffects read();

private:
  void readConstraints(const InlineAsm &Asm);
  bool readLabels(ArrayRef<PtxStatement> Statements);
  void readStatement(const PtxStatement &S);
  void declare(const PtxStatement &S);
  void readInstruction(const PtxStatement &S);
  void readMove(const PtxStatement &S);
  void readMemory(const PtxOpcode &Row, const PtxStatement &S);
  void readCopy(const PtxStatement &S);
  bool readFewer(const PtxOperand &Size, AssemblyAccess &A);
  void readBulk(PtxRole Role, const PtxStatement &S);
  void add(AssemblyAccess A, const PtxStatement &S);
  void readTest(const PtxStatement &S);
  std::optional<AssemblyTest> guardOf(const PtxStatement &S) const;
  std::optional<Place> *slotOf(const PtxOperand &Operand);
  void forget(const PtxOperand &Operand);
  std::optional<Place> placeOf(const PtxOperand &Operand);
  std::optional<unsigned> argument(const PtxOperand &Operand);
  std::optional<int64_t> number(const PtxOperand &Operand);
  bool address(const PtxOperand &Operand, AssemblyAccess &A);
  /// See Note [Assembly].
  void giveUp() { Effects.Understood = false; }
  void doAnything() {
    giveUp();
    Effects.Exits = true;
  }

  const CallBase &Call;
  StringRef Text;
  /// For each operand $k the first operand that shares its register, and for
  /// that what the register holds.
  SmallVector<unsigned, 8> Slots;
  SmallVector<std::optional<Place>, 8> Held;
  StringMap<std::optional<Place>> Registers; ///< The 64 bits wide ones.
  StringMap<AssemblyTest> Predicates;        ///< Those that are known.
  SmallVector<std::vector<std::string>, 4> Scopes{{}};
  bool Branches = false;
  AssemblyEffects Effects;
};

/// Operands in memory, and all but registers and constants, are not followed.
void Reader::readConstraints(const InlineAsm &Asm) {
  static constexpr StringRef Known[] = {"h", "r", "l", "f", "d",
                                        "q", "b", "c", "n", "i"};
  const InlineAsm::ConstraintInfoVector Constraints = Asm.ParseConstraints();
  unsigned Next = 0;
  for (const InlineAsm::ConstraintInfo &C : Constraints) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    const unsigned Index = Slots.size();
    const bool Input = C.Type == InlineAsm::isInput;
    const auto Tied = find_if(Constraints, [&](const auto &Other) {
      return Input && Other.MatchingInput == int(Index);
    });
    const bool IsTied = Tied != Constraints.end();
    if (C.isIndirect || C.isMultipleAlternative ||
        C.Type == InlineAsm::isLabel ||
        (!IsTied && !all_of(C.Codes, [](StringRef Code) {
          return is_contained(Known, Code);
        })))
      giveUp();
    Slots.push_back(IsTied ? Tied - Constraints.begin() : Index);
    Held.emplace_back();
    if (Input)
      Held[Slots.back()] = {Next++, 0};
  }
}

/// Forgets what is written if statements may run in another order than they
/// stand in. False where a branch leads out of the text.
bool Reader::readLabels(ArrayRef<PtxStatement> Statements) {
  StringSet<> Labels;
  for (const PtxStatement &S : Statements)
    if (S.Kind == PtxStatementKind::Label)
      Labels.insert(S.Names[0]);
  Branches = !Labels.empty();
  for (const PtxStatement &S : Statements) {
    if (S.Kind != PtxStatementKind::Instruction || S.Operands.empty())
      continue;
    if (S.Words.front() == "bra" &&
        (S.Operands.size() != 1 || !Labels.contains(S.Operands[0].Name)))
      return false;
    if (Branches)
      forget(S.Operands[0]);
  }
  return true;
}

AssemblyEffects Reader::read() {
  noteSpecialRegisters(Text, Effects);
  const Result<std::vector<PtxStatement>> Statements = readPtx(Text);
  if (!Statements.ok() || !readLabels(*Statements))
    doAnything();
  else
    for_each(*Statements, [&](const PtxStatement &S) { readStatement(S); });
  for (AssemblyAccess &A : Effects.Accesses)
    A.Sometimes |= Branches || Effects.Exits;
  if (!Effects.Understood)
    Effects.Accesses.clear();
  return std::move(Effects);
}

void Reader::readStatement(const PtxStatement &S) {
  using Form = PtxStatementKind;
  switch (S.Kind) {
  case Form::Label:
    return;
  case Form::Declaration:
    return declare(S);
  case Form::ScopeBegin:
    Scopes.emplace_back();
    return;
  case Form::ScopeEnd:
    for (const std::string &Name : Scopes.pop_back_val()) {
      Registers.erase(Name);
      Predicates.erase(Name);
    }
    return;
  case Form::Instruction:
    return readInstruction(S);
  }
}

/// A name that is declared again inside is forgotten outside, too.
void Reader::declare(const PtxStatement &S) {
  const StringRef Type = S.Words.front();
  if (Type != "pred" && ptxTypeBytes(Type) == 0)
    return doAnything();
  for (const std::string &Name : S.Names) {
    if (isCompilerRegister(Name))
      return doAnything();
    Registers.erase(Name);
    Predicates.erase(Name);
    if (Type == "b64" || Type == "u64" || Type == "s64")
      Registers[Name] = std::nullopt;
    Scopes.back().push_back(Name);
  }
}

void Reader::readInstruction(const PtxStatement &S) {
  const PtxOpcode *Row = findPtxOpcode(S.Words);
  if (!Row)
    return doAnything();
  noteService(Row->Service, Effects);
  const bool Brackets =
      any_of(S.Operands, [](const auto &Each) { return Each.hasAddress(); });
  switch (Row->Role) {
  case PtxRole::Registers:
    if (Brackets)
      giveUp();
    readMove(S);
    readTest(S);
    return;
  case PtxRole::Branch:
  case PtxRole::Exit:
    if (Brackets)
      giveUp();
    return;
  case PtxRole::Anything:
    return doAnything();
  case PtxRole::Opaque:
    giveUp();
    break;
  case PtxRole::Harmless:
    break;
  case PtxRole::CopyIn:
    return readCopy(S);
  case PtxRole::BulkIn:
  case PtxRole::BulkOut:
  case PtxRole::BulkUpdate:
    return readBulk(Row->Role, S);
  case PtxRole::Load:
  case PtxRole::Store:
  case PtxRole::Update:
  case PtxRole::Reduce:
    readMemory(*Row, S);
    break;
  }
  if (!S.Operands.empty())
    forget(S.Operands[0]);
}

/// What an instruction writes is its first operand. That is followed for moves,
/// conversions between generic and global addresses, and sums with constants.
void Reader::readMove(const PtxStatement &S) {
  if (S.Operands.empty())
    return;
  const std::string Opcode = join(S.Words, ".");
  const bool Moves = is_contained({"mov.b64", "mov.u64", "mov.s64",
                                   "cvta.to.global.u64", "cvta.global.u64"},
                                  StringRef(Opcode)) &&
                     S.Operands.size() == 2;
  const bool Adds =
      (Opcode == "add.u64" || Opcode == "add.s64") && S.Operands.size() == 3;
  const bool Takes =
      (Opcode == "sub.u64" || Opcode == "sub.s64") && S.Operands.size() == 3;
  std::optional<Place> Moved;
  if (Moves) {
    Moved = placeOf(S.Operands[1]);
  } else if (Adds || Takes) {
    const bool Swapped = Adds && !placeOf(S.Operands[1]);
    Moved = placeOf(S.Operands[Swapped ? 2 : 1]);
    const std::optional<int64_t> By = number(S.Operands[Swapped ? 1 : 2]);
    if (!By || !Moved ||
        (Takes ? SubOverflow(Moved->Displacement, *By, Moved->Displacement)
               : AddOverflow(Moved->Displacement, *By, Moved->Displacement)))
      Moved.reset();
  }
  forget(S.Operands[0]);
  if (std::optional<Place> *To = slotOf(S.Operands[0]);
      To && !S.Guarded && !Branches)
    *To = Moved;
}

/// What was written is forgotten already.
void Reader::readTest(const PtxStatement &S) {
  const std::optional<PredicateRow> Row = integerComparison(S.Words);
  if (!Row || S.Operands.size() != 3 || S.Guarded || Branches ||
      S.Operands[0].Kind != PtxOperandKind::Register)
    return;
  auto IsWide = [&](const std::optional<unsigned> &Index) {
    return Index &&
           Call.getArgOperand(*Index)->getType()->isIntegerTy(Row->Bits);
  };
  const std::optional<unsigned> Left = argument(S.Operands[1]);
  const std::optional<unsigned> Right = argument(S.Operands[2]);
  const bool IsNumber = S.Operands[2].isInteger();
  if (IsWide(Left) && (IsNumber || IsWide(Right)))
    Predicates[S.Operands[0].Name] = {
        Row->Compare, *Left, IsNumber ? std::nullopt : Right,
        IsNumber ? int64_t(S.Operands[2].Bits) : 0};
}

/// When S, which is guarded, runs.
std::optional<AssemblyTest> Reader::guardOf(const PtxStatement &S) const {
  const auto Found = S.Guard.Kind == PtxOperandKind::Register
                         ? Predicates.find(S.Guard.Name)
                         : Predicates.end();
  if (Found == Predicates.end())
    return std::nullopt;
  AssemblyTest Test = Found->second;
  if (S.Guard.Negated)
    Test.Compare = CmpInst::getInversePredicate(Test.Compare);
  return Test;
}

/// Where what is known of a register is kept; null for anything else.
std::optional<Place> *Reader::slotOf(const PtxOperand &Operand) {
  if (Operand.Kind == PtxOperandKind::Argument)
    return Operand.Number < Slots.size() ? &Held[Slots[Operand.Number]]
                                         : nullptr;
  const auto Found = Operand.Kind == PtxOperandKind::Register
                         ? Registers.find(Operand.Name)
                         : Registers.end();
  return Found == Registers.end() ? nullptr : &Found->second;
}

/// Operand is written, or its parts are.
void Reader::forget(const PtxOperand &Operand) {
  if (Operand.Kind == PtxOperandKind::Address ||
      Operand.Kind == PtxOperandKind::Coordinates)
    return;
  if (std::optional<Place> *Slot = slotOf(Operand))
    Slot->reset();
  Predicates.erase(Operand.Name);
  for (const PtxOperand &Part : Operand.Elements)
    forget(Part);
}

std::optional<Place> Reader::placeOf(const PtxOperand &Operand) {
  const std::optional<Place> *Slot =
      Operand.Negated ? nullptr : slotOf(Operand);
  return Slot ? *Slot : std::nullopt;
}

/// The argument of the call that Operand still is.
std::optional<unsigned> Reader::argument(const PtxOperand &Operand) {
  const std::optional<Place> Where = placeOf(Operand);
  return Operand.Kind == PtxOperandKind::Argument && Where &&
                 Where->Displacement == 0
             ? std::optional(Where->Argument)
             : std::nullopt;
}

/// A literal, or an operand that is a constant.
std::optional<int64_t> Reader::number(const PtxOperand &Operand) {
  if (Operand.isInteger())
    return int64_t(Operand.Bits);
  const std::optional<unsigned> Index = argument(Operand);
  const auto *C =
      Index ? dyn_cast<ConstantInt>(Call.getArgOperand(*Index)) : nullptr;
  return C && (C->getBitWidth() == 32 || C->getBitWidth() == 64)
             ? std::optional(C->getSExtValue())
             : std::nullopt;
}

/// Whether a pointer of type T, or a number, may be an address in global
/// memory as it is.
bool isAddress(const Type *T) {
  const unsigned Space = T->isPointerTy() ? T->getPointerAddressSpace() : 0;
  return (T->isPointerTy() || T->isIntegerTy(64)) &&
         (Space == NVPTXAS::ADDRESS_SPACE_GENERIC ||
          Space == NVPTXAS::ADDRESS_SPACE_GLOBAL);
}

/// Reads [register], [register + number] or [register - number].
bool Reader::address(const PtxOperand &Operand, AssemblyAccess &A) {
  if (Operand.Kind != PtxOperandKind::Address || Operand.Elements.empty())
    return false;
  const std::optional<Place> Base = placeOf(Operand.Elements[0]);
  const std::optional<int64_t> Added = Operand.Elements.size() == 2
                                           ? number(Operand.Elements[1])
                                           : Operand.Offset;
  if (!Base || !Added || !isInt<32>(*Added) ||
      AddOverflow(Base->Displacement, *Added, A.Displacement))
    return false;
  A.Address = Base->Argument;
  return isAddress(Call.getArgOperand(A.Address)->getType());
}

void Reader::add(AssemblyAccess A, const PtxStatement &S) {
  const std::optional<AssemblyTest> Test =
      S.Guarded ? guardOf(S) : std::nullopt;
  if (Test && !A.When)
    A.When = Test;
  else
    A.Sometimes |= S.Guarded;
  Effects.Accesses.push_back(A);
}

/// The address is the only operand in brackets, and stands in its place.
void Reader::readMemory(const PtxOpcode &Row, const PtxStatement &S) {
  Effects.Cluster |= has(S, "shared::cluster");
  const bool Updates =
      Row.Role == PtxRole::Update || Row.Role == PtxRole::Reduce;
  const unsigned At =
      Row.Role == PtxRole::Load || Row.Role == PtxRole::Update ? 1 : 0;
  AssemblyAccess A;
  A.Bytes = instructionBytes(S.Words, Updates);
  const auto Brackets =
      count_if(S.Operands, [](const auto &Each) { return Each.hasAddress(); });
  if (!A.Bytes || Brackets != 1 || S.Operands.size() <= At ||
      S.Operands[At].Kind != PtxOperandKind::Address)
    return giveUp();
  if (isOwnMemory(S.Words))
    return;
  if (!address(S.Operands[At], A))
    return giveUp();
  A.Kind = Updates                      ? AccessKind::Atomic
           : Row.Role == PtxRole::Store ? AccessKind::Write
                                        : AccessKind::Read;
  A.NonCoherent = S.Words.front() == "ldu" || has(S, "nc");
  add(A, S);
}

/// Size is how many of A's bytes are read, or a predicate that says whether:
/// then, of a size that came in, none where that is 0.
bool Reader::readFewer(const PtxOperand &Size, AssemblyAccess &A) {
  const std::optional<int64_t> Fewer = number(Size);
  if (!Fewer || *Fewer < 0 || *Fewer > int64_t(A.Bytes)) {
    A.Sometimes = true;
    if (const std::optional<unsigned> Index = argument(Size);
        Index && Call.getArgOperand(*Index)->getType()->isIntegerTy(32))
      A.When = {CmpInst::ICMP_NE, *Index, std::nullopt, 0};
    return true;
  }
  A.Bytes = *Fewer;
  return A.Bytes > 0;
}

/// cp.async [shared], [from], bytes, how many of them are read, cache policy:
/// the last two where they are wanted.
void Reader::readCopy(const PtxStatement &S) {
  ArrayRef<PtxOperand> Operands = S.Operands;
  if (has(S, "L2::cache_hint") && !Operands.empty())
    Operands = Operands.drop_back();
  const bool Good =
      isKnownCopy(S.Words) && (Operands.size() == 3 || Operands.size() == 4);
  AssemblyAccess A;
  const std::optional<int64_t> Bytes =
      Good ? number(Operands[2]) : std::nullopt;
  if (!Bytes || *Bytes <= 0 || *Bytes > 16 || !address(Operands[1], A))
    return giveUp();
  A.Bytes = *Bytes;
  if (Operands.size() == 3 || readFewer(Operands[3], A))
    add(A, S);
}

void Reader::readBulk(PtxRole Role, const PtxStatement &S) {
  const bool In = Role == PtxRole::BulkIn;
  AssemblyAccess A;
  if (!isKnownBulkCopy(S.Words, Role == PtxRole::BulkUpdate) ||
      S.Operands.size() < 3 || !address(S.Operands[In ? 1 : 0], A))
    return giveUp();
  if (!In)
    A.Kind = Role == PtxRole::BulkOut ? AccessKind::Write : AccessKind::Atomic;
  A.Sometimes = has(S, "cp_mask");
  if (const std::optional<int64_t> Bytes = number(S.Operands[2])) {
    if (*Bytes <= 0)
      return giveUp();
    A.Bytes = *Bytes;
  } else if (const std::optional<unsigned> Length = argument(S.Operands[2])) {
    A.Length = *Length;
  } else {
    return giveUp();
  }
  add(A, S);
}

} // namespace

AssemblyEffects describeAssembly(const CallBase &Call) {
  return Reader(Call).read();
}

} // namespace blockmaestro
