// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceData.h"

#include "HostConstants.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace blockmaestro::openmp {
namespace {

using Guard = std::lock_guard<std::mutex>;

/// The host's pointer at Where.
HostAddress pointerAt(HostAddress Where) {
  HostAddress Out = 0;
  std::memcpy(&Out, reinterpret_cast<const void *>(Where), sizeof(Out));
  return Out;
}

/// A struct of which only a part is mapped begins where its members are aligned
/// as on the host.
uint64_t paddingOf(const MapItem &Item) {
  constexpr uint64_t MostAlignment = 16;
  if (!Item.HoldsMembers || Item.Base == 0)
    return 0;
  const uint64_t OfBase = Item.Base & (~Item.Base + 1);
  return Item.Begin % std::min(MostAlignment, OfBase);
}

std::string hexadecimal(uint64_t Number) {
  char Text[24];
  std::snprintf(Text, sizeof(Text), "0x%llx",
                static_cast<unsigned long long>(Number));
  return Text;
}

std::string rangeText(HostAddress Begin, uint64_t Bytes) {
  return std::to_string(Bytes) + " bytes at " + hexadecimal(Begin);
}

} // namespace

Status mapError(const MapItem &Item, const std::string &Why) {
  const std::string Name = Item.name();
  const std::string What =
      Name.empty() ? rangeText(Item.Begin, Item.Bytes)
                   : Name + " (" + rangeText(Item.Begin, Item.Bytes) + ")";
  return {StatusCode::InvalidArgument, What + " " + Why};
}

bool DeviceData::Entering::isNew(HostAddress Where) const {
  for (const auto &[Begin, End] : New)
    if (Where >= Begin && Where < End)
      return true;
  return false;
}

Result<DeviceData::Counterpart>
DeviceData::create(const MapItem &Item, uint64_t Padding, Entering &State) {
  Result<DeviceAddress> Made = Memory.allocate(Padding + Item.Bytes);
  if (!Made.ok())
    return mapError(Item, "cannot be mapped: " + Made.status().message());
  Mapping New;
  New.Base = std::min(Item.Base, Item.Begin);
  New.Begin = Item.Begin;
  New.End = Item.Begin + Item.Bytes;
  New.Allocation = *Made;
  New.Device = *Made + Padding;
  New.Name = Item.name();
  New.count(Item.Type & MapHold);
  State.New.emplace_back(New.Begin, New.End);
  return Counterpart{&Known.add(std::move(New)), true};
}

/// The counterpart of Item, made where there is none, and one use more of it
/// with Count.
Result<DeviceData::Counterpart> DeviceData::provide(const MapItem &Item,
                                                    bool Count,
                                                    uint64_t Padding,
                                                    Entering &State) {
  const FoundMapping Found = Known.find(Item.Begin, Item.Bytes);
  if (Found.In && (Found.Whole || Item.Type & MapImplicit)) {
    if (Count)
      Found.In->count(Item.Type & MapHold);
    return Counterpart{Found.In, false};
  }
  if (Found.In)
    return mapError(
        Item,
        "overlaps but is not within " +
            rangeText(Found.In->Begin, Found.In->End - Found.In->Begin) +
            (Found.In->Name.empty() ? std::string() : " of " + Found.In->Name) +
            " that are on the device already");
  if (Item.Type & MapPresent)
    return mapError(Item, "is not on the device, as `present` demands");
  if (Item.Bytes == 0)
    return Counterpart{};
  if (int64_t(Item.Bytes) < 0)
    return mapError(Item, "has a negative length");
  if (Item.Begin == 0)
    return mapError(Item, "begins at a null pointer");
  return create(Item, Padding, State);
}

/// The pointer at the base of an item that is mapped together with what it
/// points to.
Status DeviceData::enterPointer(const MapItem &Item, Entering &State) {
  MapItem Pointer = Item;
  Pointer.Begin = Item.Base;
  Pointer.Bytes = sizeof(void *);
  const bool Count = parentOf(Item.Type) < 0;
  const Result<Counterpart> Of = provide(Pointer, Count, 0, State);
  return Of.ok() ? Status() : Of.status();
}

void DeviceData::giveBack(const MapItem &Item, const Mapping *In) {
  if (!Item.Returned)
    return;
  const HostAddress Base =
      Item.Type & MapPointerAndObject ? pointerAt(Item.Base) : Item.Base;
  const uint64_t Delta = Item.Begin - Base;
  const uint64_t Begin = In ? In->deviceOf(Item.Begin)
                         : Item.Type & MapNullWhereAbsent ? 0
                                                          : Item.Begin;
  *Item.Returned = reinterpret_cast<void *>(Begin - Delta);
}

