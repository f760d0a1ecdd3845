// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTypes.h"

using namespace llvm;

namespace blockmaestro {

namespace {

struct TypeRow {
  const char *Name;
  PtxType Type;
};
const TypeRow TypeRows[] = {
    {"b8", {PtxKind::Bits, 8, 1}},        {"b16", {PtxKind::Bits, 16, 1}},
    {"b32", {PtxKind::Bits, 32, 1}},      {"b64", {PtxKind::Bits, 64, 1}},
    {"b128", {PtxKind::Bits, 128, 1}},    {"u8", {PtxKind::Unsigned, 8, 1}},
    {"u16", {PtxKind::Unsigned, 16, 1}},  {"u32", {PtxKind::Unsigned, 32, 1}},
    {"u64", {PtxKind::Unsigned, 64, 1}},  {"s8", {PtxKind::Signed, 8, 1}},
    {"s16", {PtxKind::Signed, 16, 1}},    {"s32", {PtxKind::Signed, 32, 1}},
    {"s64", {PtxKind::Signed, 64, 1}},    {"u16x2", {PtxKind::Unsigned, 16, 2}},
    {"s16x2", {PtxKind::Signed, 16, 2}},  {"f16", {PtxKind::Float, 16, 1}},
    {"f32", {PtxKind::Float, 32, 1}},     {"f64", {PtxKind::Float, 64, 1}},
    {"f16x2", {PtxKind::Float, 16, 2}},   {"bf16", {PtxKind::BFloat, 16, 1}},
    {"bf16x2", {PtxKind::BFloat, 16, 2}}, {"tf32", {PtxKind::Tf32, 32, 1}},
    {"e4m3x2", {PtxKind::E4M3, 8, 2}},    {"e5m2x2", {PtxKind::E5M2, 8, 2}},
    {"e4m3", {PtxKind::E4M3, 8, 1}},      {"e5m2", {PtxKind::E5M2, 8, 1}},
    {"s4", {PtxKind::Signed, 4, 1}},      {"u4", {PtxKind::Unsigned, 4, 1}},
    {"b1", {PtxKind::Bits, 1, 1}},        {"pred", {PtxKind::Predicate, 1, 1}},
};

} // namespace

std::optional<PtxType> parsePtxType(StringRef Name) {
  for (const TypeRow &Row : TypeRows)
    if (Name == Row.Name)
      return Row.Type;
  return std::nullopt;
}

uint64_t ptxTypeBytes(StringRef Name) {
  const std::optional<PtxType> Type = parsePtxType(Name);
  return Type && Type->total() % 8 == 0 ? Type->total() / 8 : 0;
}

} // namespace blockmaestro
