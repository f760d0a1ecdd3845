// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which host memory has a counterpart on the device, how often it
// was mapped, and which pointers in it were made to point to device memory.
// On the data's way: asked and changed by DeviceData.
// Invariants: ranges of host memory do not overlap. A mapping without end
// (declare target, omp_target_associate_ptr) is never counted down.
// Ownership: knows allocations, frees none. Threads: one at a time.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_MAPPINGS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_MAPPINGS_H

#include "DeviceMemory.h"

#include <map>
#include <string>

namespace blockmaestro::openmp {

using HostAddress = uint64_t;

inline HostAddress hostAddressOf(const void *Pointer) {
  return reinterpret_cast<HostAddress>(Pointer);
}

/// What the device has at a pointer that was attached.
struct AttachedPointer {
  DeviceAddress Target = 0;
  size_t Bytes = sizeof(void *); ///< More for descriptors that begin with it.
};

struct Mapping {
  HostAddress Base = 0; ///< Of the pointer or struct that the range is of.
  HostAddress Begin = 0;
  HostAddress End = 0;
  DeviceAddress Allocation = 0; ///< 0: not ours to free.
  DeviceAddress Device = 0;     ///< The counterpart of Begin.
  std::string Name;             ///< Of the list item; may be empty.
  bool Forever = false;
  uint64_t Count = 0;
  uint64_t Held = 0; ///< By ompx_hold.
  std::map<HostAddress, AttachedPointer> Pointers;

  DeviceAddress deviceOf(HostAddress Host) const {
    return Device + (Host - Begin);
  }
  bool isUsed() const { return Forever || Count + Held != 0; }
  /// Nobody else would use the range if one use went.
  bool isLast(bool Hold) const;
  void count(bool Hold) { ++(Hold ? Held : Count); }
  void discount(bool Hold);
};

struct FoundMapping {
  Mapping *In = nullptr; ///< Null: no byte is mapped.
  bool Whole = false;    ///< All bytes are.
};

class Mappings {
public:
  /// The mapping that has bytes of the range. Nothing is found for no bytes
  /// unless they are in a mapping or between its base and its beginning.
  FoundMapping find(HostAddress Begin, uint64_t Bytes);
  /// The range must not overlap any other.
  Mapping &add(Mapping New);
  void remove(HostAddress Begin);
  /// The mapping that begins there; null for none.
  Mapping *at(HostAddress Begin);
  /// A mapping whose counterpart has the byte; null for none.
  const Mapping *withDevice(DeviceAddress Where) const;
  /// By beginning.
  const std::map<HostAddress, Mapping> &all() const { return All; }

private:
  FoundMapping findPlace(HostAddress Where);

  std::map<HostAddress, Mapping> All; ///< By beginning.
  /// The beginnings by those of the counterparts; of several that share one,
  /// the last.
  std::map<DeviceAddress, HostAddress> ByDevice;
};

} // namespace blockmaestro::openmp

#endif