Status DeviceData::enterItem(const MapItem &Item, Entering &State) {
  if (Item.Type & (MapLiteral | MapPrivate))
    return {};
  if (Item.Type & MapAttach) {
    State.Attachments.push_back(Item);
    return {};
  }
  MapItem Data = Item;
  if (Item.Type & MapPointerAndObject) {
    if (Status Entered = enterPointer(Item, State); !Entered.ok())
      return Entered;
    Data.Base = pointerAt(Item.Base);
  }
  const Result<Counterpart> Of =
      provide(Data, Item.Counted, paddingOf(Item), State);
  if (!Of.ok())
    return Of.status();
  giveBack(Item, Of->In);
  if (!Of->In)
    return {};
  const bool Copies =
      Of->New || Item.Type & MapAlways || State.isNew(Item.Begin);
  if (Item.Type & MapTo && Copies)
    if (Status Copied = copyTo(*Of->In, Item.Begin, Item.Bytes); !Copied.ok())
      return Copied;
  if (!(Item.Type & MapPointerAndObject))
    return {};
  const FoundMapping Pointer = Known.find(Item.Base, sizeof(void *));
  return attach(*Pointer.In, Item.Base, sizeof(void *), Item.Begin,
                Of->In->deviceOf(Item.Begin));
}

/// The pointer at Pointer gets the counterpart of its value, where Counterpart
/// is that of Target, which it points to or around. Of what is Bytes long and
/// begins with it (a descriptor) the rest comes as it is.
Status DeviceData::attach(Mapping &Of, HostAddress Pointer, size_t Bytes,
                          HostAddress Target, DeviceAddress Counterpart) {
  const AttachedPointer New{Counterpart - (Target - pointerAt(Pointer)), Bytes};
  Of.Pointers[Pointer] = New;
  std::vector<uint8_t> Image(Bytes);
  std::memcpy(Image.data(), reinterpret_cast<const void *>(Pointer), Bytes);
  std::memcpy(Image.data(), &New.Target, sizeof(New.Target));
  return Memory.toDevice(Of.deviceOf(Pointer), Image.data(), Bytes);
}

/// Pointers are attached when all else is there: where one of the two is new,
/// or always.
Status DeviceData::attachAll(const Entering &State) {
  for (const MapItem &Item : State.Attachments) {
    if (!(Item.Type & MapAlways) && !State.isNew(Item.Begin) &&
        !State.isNew(Item.Base))
      continue;
    const FoundMapping Target = Known.find(Item.Begin, 0);
    const FoundMapping Pointer = Known.find(Item.Base, Item.Bytes);
    if (!Target.In || !Pointer.In || !Pointer.Whole)
      continue;
    if (Status Made = attach(*Pointer.In, Item.Base, Item.Bytes, Item.Begin,
                             Target.In->deviceOf(Item.Begin));
        !Made.ok())
      return Made;
  }
  return {};
}

Status DeviceData::enterAll(const std::vector<MapItem> &Items) {
  Entering State;
  for (const MapItem &Each : Items)
    if (Status Entered = enterItem(Each, State); !Entered.ok())
      return Entered;
  return attachAll(State);
}

Status DeviceData::enter(const MapList &List) {
  const std::vector<MapItem> Items = itemsOf(List);
  Guard Held(Lock);
  return enterAll(Items);
}

Status DeviceData::leaveItem(const MapItem &Item,
                             std::vector<HostAddress> &Left) {
  if (Item.Type & (MapLiteral | MapPrivate | MapAttach))
    return {};
  const bool Hold = Item.Type & MapHold;
  const FoundMapping Found = Known.find(Item.Begin, Item.Bytes);
  if (!Found.In || !(Found.Whole || Item.Type & MapImplicit)) {
    if (Item.Type & MapPresent)
      return mapError(Item, "is not on the device, as `present` demands");
    return {};
  }
  Mapping &In = *Found.In;
  if (Item.Type & MapDelete)
    (Hold ? In.Held : In.Count) = 0;
  const bool Last = Item.Type & MapDelete ? !In.isUsed() : In.isLast(Hold);
  if (Item.Type & MapFrom && (Last || Item.Type & MapAlways) &&
      !(Item.Type & MapImplicit && isConstant(Item.Begin)))
    if (Status Copied = copyFrom(In, Item.Begin, Item.Bytes); !Copied.ok())
      return Copied;
  if (Item.Counted)
    In.discount(Hold);
  Left.push_back(In.Begin);
  if (!(Item.Type & MapPointerAndObject) || parentOf(Item.Type) >= 0)
    return {};
  if (const FoundMapping Pointer = Known.find(Item.Base, sizeof(void *));
      Pointer.In) {
    Pointer.In->discount(Hold);
    Left.push_back(Pointer.In->Begin);
  }
  return {};
}

