// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceHeap.h"

#include <iterator>
#include <utility>

namespace blockmaestro {

using Guard = std::unique_lock<std::mutex>;

static uintptr_t number(const void *Address) {
  return reinterpret_cast<uintptr_t>(Address);
}

static void *pointer(uintptr_t Address) {
  return reinterpret_cast<void *>(Address);
}

/// An entry that is in no map yet, so that putting it in cannot fail.
static std::map<uintptr_t, HeapArea>::node_type entryFor(uintptr_t Base,
                                                         HeapArea What) {
  std::map<uintptr_t, HeapArea> Alone;
  What.Base = Base;
  Alone.emplace(Base, What);
  return Alone.extract(Alone.begin());
}

void DeviceHeap::listen(HeapListener *To) {
  Guard Held(Lock);
  Listener = To;
}

/// Returns whom to tell of it. The caller holds the lock.
HeapListener *DeviceHeap::insert(Areas::node_type Node) {
  HeapArea &New = Node.mapped();
  New.Id = ++LastId;
  if (counts(New.Kind))
    Used += New.Bytes;
  Known.insert(std::move(Node));
  return Listener;
}

cudaError_t DeviceHeap::allocate(const HeapRequest &What, void **Out) {
  if (!Out)
    return cudaErrorInvalidValue;
  *Out = nullptr;
  if (What.Bytes == 0)
    return cudaSuccess;
  Areas::node_type Node =
      entryFor(0, {0, What.Bytes, What.Kind, What.Flags, What.Pool, false, 0});
  Guard Held(Lock);
  if (What.Bytes > Capacity ||
      (counts(What.Kind) && What.Bytes > Capacity - Used))
    return cudaErrorMemoryAllocation;
  void *Address = Arena.allocate(What.Bytes);
  if (!Address)
    return cudaErrorMemoryAllocation;
  Node.key() = Node.mapped().Base = number(Address);
  HeapListener *To = insert(std::move(Node));
  Held.unlock();
  if (To)
    To->allocated(number(Address), What.Bytes, What.Call);
  *Out = Address;
  return cudaSuccess;
}

cudaError_t DeviceHeap::add(void *Address, size_t Bytes, unsigned Flags) {
  uintptr_t Base = number(Address);
  if (!Address || Bytes == 0 || Base + Bytes < Base)
    return cudaErrorInvalidValue;
  Areas::node_type Node = entryFor(
      Base, {Base, Bytes, HeapKind::Registered, Flags, nullptr, false, 0});
  Guard Held(Lock);
  auto Inside = at(Base);
  if (Inside != Known.end() && counts(Inside->second.Kind))
    return cudaErrorInvalidValue;
  auto Next = Known.lower_bound(Base);
  bool Overlaps = (Next != Known.end() && Next->first < Base + Bytes) ||
                  Inside != Known.end();
  if (Overlaps)
    return cudaErrorHostMemoryAlreadyRegistered;
  HeapListener *To = insert(std::move(Node));
  Held.unlock();
  if (To)
    To->allocated(Base, Bytes, "cudaHostRegister");
  return cudaSuccess;
}

cudaError_t DeviceHeap::badRelease(void *Address, const char *Call) {
  Guard Held(Lock);
  HeapListener *To = Listener;
  Held.unlock();
  if (To)
    To->badRelease(number(Address), Call);
  return cudaErrorInvalidValue;
}

/// The area is in no map any more; its memory goes back, or to the listener.
cudaError_t DeviceHeap::giveBack(Areas::node_type Node, HeapListener *To,
                                 const char *Call) {
  const HeapArea &Old = Node.mapped();
  bool Kept = To && To->released(Old.Base, Call);
  if (!Kept && Old.Kind != HeapKind::Registered)
    reclaim(Old.Base);
  return cudaSuccess;
}

cudaError_t DeviceHeap::release(HeapKind Kind, void *Address,
                                const char *Call) {
  if (!Address)
    return cudaSuccess;
  Guard Held(Lock);
  auto Found = Known.find(number(Address));
  auto Matches = [&](HeapKind Its) {
    return Its == Kind ||
           (Its == HeapKind::Managed && Kind == HeapKind::Device);
  };
  if (Found == Known.end() || !Matches(Found->second.Kind)) {
    Held.unlock();
    return badRelease(Address, Call);
  }
  if (counts(Found->second.Kind))
    Used -= Found->second.Bytes;
  Areas::node_type Node = Known.extract(Found);
  HeapListener *To = Listener;
  Held.unlock();
  return giveBack(std::move(Node), To, Call);
}

cudaError_t DeviceHeap::retire(void *Address, const char *Call) {
  Guard Held(Lock);
  auto Found = Known.find(number(Address));
  if (Found == Known.end() || Found->second.Kind != HeapKind::Device ||
      Found->second.Retiring) {
    Held.unlock();
    return badRelease(Address, Call);
  }
  Found->second.Retiring = true;
  return cudaSuccess;
}

void DeviceHeap::keepRetired(void *Address) {
  Guard Held(Lock);
  auto Found = Known.find(number(Address));
  if (Found != Known.end())
    Found->second.Retiring = false;
}

bool DeviceHeap::releaseRetired(void *Address, uint64_t Id) {
  {
    Guard Held(Lock);
    auto Found = Known.find(number(Address));
    if (Found == Known.end() || Found->second.Id != Id)
      return false;
  }
  return release(HeapKind::Device, Address, "cudaFreeAsync") == cudaSuccess;
}

void DeviceHeap::reclaim(uint64_t Base) {
  Guard Held(Lock);
  Arena.release(pointer(Base));
}

/// The area that the address is in, or the end. The caller holds the lock.
DeviceHeap::Areas::const_iterator DeviceHeap::at(uintptr_t Address) const {
  auto Next = Known.upper_bound(Address);
  if (Next == Known.begin())
    return Known.end();
  auto Before = std::prev(Next);
  return Address - Before->first < Before->second.Bytes ? Before : Known.end();
}

std::optional<HeapArea> DeviceHeap::find(const void *Address) const {
  Guard Held(Lock);
  auto Found = at(number(Address));
  if (Found == Known.end())
    return std::nullopt;
  return Found->second;
}

bool DeviceHeap::holds(const void *Address, size_t Bytes) const {
  std::optional<HeapArea> Found = find(Address);
  return Found && Bytes <= Found->Bytes - (number(Address) - Found->Base);
}

bool DeviceHeap::meets(const void *Address, size_t Bytes) const {
  Guard Held(Lock);
  const auto Begin = reinterpret_cast<uintptr_t>(Address);
  auto Next = Known.lower_bound(Begin);
  return at(Begin) != Known.end() ||
         (Next != Known.end() && Next->first - Begin < Bytes);
}

bool DeviceHeap::overruns(const void *Address, size_t Bytes) const {
  std::optional<HeapArea> Found = find(Address);
  return Found && Bytes > Found->Bytes - (number(Address) - Found->Base);
}

bool DeviceHeap::isDeviceOnly(const void *Address) const {
  std::optional<HeapArea> Found = find(Address);
  return Found && Found->Kind == HeapKind::Device;
}

bool DeviceHeap::isHost(const void *Address) const {
  std::optional<HeapArea> Found = find(Address);
  return Found &&
         (Found->Kind == HeapKind::Host || Found->Kind == HeapKind::Registered);
}

size_t DeviceHeap::free() const {
  Guard Held(Lock);
  return Capacity - Used;
}

void DeviceHeap::clear() {
  Guard Held(Lock);
  Areas Old = std::exchange(Known, Areas());
  Used = 0;
  HeapListener *To = Listener;
  Held.unlock();
  while (!Old.empty())
    (void)giveBack(Old.extract(Old.begin()), To, "cudaDeviceReset");
}

} // namespace blockmaestro
