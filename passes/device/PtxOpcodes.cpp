// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxOpcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// The first row that fits counts.
constexpr InstructionRow Instructions[] = {
    {"exit", InstructionRole::Exit, &AssemblyEffects::Exits},
    {"trap", InstructionRole::Registers, &AssemblyEffects::Traps},
    {"bra", InstructionRole::Branch},
    {"bar.warp", InstructionRole::Registers},
    {"barrier.cluster", InstructionRole::Registers, &AssemblyEffects::Cluster},
    {"bar", InstructionRole::Registers, &AssemblyEffects::Barrier},
    {"barrier", InstructionRole::Registers, &AssemblyEffects::Barrier},
    {"mapa", InstructionRole::Registers, &AssemblyEffects::Cluster},
    {"getctarank", InstructionRole::Registers, &AssemblyEffects::Cluster},
    {"griddepcontrol", InstructionRole::Registers,
     &AssemblyEffects::EarlyLaunch},
    {"mbarrier", InstructionRole::Harmless, &AssemblyEffects::SharedBarrier},
    {"tex", InstructionRole::Opaque, &AssemblyEffects::Textures},
    {"tld4", InstructionRole::Opaque, &AssemblyEffects::Textures},
    {"suld", InstructionRole::Opaque, &AssemblyEffects::Textures},
    {"sust", InstructionRole::Opaque, &AssemblyEffects::Textures},
    {"sured", InstructionRole::Opaque, &AssemblyEffects::Textures},
    {"txq", InstructionRole::Harmless, &AssemblyEffects::Textures},
    {"suq", InstructionRole::Harmless, &AssemblyEffects::Textures},
    {"tensormap", InstructionRole::Opaque, &AssemblyEffects::Descriptor},
    {"cp.async.bulk.tensor", InstructionRole::Opaque,
     &AssemblyEffects::Descriptor},
    {"cp.reduce.async.bulk.tensor", InstructionRole::Opaque,
     &AssemblyEffects::Descriptor},
    {"cp.async.bulk.prefetch", InstructionRole::Harmless},
    {"cp.async.bulk.commit_group", InstructionRole::Registers},
    {"cp.async.bulk.wait_group", InstructionRole::Registers},
    {"cp.async.bulk.shared::cluster.global", InstructionRole::BulkIn,
     &AssemblyEffects::Bulk},
    {"cp.async.bulk.shared::cta.global", InstructionRole::BulkIn,
     &AssemblyEffects::Bulk},
    {"cp.async.bulk.global.shared::cta", InstructionRole::BulkOut,
     &AssemblyEffects::Bulk},
    {"cp.reduce.async.bulk.global.shared::cta", InstructionRole::BulkUpdate,
     &AssemblyEffects::Bulk},
    {"cp.async.bulk", InstructionRole::Opaque, &AssemblyEffects::Bulk},
    {"cp.reduce.async.bulk", InstructionRole::Opaque, &AssemblyEffects::Bulk},
    {"cp.async.commit_group", InstructionRole::Registers},
    {"cp.async.wait_group", InstructionRole::Registers},
    {"cp.async.wait_all", InstructionRole::Registers},
    {"cp.async.mbarrier", InstructionRole::Harmless,
     &AssemblyEffects::SharedBarrier},
    {"cp.async", InstructionRole::CopyIn},
    {"prefetch", InstructionRole::Harmless},
    {"prefetchu", InstructionRole::Harmless},
    {"applypriority", InstructionRole::Harmless},
    {"createpolicy", InstructionRole::Harmless},
    {"ldmatrix", InstructionRole::Harmless},
    {"stmatrix", InstructionRole::Harmless},
    {"wmma.mma", InstructionRole::Registers},
    {"wmma", InstructionRole::Opaque},
    {"ld", InstructionRole::Load},
    {"ldu", InstructionRole::Load},
    {"st", InstructionRole::Store},
    {"atom", InstructionRole::Update},
    {"red", InstructionRole::Reduce},
    {"multimem", InstructionRole::Opaque},
    {"discard", InstructionRole::Opaque},
};

