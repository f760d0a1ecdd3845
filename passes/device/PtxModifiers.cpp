// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxModifiers.h"

#include "PtxTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace blockmaestro {

namespace {

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
    uint64_t &Known = ptxTypeBytes(Word) ? Bytes : Lanes;
    if (Known || !(Known = std::max(ptxTypeBytes(Word), vectorLanes(Word))))
      return 0;
  }
  return Bytes * std::max<uint64_t>(Lanes, 1);
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
            (is_contained(UpdateModifiers, Word) || ptxTypeBytes(Word)));
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
