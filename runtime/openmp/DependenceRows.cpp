// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DependenceRows.h"

#include <algorithm>
#include <cstddef>

namespace blockmaestro::openmp {
namespace {

/// Fewer are not worth to be one range; more are several.
constexpr ptrdiff_t LeastRows = 8, MostRows = 4096;

/// What flags of clang's dependences say.
enum DependenceFlag : uint8_t {
  DependIn = 1,
  DependMutexInOutSet = 4,
  DependInOutSet = 8,
  DependAllMemory = 0x80
};

/// Also of several flags: they order at least as each of them does.
DependKind kindOf(uint8_t Flags) {
  switch (Flags) {
  case DependIn:
    return DependKind::In;
  case DependMutexInOutSet:
    return DependKind::MutexInOutSet;
  case DependInOutSet:
    return DependKind::InOutSet;
  default:
    return DependKind::Out;
  }
}

bool isAllMemory(const Dependence &Of) {
  return Of.Flags & DependAllMemory || Of.Address == UINT64_MAX;
}

/// Whether a number that is First, and by the same step Last in less than 2^31
/// steps, is neither 0 nor large on its way.
bool staysSmall(uint64_t First, uint64_t Step, uint64_t Last) {
  constexpr uint64_t Far = uint64_t(1) << 62, Wide = uint64_t(1) << 32;
  return First - 1 < Far && Last - 1 < Far && Step + Wide < 2 * Wide;
}

/// How many dependences from First on are by the same number of bytes further
/// and longer than the one before; 1 where these are few.
ptrdiff_t rowsAt(const Dependence *First, const Dependence *End) {
  if (End - First < LeastRows)
    return 1;
  const Dependence *const Most = First + std::min(End - First, MostRows);
  const uint64_t AddressStep = First[1].Address - First->Address;
  const uint64_t BytesStep = First[1].Bytes - First->Bytes;
  const Dependence *Each = First + 1;
  while (Each != Most && Each->Address - Each[-1].Address == AddressStep &&
         Each->Bytes - Each[-1].Bytes == BytesStep &&
         Each->Flags == First->Flags)
    ++Each;
  const bool AreRows =
      Each - First >= LeastRows &&
      staysSmall(First->Address, AddressStep, Each[-1].Address) &&
      staysSmall(First->Bytes, BytesStep, Each[-1].Bytes);
  return AreRows ? Each - First : 1;
}

/// So many of them as one range.
TaskGraph::Range rangeOf(const Dependence *First, ptrdiff_t Rows) {
  TaskGraph::Range Out = {First->Address, First->Bytes, kindOf(First->Flags)};
  if (Rows > 1) {
    Out.Count = uint32_t(Rows);
    Out.AddressStep = First[1].Address - First->Address;
    Out.BytesStep = First[1].Bytes - First->Bytes;
  }
  return Out;
}

} // namespace

bool addRanges(const Dependence *First, int32_t Count,
               std::vector<TaskGraph::Range> &To) {
  bool All = false;
  for (const Dependence *Each = First, *End = First + Count; Each != End;) {
    const ptrdiff_t Rows = rowsAt(Each, End);
    All |= isAllMemory(*Each);
    if (Each->Address != 0)
      To.push_back(rangeOf(Each, Rows));
    Each += Rows;
  }
  return All;
}

} // namespace blockmaestro::openmp
