// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceData.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro::openmp {
namespace {

using Guard = std::lock_guard<std::mutex>;

/// Where private variables begin, as any type of the host's may be aligned.
constexpr uint64_t PrivateAlignment = 64;

bool isPrivateArgument(const MapItem &Item) {
  return Item.Type & MapParameter && Item.Type & MapPrivate &&
         !(Item.Type & MapLiteral);
}

/// An item of a lambda's captures that only says where a pointer in it shall
/// point to.
bool isCapture(const MapItem &Item) {
  constexpr uint64_t Capture = MapPointerAndObject | MapLiteral | MapImplicit;
  return (Item.Type & Capture) == Capture && !(Item.Type & MapParameter);
}

HostAddress pointerAt(HostAddress Where) {
  HostAddress Out = 0;
  std::memcpy(&Out, reinterpret_cast<const void *>(Where), sizeof(Out));
  return Out;
}

/// Of a private pointer that is attached the base is where it lies, and the
/// beginning what it points to.
HostAddress originalOf(const MapItem &Private) {
  return Private.Type & MapAttach ? Private.Base : Private.Begin;
}

} // namespace

/// Writes the first value of a private variable, where it has one.
void DeviceData::fillPrivate(const MapItem &Item, std::vector<uint8_t> &To,
                             uint64_t Offset) {
  if (!(Item.Type & (MapTo | MapAttach)))
    return;
  std::memcpy(To.data() + Offset,
              reinterpret_cast<const void *>(originalOf(Item)), Item.Bytes);
  if (!(Item.Type & MapAttach))
    return;
  const FoundMapping Target =
      Item.Begin ? Known.find(Item.Begin, 0) : FoundMapping();
  if (!Target.In)
    return;
  const DeviceAddress Value =
      Target.In->deviceOf(Item.Begin) - (Item.Begin - pointerAt(Item.Base));
  std::memcpy(To.data() + Offset, &Value, sizeof(Value));
}

/// Gives private variables memory, all in one allocation; Places has a place
/// for each item.
Status DeviceData::placePrivates(const std::vector<MapItem> &Items,
                                 std::vector<DeviceAddress> &Places,
                                 RegionArguments &Out) {
  uint64_t Bytes = 0;
  std::vector<uint64_t> Offsets(Items.size(), 0);
  for (size_t I = 0; I < Items.size(); ++I)
    if (isPrivateArgument(Items[I])) {
      Offsets[I] = Bytes;
      Bytes += std::max<uint64_t>(Items[I].Bytes, 1);
      Bytes = (Bytes + PrivateAlignment - 1) & ~(PrivateAlignment - 1);
    }
  if (Bytes == 0)
    return {};
  Result<DeviceAddress> Made = Memory.allocate(Bytes);
  if (!Made.ok())
    return {StatusCode::OutOfMemory,
            "no memory for private variables: " + Made.status().message()};
  Out.Private = *Made;
  std::vector<uint8_t> Image(Bytes);
  for (size_t I = 0; I < Items.size(); ++I)
    if (isPrivateArgument(Items[I])) {
      fillPrivate(Items[I], Image, Offsets[I]);
      Places[I] = *Made + Offsets[I];
    }
  return Memory.toDevice(*Made, Image.data(), Bytes);
}

/// Captures of lambdas that are arguments point to counterparts, where their
/// targets have one.
Status DeviceData::pointLambdas(
    const std::vector<MapItem> &Items,
    const std::vector<std::optional<uint64_t>> &Arguments) {
  for (const MapItem &Item : Items) {
    const int Parent = parentOf(Item.Type);
    if (!isCapture(Item) || Parent < 0 || size_t(Parent) >= Items.size() ||
        !Arguments[size_t(Parent)])
      continue;
    const FoundMapping Target = Known.find(Item.Begin, Item.Bytes);
    if (!Target.In || !Target.Whole)
      continue;
    const uint64_t Value = Target.In->deviceOf(Item.Begin);
    const DeviceAddress Where =
        *Arguments[size_t(Parent)] + (Item.Base - Items[size_t(Parent)].Begin);
    if (Status Done = Memory.toDevice(Where, &Value, sizeof(Value)); !Done.ok())
      return Done;
  }
  return {};
}