/// The first words of opcodes that work on registers alone, in the order of the
/// PTX manual: arithmetic, comparison, logic, moves, video, the warp, the
/// matrix units, fences.
constexpr StringRef RegisterOpcodes[] = {
    "add",        "sub",     "mul",    "mad",        "mul24",
    "mad24",      "sad",     "div",    "rem",        "abs",
    "neg",        "min",     "max",    "popc",       "clz",
    "bfind",      "fns",     "brev",   "bfe",        "bfi",
    "bmsk",       "szext",   "dp4a",   "dp2a",       "addc",
    "subc",       "madc",    "testp",  "copysign",   "fma",
    "rcp",        "sqrt",    "rsqrt",  "sin",        "cos",
    "lg2",        "ex2",     "tanh",   "set",        "setp",
    "selp",       "slct",    "and",    "xor",        "or",
    "not",        "cnot",    "lop3",   "shf",        "shl",
    "shr",        "mov",     "prmt",   "cvt",        "cvta",
    "isspacep",   "vadd",    "vsub",   "vabsdiff",   "vmin",
    "vmax",       "vshl",    "vshr",   "vmad",       "vset",
    "vadd2",      "vsub2",   "vavrg2", "vabsdiff2",  "vmin2",
    "vmax2",      "vset2",   "vadd4",  "vsub4",      "vavrg4",
    "vabsdiff4",  "vmin4",   "vmax4",  "vset4",      "shfl",
    "vote",       "match",   "redux",  "activemask", "elect",
    "nanosleep",  "pmevent", "mma",    "wgmma",      "movmatrix",
    "setmaxnreg", "membar",  "fence",
};

/// The modifiers of loads, stores and updates that leave the bytes they touch
/// as they are. Types and vectors aside.
constexpr StringRef AccessModifiers[] = {"global",
                                         "shared",
                                         "shared::cta",
                                         "local",
                                         "shared::cluster",
                                         "weak",
                                         "relaxed",
                                         "acquire",
                                         "release",
                                         "acq_rel",
                                         "volatile",
                                         "mmio",
                                         "cta",
                                         "cluster",
                                         "gpu",
                                         "sys",
                                         "ca",
                                         "cg",
                                         "cs",
                                         "lu",
                                         "cv",
                                         "wb",
                                         "wt",
                                         "nc",
                                         "L1::no_allocate",
                                         "L1::evict_normal",
                                         "L1::evict_unchanged",
                                         "L1::evict_first",
                                         "L1::evict_last",
                                         "L2::evict_normal",
                                         "L2::evict_first",
                                         "L2::evict_last",
                                         "L2::cache_hint",
                                         "L2::64B",
                                         "L2::128B",
                                         "L2::256B"};

/// What updates do with the memory, for bulk copies too.
constexpr StringRef UpdateModifiers[] = {"and",  "or",  "xor",  "cas",
                                         "exch", "add", "inc",  "dec",
                                         "min",  "max", "noftz"};

constexpr StringRef BulkModifiers[] = {"mbarrier::complete_tx::bytes",
                                       "bulk_group", "multicast::cluster",
                                       "L2::cache_hint", "cp_mask"};

/// The memory of the block or the thread alone.
constexpr StringRef OwnSpaces[] = {"shared", "shared::cta", "shared::cluster",
                                   "local"};

/// The names of registers that the compiler declares end with a number; before
/// that stands one of these.
constexpr StringRef CompilerRegisters[] = {"%p", "%rs", "%r", "%rd", "%rq",
                                           "%f", "%fd", "%h", "%hh", "%b"};

constexpr StringRef CopyModifiers[] = {
    "ca",      "cg",       "shared",   "shared::cta",   "global",
    "L2::64B", "L2::128B", "L2::256B", "L2::cache_hint"};

} // namespace

uint64_t typeBytes(StringRef Word) {
  if (!Word.consume_front("bf") && !Word.consume_front("u") &&
      !Word.consume_front("s") && !Word.consume_front("b") &&
      !Word.consume_front("f"))
    return 0;
  uint64_t Bits = 0, Lanes = 1;
  if (Word.consumeInteger(10, Bits))
    return 0;
  if (Word.consume_front("x") && Word.consumeInteger(10, Lanes))
    return 0;
  return Word.empty() && Bits % 8 == 0 ? Bits / 8 * Lanes : 0;
}

static uint64_t vectorLanes(StringRef Word) {
  return StringSwitch<uint64_t>(Word)
      .Case("v2", 2)
      .Case("v4", 4)
      .Case("v8", 8)
      .Default(0);
}