/// Frees what nobody uses any more.
Status DeviceData::removeUnused(const std::vector<HostAddress> &Left) {
  for (const HostAddress Each : Left) {
    const Mapping *In = Known.at(Each);
    if (!In || In->isUsed())
      continue;
    const DeviceAddress Allocation = In->Allocation;
    Known.remove(Each);
    if (Allocation)
      if (Status Released = Memory.release(Allocation); !Released.ok())
        return Released;
  }
  return {};
}

Status DeviceData::leaveAll(const std::vector<MapItem> &Items) {
  std::vector<HostAddress> Left;
  for (auto Each = Items.rbegin(); Each != Items.rend(); ++Each)
    if (Status Done = leaveItem(*Each, Left); !Done.ok())
      return Done;
  return removeUnused(Left);
}

Status DeviceData::leave(const MapList &List) {
  const std::vector<MapItem> Items = itemsOf(List);
  Guard Held(Lock);
  return leaveAll(Items);
}

/// Attached pointers in the range keep what the device has. What of the range
/// is not in the mapping stays as it is.
Status DeviceData::copyTo(const Mapping &In, HostAddress Begin,
                          uint64_t Bytes) {
  const HostAddress End = std::min(Begin + Bytes, In.End);
  Begin = std::max(Begin, In.Begin);
  if (Begin >= End)
    return {};
  Status Done = Memory.toDevice(
      In.deviceOf(Begin), reinterpret_cast<const void *>(Begin), End - Begin);
  for (auto Each = In.Pointers.lower_bound(Begin);
       Done.ok() && Each != In.Pointers.end() && Each->first < End; ++Each)
    Done = Memory.toDevice(In.deviceOf(Each->first), &Each->second.Target,
                           sizeof(DeviceAddress));
  return Done;
}

/// Attached pointers in the range keep what the host has. What of the range is
/// not in the mapping stays as it is.
Status DeviceData::copyFrom(const Mapping &In, HostAddress Begin,
                            uint64_t Bytes) {
  const HostAddress End = std::min(Begin + Bytes, In.End);
  Begin = std::max(Begin, In.Begin);
  if (Begin >= End)
    return {};
  std::vector<std::pair<HostAddress, std::vector<uint8_t>>> Kept;
  for (auto Each = In.Pointers.lower_bound(Begin);
       Each != In.Pointers.end() && Each->first < End; ++Each) {
    const auto *Host = reinterpret_cast<const uint8_t *>(Each->first);
    Kept.emplace_back(Each->first,
                      std::vector<uint8_t>(Host, Host + Each->second.Bytes));
  }
  Status Done = Memory.fromDevice(reinterpret_cast<void *>(Begin),
                                  In.deviceOf(Begin), End - Begin);
  for (const auto &[Where, Content] : Kept)
    std::memcpy(reinterpret_cast<void *>(Where), Content.data(),
                Content.size());
  return Done;
}

Status DeviceData::updateRange(const MapItem &Item, HostAddress Begin,
                               uint64_t Bytes) {
  const FoundMapping Found = Known.find(Begin, Bytes);
  if (!Found.In || !Found.Whole) {
    MapItem Part = Item;
    Part.Begin = Begin;
    Part.Bytes = Bytes;
    if (Item.Type & MapPresent)
      return mapError(Part, "is not on the device, as `present` demands");
    return {};
  }
  Status Done;
  if (Item.Type & MapTo)
    Done = copyTo(*Found.In, Begin, Bytes);
  if (Done.ok() && Item.Type & MapFrom)
    Done = copyFrom(*Found.In, Begin, Bytes);
  return Done;
}

/// Note [Lower bounds of strided sections]
/// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
/// The last dimension is an element. clang 22 counts a lower bound in elements
/// of its dimension, and a stride in bytes between the elements that are meant:
/// A[3:5:4] of int is {3, 5, 16}, {0, 1, 4}. In the innermost dimension the
/// bytes of an element are known. Further out they are the stride, which is
/// right unless the program gives one other than 1 and a lower bound other than
/// 0 there; the two cannot be told apart here.

