// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a record in which every field has a value of its own, for tests.

#ifndef BLOCKMAESTRO_TEST_UNIT_METADATA_SAMPLERECORD_H
#define BLOCKMAESTRO_TEST_UNIT_METADATA_SAMPLERECORD_H

#include "blockmaestro/Metadata.h"

namespace blockmaestro {

inline Footprint sampleFootprint() {
  Footprint F;
  F.Symbols = {{SymbolKind::ThreadIdx, 0, 0, 0, 4, true},
               {SymbolKind::BlockIdx, 1, 0, 0, 4, true},
               {SymbolKind::Argument, 0, 1, 0, 2, false},
               {SymbolKind::Counter, 0, 0, 0, 8, true},
               {SymbolKind::Quotient, 0, 0, 0, 8, true},
               {SymbolKind::Power, 0, 0, 0, 8, true},
               {SymbolKind::Value, 0, 0, 0, 8, true}};
  F.CounterExtents = {{{{-5, {}}, {7, {2}}}}};
  F.Quotients = {{{{{1, {0}}, {3, {1}}}}, {{{2, {2}}}}}};
  F.Powers = {{{{1, {2}}}}};
  F.Values = {{{}, {{{-1, {}}, {1, {2}}}}}};
  Access A;
  A.Kind = AccessKind::Write;
  A.Base = {RootKind::Argument, 0, 0, ""};
  A.ElementBytes = 4;
  A.Offset.Terms = {{INT64_MIN, {}}, {4, {0}}, {INT64_MAX, {1, 1}}};
  A.Domain = {{{{{-1, {0}}, {1, {2}}}}, false}, {{{{1, {3}}}}, true}};
  A.Assumptions = {{{{{1, {0}}}}, 31, false, {0}}};
  A.How = Exactness::Bounded;
  A.Reason = "a guard was left out";
  A.Where = {"kernel.cu", 12, 34};
  Access B;
  B.Kind = AccessKind::Atomic;
  B.Base = {RootKind::Global, 0, 0, "table"};
  B.How = Exactness::Allocation;
  B.Reason = "the index is read from memory";
  Access C;
  C.Reason = "the pointer is read from memory";
  F.Accesses = {A, B, C};
  return F;
}

inline ModuleRecord sampleRecord() {
  KernelRecord K;
  K.Symbol = "_Z4workPfs";
  K.Name = "work(float*, short)";
  K.Parameters = {{0, 8, 8, true, false}, {8, 2, 2, false, true}};
  K.ArgumentBytes = 10;
  K.StaticSharedBytes = 1056;
  K.Cluster = {4, 2, 1};
  K.add(Feature::Barrier);
  K.add(Feature::DynamicShared);
  K.Bytes = sampleFootprint();
  K.PdlSymbol = "_Z4workPfs.pdl";
  K.PrelaunchSymbol = "_Z4workPfs.prelaunch";
  K.TimedSymbol = "_Z4workPfs.timed";
  K.PersistentCase = 3;
  K.Code = 0x0123456789abcdef;
  KernelRecord Empty;
  Empty.Symbol = "_Z4idlev";
  Empty.NoVariantReason = "it does nothing";
  Empty.Replaceable = true;
  ModuleRecord M;
  M.Source = "kernel.cu";
  M.Architecture = "sm_90";
  M.Kernels = {K, Empty};
  M.Globals = {{"table", uint64_t(1) << 40, true}};
  M.PersistentSymbol = "persistent";
  M.Bitcode = {0xde, 0xc0, 0x17, 0x0b, 0};
  M.Relocatable = true;
  M.Shared = {{"_Z6squaref", 17}, {"_Z5scalef", 0}};
  return M;
}

} // namespace blockmaestro

#endif
