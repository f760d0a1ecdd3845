// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pools.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

Pools::Pools() { Default = Current = create(UINT64_MAX); }

/// One that still has its handle. The caller holds the lock.
Pool *Pools::find(cudaMemPool_t Which) const {
  auto Found = Known.find(Which);
  bool There = Found != Known.end() && !Found->second->Destroyed;
  return There ? Found->second.get() : nullptr;
}

cudaMemPool_t Pools::currentPool() const {
  Guard Held(Lock);
  return Current;
}

bool Pools::setCurrent(cudaMemPool_t To) {
  Guard Held(Lock);
  if (!find(To))
    return false;
  Current = To;
  return true;
}

bool Pools::exists(cudaMemPool_t Which) const {
  Guard Held(Lock);
  return find(Which);
}

cudaMemPool_t Pools::create(uint64_t Most) {
  auto New = std::make_unique<Pool>();
  New->Most = Most;
  auto Handle = reinterpret_cast<cudaMemPool_t>(New.get());
  Guard Held(Lock);
  Known.emplace(Handle, std::move(New));
  return Handle;
}

bool Pools::destroy(cudaMemPool_t Which) {
  Guard Held(Lock);
  Pool *Old = find(Which);
  if (!Old || Which == Default)
    return false;
  if (Current == Which)
    Current = Default;
  Old->Destroyed = true;
  if (Old->Used == 0)
    Known.erase(Which);
  return true;
}

cudaError_t Pools::take(cudaMemPool_t Which, uint64_t Bytes) {
  Guard Held(Lock);
  Pool *From = find(Which);
  if (!From)
    return cudaErrorInvalidValue;
  if (Bytes > From->Most - From->Used)
    return cudaErrorMemoryAllocation;
  From->Used += Bytes;
  From->UsedHigh = std::max(From->UsedHigh, From->Used);
  From->ReservedHigh = std::max(From->ReservedHigh, From->Used);
  return cudaSuccess;
}

void Pools::giveBack(cudaMemPool_t Which, uint64_t Bytes) {
  Guard Held(Lock);
  auto Found = Known.find(Which);
  if (Found == Known.end())
    return;
  Found->second->Used -= Bytes;
  if (Found->second->Destroyed && Found->second->Used == 0)
    Known.erase(Found);
}

namespace {

/// Where an attribute of a pool is kept: one of the two is set.
struct AttributeRow {
  cudaMemPoolAttr Which;
  int Pool::*Switch;
  uint64_t Pool::*Bytes;
  bool OnlyToZero; ///< High-water marks.
  bool Writable;
};

constexpr AttributeRow Attributes[] = {
    {cudaMemPoolReuseFollowEventDependencies, &Pool::ReuseFollowEvents, nullptr,
     false, true},
    {cudaMemPoolReuseAllowOpportunistic, &Pool::ReuseOpportunistic, nullptr,
     false, true},
    {cudaMemPoolReuseAllowInternalDependencies, &Pool::ReuseInternal, nullptr,
     false, true},
    {cudaMemPoolAttrReleaseThreshold, nullptr, &Pool::ReleaseThreshold, false,
     true},
    {cudaMemPoolAttrReservedMemCurrent, nullptr, &Pool::Used, false, false},
    {cudaMemPoolAttrReservedMemHigh, nullptr, &Pool::ReservedHigh, true, true},
    {cudaMemPoolAttrUsedMemCurrent, nullptr, &Pool::Used, false, false},
    {cudaMemPoolAttrUsedMemHigh, nullptr, &Pool::UsedHigh, true, true},
};

const AttributeRow *rowOf(cudaMemPoolAttr Which) {
  auto Found = std::find_if(
      std::begin(Attributes), std::end(Attributes),
      [&](const AttributeRow &Each) { return Each.Which == Which; });
  return Found == std::end(Attributes) ? nullptr : Found;
}

} // namespace

cudaError_t Pools::get(cudaMemPool_t Which, cudaMemPoolAttr What,
                       void *Out) const {
  Guard Held(Lock);
  const Pool *From = find(Which);
  const AttributeRow *Row = rowOf(What);
  if (!From || !Row || !Out)
    return cudaErrorInvalidValue;
  if (Row->Switch)
    *static_cast<int *>(Out) = From->*Row->Switch;
  else
    *static_cast<uint64_t *>(Out) = From->*Row->Bytes;
  return cudaSuccess;
}

cudaError_t Pools::set(cudaMemPool_t Which, cudaMemPoolAttr What,
                       const void *To) {
  Guard Held(Lock);
  Pool *Of = find(Which);
  const AttributeRow *Row = rowOf(What);
  if (!Of || !Row || !To || !Row->Writable)
    return cudaErrorInvalidValue;
  if (Row->Switch) {
    Of->*Row->Switch = *static_cast<const int *>(To) != 0;
    return cudaSuccess;
  }
  uint64_t Value = *static_cast<const uint64_t *>(To);
  if (Row->OnlyToZero && Value != 0)
    return cudaErrorInvalidValue;
  Of->*Row->Bytes = Row->OnlyToZero ? Of->Used : Value;
  return cudaSuccess;
}

void Pools::clear() {
  Guard Held(Lock);
  auto Kept = Known.extract(Default);
  Known.clear();
  *Kept.mapped() = Pool();
  Known.insert(std::move(Kept));
  Current = Default;
}

} // namespace blockmaestro::emulated