/// The part of a strided section from Where on, of this dimension and those
/// within.
Status DeviceData::updateStrided(const MapItem &Item, uint64_t Dimension,
                                 HostAddress Where) {
  const auto *All = reinterpret_cast<const StridedDimension *>(Item.Begin);
  const StridedDimension &Here = All[Dimension];
  const uint64_t Last = Item.Bytes - 1;
  const uint64_t ElementBytes = All[Last].Count * All[Last].Stride;
  if (Dimension == Last)
    return updateRange(Item, Where, ElementBytes);
  const bool Innermost = Dimension + 1 == Last;
  Where += Here.Offset * (Innermost ? ElementBytes : Here.Stride);
  if (Innermost && Here.Stride == ElementBytes)
    return updateRange(Item, Where, Here.Count * ElementBytes);
  Status Done;
  for (uint64_t I = 0; Done.ok() && I < Here.Count; ++I)
    Done = updateStrided(Item, Dimension + 1, Where + I * Here.Stride);
  return Done;
}

Status DeviceData::updateItem(const MapItem &Item) {
  if (Item.Type & (MapLiteral | MapPrivate | MapAttach))
    return {};
  if (Item.Type & MapStrided)
    return Item.Bytes ? updateStrided(Item, 0, Item.Base) : Status();
  return updateRange(Item, Item.Begin, Item.Bytes);
}

Status DeviceData::update(const MapList &List) {
  const std::vector<MapItem> Items = itemsOf(List);
  Guard Held(Lock);
  for (const MapItem &Each : Items)
    if (Status Done = updateItem(Each); !Done.ok())
      return Done;
  return {};
}

Status DeviceData::associate(HostAddress Host, uint64_t Bytes,
                             DeviceAddress Device, const std::string &Name) {
  Guard Held(Lock);
  const FoundMapping Found = Known.find(Host, Bytes);
  if (Found.In) {
    const bool Same = Found.In->Forever && Found.In->Begin == Host &&
                      Found.In->End - Host == Bytes &&
                      Found.In->Device == Device;
    return Same ? Status()
                : Status(StatusCode::InvalidArgument,
                         rangeText(Host, Bytes) +
                             " has a counterpart on the device already");
  }
  Mapping New;
  New.Base = New.Begin = Host;
  New.End = Host + Bytes;
  New.Device = Device;
  New.Name = Name;
  New.Forever = true;
  Known.add(std::move(New));
  return {};
}

Status DeviceData::disassociate(HostAddress Host) {
  Guard Held(Lock);
  const Mapping *Found = Known.at(Host);
  if (!Found || !Found->Forever || Found->Held != 0)
    return {StatusCode::InvalidArgument,
            hexadecimal(Host) + " was not associated with device memory"};
  Known.remove(Host);
  return {};
}

std::optional<DeviceAddress> DeviceData::deviceAddressOf(HostAddress Host,
                                                         uint64_t Bytes) {
  Guard Held(Lock);
  const FoundMapping Found = Known.find(Host, Bytes);
  if (!Found.In || !Found.Whole)
    return std::nullopt;
  return Found.In->deviceOf(Host);
}

void DeviceData::noteAllocation(DeviceAddress Begin, uint64_t Bytes) {
  Guard Held(Lock);
  if (Bytes != 0)
    Allocations[Begin] = Bytes;
  else
    Allocations.erase(Begin);
}

DeviceRange DeviceData::rangeAround(DeviceAddress Where) {
  Guard Held(Lock);
  if (const Mapping *In = Known.withDevice(Where))
    return {In->Device, In->End - In->Begin};
  const auto Behind = Allocations.upper_bound(Where);
  if (Behind == Allocations.begin())
    return {};
  const auto &[Begin, Bytes] = *std::prev(Behind);
  return Where - Begin < Bytes ? DeviceRange{Begin, Bytes} : DeviceRange();
}

void DeviceData::eachNamed(const std::function<void(DeviceAddress, uint64_t,
                                                    const std::string &)> &Do) {
  Guard Held(Lock);
  for (const auto &[Begin, Each] : Known.all())
    if (!Each.Name.empty())
      Do(Each.Device, Each.End - Begin, Each.Name);
}

} // namespace blockmaestro::openmp
