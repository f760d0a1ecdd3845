// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedReads.h"

#include "ParallelCalls.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr uint64_t FieldBytes = 8;
/// Larger variables stay where they are.
constexpr uint64_t MostBytes = 1024;

/// The loads behind Pointer, by offset; false where it is used otherwise.
bool loadsBehind(Value &Pointer, int64_t Offset, const DataLayout &Layout,
                 SmallVectorImpl<std::pair<int64_t, LoadInst *>> &Out) {
  for (User *By : Pointer.users()) {
    if (auto *Load = dyn_cast<LoadInst>(By)) {
      Out.push_back({Offset, Load});
    } else if (auto *Gep = dyn_cast<GetElementPtrInst>(By)) {
      APInt Further(64, 0);
      if (!Gep->accumulateConstantOffset(Layout, Further) ||
          !loadsBehind(*Gep, Offset + Further.getSExtValue(), Layout, Out))
        return false;
    } else if (!isa<LifetimeIntrinsic>(By) && !isa<AssumeInst>(By)) {
      return false;
    }
  }
  return true;
}

/// What is read of each field's variable; nothing: not known.
using FieldReads = std::map<int64_t, std::optional<uint64_t>>;

bool readFields(LoadInst &Shareds, const DataLayout &Layout, FieldReads &Out) {
  SmallVector<std::pair<int64_t, LoadInst *>> Fields;
  if (!loadsBehind(Shareds, 0, Layout, Fields))
    return false;
  for (auto [Offset, Field] : Fields) {
    if (uint64_t(Offset) % FieldBytes != 0 || !Field->getType()->isPointerTy())
      return false;
    const std::optional<uint64_t> Bytes = bytesReadOnly(*Field);
    auto [Known, New] = Out.try_emplace(Offset, Bytes);
    if (!New)
      Known->second = Bytes && Known->second
                          ? std::optional(std::max(*Bytes, *Known->second))
                          : std::nullopt;
  }
  return true;
}

} // namespace

std::vector<CopiedVariable> findSharedReads(Function &Code,
                                            uint64_t SharedsBytes) {
  const DataLayout &Layout = Code.getDataLayout();
  SmallVector<std::pair<int64_t, LoadInst *>> OfRecord;
  if (!loadsBehind(*Code.getArg(0), 0, Layout, OfRecord))
    return {};
  FieldReads Fields;
  for (auto [Offset, Load] : OfRecord)
    if (Offset == 0 &&
        !(Load->getType()->isPointerTy() && readFields(*Load, Layout, Fields)))
      return {};
  std::vector<CopiedVariable> Copies;
  for (uint64_t Field = 0; Field + FieldBytes <= SharedsBytes;
       Field += FieldBytes) {
    const auto Known = Fields.find(int64_t(Field));
    CopiedVariable Copy;
    Copy.Field = uint32_t(Field);
    if (Known != Fields.end()) {
      if (!Known->second || *Known->second > MostBytes)
        continue;
      Copy.Bytes = uint32_t(*Known->second);
    }
    Copies.push_back(Copy);
  }
  return Copies;
}

} // namespace blockmaestro
