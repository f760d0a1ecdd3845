// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the types of PTX operands as values.
// On the data's way: used by passes/device for the bytes of an access and by
// runtime/emulator, which lowers PTX and NVVM intrinsics.
// Threads: values.

#ifndef BLOCKMAESTRO_PTX_PTXTYPES_H
#define BLOCKMAESTRO_PTX_PTXTYPES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace blockmaestro {

enum class PtxKind {
  Bits,
  Unsigned,
  Signed,
  Float,  ///< IEEE of 16, 32 and 64 bits.
  BFloat, ///< The upper half of a 32-bit float.
  Tf32,   ///< A 32-bit float with 10 bits of fraction.
  E4M3,
  E5M2,
  Predicate,
};

/// \p Lanes values of \p Bits bits each, the first one lowest.
struct PtxType {
  PtxKind Kind = PtxKind::Bits;
  unsigned Bits = 32;
  unsigned Lanes = 1;

  unsigned total() const { return Bits * Lanes; }
  bool isFloat() const { return Kind == PtxKind::Float || isBFloat(); }
  bool isBFloat() const { return Kind == PtxKind::BFloat; }
  bool isSigned() const { return Kind == PtxKind::Signed; }
  bool isInteger() const {
    return Kind == PtxKind::Bits || Kind == PtxKind::Unsigned || isSigned();
  }
  PtxType lane() const { return {Kind, Bits, 1}; }
  bool operator==(const PtxType &) const = default;
};

/// Unsigned registers of 32 and of 64 bits.
inline constexpr PtxType PtxWord{PtxKind::Unsigned, 32, 1};
inline constexpr PtxType PtxLong{PtxKind::Unsigned, 64, 1};

/// The type called \p Name in PTX ("u32", "f16x2"), if there is one.
std::optional<PtxType> parsePtxType(llvm::StringRef Name);

/// Bytes that a register or an access of the type called \p Name has; 0 for
/// what is no type, for predicates and for parts of bytes.
uint64_t ptxTypeBytes(llvm::StringRef Name);

} // namespace blockmaestro

#endif
