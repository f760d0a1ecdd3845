// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mappings.h"

#include <utility>

namespace blockmaestro::openmp {

bool Mapping::isLast(bool Hold) const {
  if (Forever)
    return false;
  return Hold ? Held == 1 && Count == 0 : Count <= 1 && Held == 0;
}

void Mapping::discount(bool Hold) {
  uint64_t &Uses = Hold ? Held : Count;
  if (!Forever && Uses > 0)
    --Uses;
}

/// Sections without bytes: in a mapping, or before its beginning in the same
/// variable.
FoundMapping Mappings::findPlace(HostAddress Where) {
  auto Next = All.upper_bound(Where);
  if (Next != All.begin())
    if (Mapping &Before = std::prev(Next)->second; Where < Before.End)
      return {&Before, true};
  if (Next != All.end() && Where >= Next->second.Base)
    return {&Next->second, true};
  return {};
}

FoundMapping Mappings::find(HostAddress Begin, uint64_t Bytes) {
  if (Bytes == 0)
    return findPlace(Begin);
  auto Next = All.upper_bound(Begin);
  if (Next != All.begin())
    if (Mapping &Before = std::prev(Next)->second; Begin < Before.End)
      return {&Before, Bytes <= Before.End - Begin};
  if (Next != All.end() && Next->first - Begin < Bytes)
    return {&Next->second, false};
  return {};
}

Mapping &Mappings::add(Mapping New) {
  const HostAddress Begin = New.Begin;
  ByDevice[New.Device] = Begin;
  return All.insert_or_assign(Begin, std::move(New)).first->second;
}

void Mappings::remove(HostAddress Begin) {
  const auto Found = All.find(Begin);
  if (Found == All.end())
    return;
  const auto Device = ByDevice.find(Found->second.Device);
  if (Device != ByDevice.end() && Device->second == Begin)
    ByDevice.erase(Device);
  All.erase(Found);
}

const Mapping *Mappings::withDevice(DeviceAddress Where) const {
  const auto Behind = ByDevice.upper_bound(Where);
  if (Behind == ByDevice.begin())
    return nullptr;
  const auto Found = All.find(std::prev(Behind)->second);
  if (Found == All.end())
    return nullptr;
  const Mapping &In = Found->second;
  return Where - In.Device < In.End - In.Begin ? &In : nullptr;
}

Mapping *Mappings::at(HostAddress Begin) {
  auto Found = All.find(Begin);
  return Found == All.end() ? nullptr : &Found->second;
}

} // namespace blockmaestro::openmp
