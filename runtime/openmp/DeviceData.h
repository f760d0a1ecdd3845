// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a device's data environment: what map clauses, target data
// constructs and omp_target_associate_ptr do to the device's memory.
// On the data's way: TargetCalls and DeviceRoutines -> here -> DeviceMemory.
// Invariants: a construct enters or leaves as a whole before another thread's
// does. A copy never gives the host a device's pointer nor the device a host's
// where pointers were attached. A Status that is not ok says which list item
// could not be mapped; the program is not meant to go on.
// Ownership: owns what it allocates on the device until it is unmapped.
// Threads: any; one lock, held while data is copied.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_DEVICEDATA_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_DEVICEDATA_H

#include "MapItems.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace blockmaestro::openmp {

/// The arguments of a kernel behind its first, and what they hold until it has
/// ended. Each is 8 bytes: an address of the device, or a value.
struct RegionArguments {
  std::vector<uint64_t> Values;
  DeviceAddress Private = 0; ///< Memory of private variables; 0 for none.
};

class DeviceData {
public:
  explicit DeviceData(DeviceMemory &Memory) : Memory(Memory) {}

  Status enter(const MapList &List);
  Status leave(const MapList &List);
  Status update(const MapList &List);

  /// Enters List, the items of a target construct, and makes its arguments.
  Result<RegionArguments> mapArguments(const MapList &List);
  /// Leaves List when the region has run.
  Status unmapArguments(const MapList &List, const RegionArguments &Made);

  /// Host stands for Device from now on, without end. Fails where a part of it
  /// stands for something else.
  Status associate(HostAddress Host, uint64_t Bytes, DeviceAddress Device,
                   const std::string &Name);
  Status disassociate(HostAddress Host);

  /// The counterpart of Host; nothing where it has none.
  std::optional<DeviceAddress> deviceAddressOf(HostAddress Host,
                                               uint64_t Bytes = 0);

  /// The program has memory of the device itself; no bytes: no longer.
  void noteAllocation(DeviceAddress Begin, uint64_t Bytes);
  /// What is known to be memory of the device around Where; no bytes where
  /// nothing is.
  DeviceRange rangeAround(DeviceAddress Where);
  /// Memory of the device that has a name in the program.
  void eachNamed(const std::function<void(DeviceAddress, uint64_t,
                                          const std::string &)> &Do);

private:
  /// What one construct has done so far.
  struct Entering {
    std::vector<MapItem> Attachments;
    std::vector<std::pair<HostAddress, HostAddress>> New;

    bool isNew(HostAddress Where) const;
  };
  /// A counterpart; no mapping where there is none, and no error.
  struct Counterpart {
    Mapping *In = nullptr;
    bool New = false;
  };

  Status enterAll(const std::vector<MapItem> &Items);
  Status enterItem(const MapItem &Item, Entering &State);
  Status enterPointer(const MapItem &Item, Entering &State);
  Result<Counterpart> provide(const MapItem &Item, bool Count, uint64_t Padding,
                              Entering &State);
  Result<Counterpart> create(const MapItem &Item, uint64_t Padding,
                             Entering &State);
  Status attachAll(const Entering &State);
  Status attach(Mapping &Of, HostAddress Pointer, size_t Bytes,
                HostAddress Target, DeviceAddress Counterpart);
  void giveBack(const MapItem &Item, const Mapping *In);

  Status leaveAll(const std::vector<MapItem> &Items);
  Status leaveItem(const MapItem &Item, std::vector<HostAddress> &Left);
  Status removeUnused(const std::vector<HostAddress> &Left);

  Status updateItem(const MapItem &Item);
  Status updateStrided(const MapItem &Item, uint64_t Dimension,
                       HostAddress Where);
  Status updateRange(const MapItem &Item, HostAddress Begin, uint64_t Bytes);

  Status copyTo(const Mapping &In, HostAddress Begin, uint64_t Bytes);
  Status copyFrom(const Mapping &In, HostAddress Begin, uint64_t Bytes);

  bool isThere(const MapList &List);
  RegionArguments argumentsThere(const MapList &List);
  Status placePrivates(const std::vector<MapItem> &Items,
                       std::vector<DeviceAddress> &Places,
                       RegionArguments &Out);
  void fillPrivate(const MapItem &Item, std::vector<uint8_t> &To,
                   uint64_t Offset);
  uint64_t argumentOf(const MapItem &Item, DeviceAddress Place);
  Status pointLambdas(const std::vector<MapItem> &Items,
                      const std::vector<std::optional<uint64_t>> &Arguments);

  DeviceMemory &Memory;
  std::mutex Lock;
  Mappings Known;
  std::map<DeviceAddress, uint64_t> Allocations; ///< Of the program, in bytes.
};

/// Why Item cannot be mapped, naming it as the source does where that is known.
Status mapError(const MapItem &Item, const std::string &Why);

} // namespace blockmaestro::openmp

#endif
