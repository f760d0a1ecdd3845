// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

#include <algorithm>

namespace blockmaestro::soundness {

constexpr ElementTraits Elements[ElementCount] = {
    {"signed char", 1, false}, {"unsigned char", 1, false},
    {"short", 2, false},       {"unsigned short", 2, false},
    {"int", 4, false},         {"unsigned", 4, false},
    {"long", 8, false},        {"unsigned long", 8, false},
    {"float", 4, false},       {"double", 8, false},
    {"Float4", 16, true},      {"Triple", 12, true},
};

const ElementTraits &traits(Element E) { return Elements[unsigned(E)]; }

bool hasWeakCode(const Kernel &K) {
  return K.Weak || std::ranges::any_of(K.Functions, &Function::Weak);
}

bool isPointer(Op What) { return What >= Op::Array && What <= Op::Field; }
bool isStatement(Op What) { return What >= Op::Sequence; }

bool contains(const Node &N, Op What) {
  return N.What == What || std::ranges::any_of(N.Kids, [&](const Node &Kid) {
           return contains(Kid, What);
         });
}

std::string symbolOf(const Kernel &K) { return "k" + std::to_string(K.Seed); }

std::string globalName(const Kernel &K, unsigned Array) {
  return "g" + std::to_string(K.Seed) + "_" + std::to_string(Array);
}

/// The type of an operation whose kids have theirs.
static Int typeOf(const Node &N, const Kernel &K) {
  switch (N.What) {
  case Op::Register:
    return Int::U32;
  case Op::Scalar:
    return K.Scalars[N.Id].Type;
  case Op::Local:
    return K.Locals[N.Id];
  case Op::Binary:
    return resultType(Operator(N.Value), N.Kids[0].Type, N.Kids[1].Type);
  case Op::Negate:
  case Op::Complement:
    return promoted(N.Kids[0].Type);
  case Op::Not:
  case Op::AndAlso:
  case Op::OrElse:
  case Op::Before:
  case Op::CallInteger:
    return Int::I32;
  case Op::Choose:
    return N.Kids[1].Type == N.Kids[2].Type
               ? N.Kids[1].Type
               : common(N.Kids[1].Type, N.Kids[2].Type);
  case Op::Load:
  case Op::Fetch:
    return integerOf(N.Kids[0].Of);
  default:
    return N.Type;
  }
}

void retype(Node &N, const Kernel &K) {
  for (Node &Kid : N.Kids)
    retype(Kid, K);
  if (!isPointer(N.What) && !isStatement(N.What))
    N.Type = typeOf(N, K);
}

uint32_t offsetIn(const BundleInfo &B, unsigned Index) {
  switch (B.How) {
  case BundleInfo::Behind:
    return 1104 + 8 * Index;
  case BundleInfo::Apart:
    return 16 + 8 * 50 * Index;
  case BundleInfo::Packed:
    return 1 + 13 * Index;
  default:
    return 8 * Index;
  }
}

uint32_t bytesOf(const BundleInfo &B) {
  const uint32_t End = offsetIn(B, B.Arrays.size());
  return B.How == BundleInfo::Apart    ? End - 16
         : B.How == BundleInfo::Packed ? End - 1
                                       : End;
}

void layOut(Kernel &K) {
  auto BytesOf = [&](const MemberInfo &M) {
    return M.IsArray ? 8u : traits(K.Scalars[M.Id].Type).Bits / 8;
  };
  uint32_t Next = 0, InnerAlign = 1;
  auto Place = [&](MemberInfo &M) {
    uint32_t Bytes = BytesOf(M);
    Next = (Next + Bytes - 1) / Bytes * Bytes;
    M.Offset = Next;
    Next += Bytes;
  };
  for (MemberInfo &M : K.Members)
    if (!M.Inner)
      Place(M);
    else
      InnerAlign = std::max(InnerAlign, BytesOf(M));
  Next = (Next + InnerAlign - 1) / InnerAlign * InnerAlign;
  for (MemberInfo &M : K.Members)
    if (M.Inner)
      Place(M);
}

} // namespace blockmaestro::soundness
