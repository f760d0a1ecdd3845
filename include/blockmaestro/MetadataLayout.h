// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the byte layout of a metadata record: the order of the fields,
// said once for the writer and the reader, and the header around them.
// On the data's way: included by passes/host/MetadataWriter and
// runtime/launch/MetadataReader, by nothing else. docs/metadata.md describes
// the same bytes in prose; a change here changes MetadataVersion.
// Invariants: a Visitor is called once per field, in order. It has a constant
// `Fills` (true when it writes into the record) and the members
//   number(N)          an integer of N's size, or a bool in one byte
//   choice(E, Last)    an enumeration in one byte, at most Last
//   text(S)            a string
//   bytes(V)           a vector of bytes
//   list(V)            a vector of structs that have a fields() below
//   numbers(V)         a vector of integers
// Threads: no state.

#ifndef BLOCKMAESTRO_METADATALAYOUT_H
#define BLOCKMAESTRO_METADATALAYOUT_H

#include "blockmaestro/Metadata.h"

#include <type_traits>

namespace blockmaestro {

/// Magic u32, version u32, body bytes u64, checksum u64; all little-endian.
inline constexpr size_t MetadataHeaderBytes = 24;
/// The header's bytes that the checksum covers, in front of the body.
inline constexpr size_t MetadataCheckedHeaderBytes = 16;

inline constexpr uint64_t MetadataChecksumStart = 0xcbf29ce484222325;

/// FNV-1a over 64 bits, continued from Start. One changed byte always changes
/// the result.
inline uint64_t metadataChecksum(const uint8_t *Data, size_t Size,
                                 uint64_t Start = MetadataChecksumStart) {
  uint64_t Hash = Start;
  for (size_t I = 0; I < Size; ++I)
    Hash = (Hash ^ Data[I]) * 0x100000001b3;
  return Hash;
}

template <typename Visitor, typename T>
using FieldsOf = std::conditional_t<Visitor::Fills, T, const T>;

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Symbol> &S) {
  V.choice(S.Kind, SymbolKind::Value);
  V.number(S.Dimension);
  V.number(S.Index);
  V.number(S.Offset);
  V.number(S.Bytes);
  V.number(S.Signed);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Monomial> &M) {
  V.number(M.Coefficient);
  V.numbers(M.Factors);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Polynomial> &P) {
  V.list(P.Terms);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Constraint> &C) {
  fields(V, C.Value);
  V.number(C.Equality);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Assumption> &A) {
  fields(V, A.Value);
  V.number(A.Bits);
  V.number(A.Signed);
  V.numbers(A.Under);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Quotient> &Q) {
  fields(V, Q.Numerator);
  fields(V, Q.Denominator);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, ValueRange> &R) {
  fields(V, R.Low);
  fields(V, R.High);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Root> &R) {
  V.choice(R.Kind, RootKind::None);
  V.number(R.Argument);
  V.number(R.Offset);
  V.text(R.Global);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, SourceLocation> &L) {
  V.text(L.File);
  V.number(L.Line);
  V.number(L.Column);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Access> &A) {
  V.choice(A.Kind, AccessKind::Atomic);
  fields(V, A.Base);
  V.number(A.ElementBytes);
  fields(V, A.Offset);
  V.list(A.Domain);
  V.list(A.Assumptions);
  V.choice(A.How, Exactness::Unknown);
  V.text(A.Reason);
  fields(V, A.Where);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Footprint> &F) {
  V.list(F.Symbols);
  V.list(F.CounterExtents);
  V.list(F.Quotients);
  V.list(F.Powers);
  V.list(F.Values);
  V.list(F.Accesses);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, Parameter> &P) {
  V.number(P.Offset);
  V.number(P.Bytes);
  V.number(P.Alignment);
  V.number(P.Pointer);
  V.number(P.ByValue);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, KernelRecord> &K) {
  V.text(K.Symbol);
  V.text(K.Name);
  V.list(K.Parameters);
  V.number(K.ArgumentBytes);
  V.number(K.StaticSharedBytes);
  V.number(K.Features);
  for (auto &Extent : K.Cluster)
    V.number(Extent);
  fields(V, K.Bytes);
  V.text(K.PdlSymbol);
  V.text(K.PrelaunchSymbol);
  V.text(K.TimedSymbol);
  V.number(K.PersistentCase);
  V.text(K.NoVariantReason);
  V.number(K.Replaceable);
  V.number(K.Code);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, GlobalRecord> &G) {
  V.text(G.Symbol);
  V.number(G.Bytes);
  V.number(G.Internal);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, SharedCode> &S) {
  V.text(S.Symbol);
  V.number(S.Code);
}

template <typename Visitor>
void fields(Visitor &V, FieldsOf<Visitor, ModuleRecord> &M) {
  V.text(M.Source);
  V.text(M.Architecture);
  V.list(M.Kernels);
  V.list(M.Globals);
  V.text(M.PersistentSymbol);
  V.bytes(M.Bitcode);
  V.number(M.Relocatable);
  V.list(M.Shared);
}

} // namespace blockmaestro

#endif