/// The kernel's argument for Item; Place is that of a private variable.
uint64_t DeviceData::argumentOf(const MapItem &Item, DeviceAddress Place) {
  if (Item.Type & MapLiteral)
    return Item.Base;
  if (Item.Type & MapPrivate)
    return Place + (Item.Base - originalOf(Item));
  const HostAddress Base =
      Item.Type & MapPointerAndObject ? pointerAt(Item.Base) : Item.Base;
  const FoundMapping Found = Known.find(Item.Begin, Item.Bytes);
  return Base - Item.Begin +
         (Found.In ? Found.In->deviceOf(Item.Begin) : Item.Begin);
}

/// Whether nothing is made or moved for an item of the type where data is
/// there: it is that data alone, a value, or the pointer to data.
static bool isPlain(uint64_t Type) {
  constexpr uint64_t Plain =
      MapTo | MapFrom | MapParameter | MapLiteral | MapImplicit;
  return (Type & ~Plain) == 0 || Type == MapAttach;
}

/// Of the plain ones.
static bool isData(uint64_t Type) { return !(Type & (MapLiteral | MapAttach)); }

/// Whether nothing is made or moved for any item of List.
bool DeviceData::isThere(const MapList &List) {
  for (uint32_t I = 0; I < List.Count; ++I) {
    const uint64_t Type = uint64_t(List.Types[I]);
    if (!isPlain(Type) || (List.Mappers && List.Mappers[I]))
      return false;
    if (isData(Type) &&
        !Known.find(hostAddressOf(List.Begins[I]), uint64_t(List.Sizes[I]))
             .Whole)
      return false;
  }
  return true;
}

/// mapArguments() where all isThere(), as it is in most regions of a program
/// that keeps its data on the device.
RegionArguments DeviceData::argumentsThere(const MapList &List) {
  RegionArguments Out;
  Out.Values.reserve(List.Count);
  for (uint32_t I = 0; I < List.Count; ++I) {
    const uint64_t Type = uint64_t(List.Types[I]);
    uint64_t Value = hostAddressOf(List.Bases[I]);
    if (isData(Type)) {
      const HostAddress Begin = hostAddressOf(List.Begins[I]);
      Mapping &In = *Known.find(Begin, uint64_t(List.Sizes[I])).In;
      In.count(/*Hold=*/false);
      Value += In.deviceOf(Begin) - Begin;
    }
    if (Type & MapParameter)
      Out.Values.push_back(Value);
  }
  return Out;
}

Result<RegionArguments> DeviceData::mapArguments(const MapList &List) {
  if (Guard Held(Lock); isThere(List))
    return argumentsThere(List);
  const std::vector<MapItem> Mapped = itemsOf(List);
  MapList AsWritten = List;
  AsWritten.Mappers = nullptr;
  const std::vector<MapItem> Items = itemsOf(AsWritten);
  Guard Held(Lock);
  if (Status Entered = enterAll(Mapped); !Entered.ok())
    return Entered;
  RegionArguments Out;
  std::vector<DeviceAddress> Places(Items.size(), 0);
  if (Status Placed = placePrivates(Items, Places, Out); !Placed.ok())
    return Placed;
  std::vector<std::optional<uint64_t>> Arguments(Items.size());
  for (size_t I = 0; I < Items.size(); ++I)
    if (Items[I].Type & MapParameter) {
      Arguments[I] = argumentOf(Items[I], Places[I]);
      Out.Values.push_back(*Arguments[I]);
    }
  if (Status Done = pointLambdas(Items, Arguments); !Done.ok())
    return Done;
  return Out;
}

Status DeviceData::unmapArguments(const MapList &List,
                                  const RegionArguments &Made) {
  Status Left = leave(List);
  if (Made.Private)
    if (Status Released = Memory.release(Made.Private);
        Left.ok() && !Released.ok())
      Left = Released;
  return Left;
}

} // namespace blockmaestro::openmp