uint64_t instructionBytes(ArrayRef<std::string> Words, bool Updates) {
  uint64_t Bytes = 0, Lanes = 0;
  for (StringRef Word : Words.drop_front()) {
    if (is_contained(AccessModifiers, Word) ||
        (Updates && is_contained(UpdateModifiers, Word)))
      continue;
    uint64_t &Known = typeBytes(Word) ? Bytes : Lanes;
    if (Known || !(Known = std::max(typeBytes(Word), vectorLanes(Word))))
      return 0;
  }
  return Bytes * std::max<uint64_t>(Lanes, 1);
}

const InstructionRow *findInstruction(ArrayRef<std::string> Words) {
  static constexpr InstructionRow OnRegisters = {"",
                                                 InstructionRole::Registers};
  const std::string Opcode = join(Words, ".");
  const auto *Row = find_if(Instructions, [&](const InstructionRow &Row) {
    StringRef Rest = Opcode;
    return Rest.consume_front(Row.Prefix) &&
           (Rest.empty() || Rest.starts_with("."));
  });
  if (Row != std::end(Instructions))
    return Row;
  return is_contained(RegisterOpcodes, Words.front()) ? &OnRegisters : nullptr;
}

bool isCompilerRegister(StringRef Name) {
  return any_of(CompilerRegisters, [&](StringRef Prefix) {
    StringRef Rest = Name;
    return Rest.consume_front(Prefix) && !Rest.empty() && all_of(Rest, isDigit);
  });
}

bool isOwnMemory(ArrayRef<std::string> Words) {
  return any_of(OwnSpaces,
                [&](StringRef Space) { return is_contained(Words, Space); });
}

bool isKnownCopy(ArrayRef<std::string> Words) {
  return is_contained(Words, "global") &&
         (is_contained(Words, "shared") ||
          is_contained(Words, "shared::cta")) &&
         all_of(Words.drop_front(2), [](StringRef Word) {
           return is_contained(CopyModifiers, Word);
         });
}

bool isKnownBulkCopy(ArrayRef<std::string> Words, bool Updates) {
  return all_of(Words.drop_front(Updates ? 6 : 5), [&](StringRef Word) {
    return is_contained(BulkModifiers, Word) ||
           (Updates &&
            (is_contained(UpdateModifiers, Word) || typeBytes(Word)));
  });
}

std::optional<PredicateRow> integerComparison(ArrayRef<std::string> Words) {
  using Predicate = CmpInst::Predicate;
  if (Words.size() != 3 || Words[0] != "setp")
    return std::nullopt;
  const StringRef Type = Words[2];
  const unsigned Bits = StringSwitch<unsigned>(Type.drop_front())
                            .Case("16", 16)
                            .Case("32", 32)
                            .Case("64", 64)
                            .Default(0);
  const bool Signed = Type.front() == 's';
  if (Bits == 0 || !StringRef("bus").contains(Type.front()))
    return std::nullopt;
  auto Order = [&](Predicate Below, Predicate WithoutSign) {
    return Signed ? Below : WithoutSign;
  };
  constexpr Predicate None = Predicate::BAD_ICMP_PREDICATE;
  const bool Ordered = Type.front() != 'b';
  const Predicate Compare =
      StringSwitch<Predicate>(Words[1])
          .Case("eq", Predicate::ICMP_EQ)
          .Case("ne", Predicate::ICMP_NE)
          .Case("lt", Order(Predicate::ICMP_SLT, Predicate::ICMP_ULT))
          .Case("le", Order(Predicate::ICMP_SLE, Predicate::ICMP_ULE))
          .Case("gt", Order(Predicate::ICMP_SGT, Predicate::ICMP_UGT))
          .Case("ge", Order(Predicate::ICMP_SGE, Predicate::ICMP_UGE))
          .Case("lo", Predicate::ICMP_ULT)
          .Case("ls", Predicate::ICMP_ULE)
          .Case("hi", Predicate::ICMP_UGT)
          .Case("hs", Predicate::ICMP_UGE)
          .Default(None);
  if (Compare == None || (!Ordered && !CmpInst::isEquality(Compare)))
    return std::nullopt;
  return PredicateRow{Compare, Bits};
}

} // namespace blockmaestro
