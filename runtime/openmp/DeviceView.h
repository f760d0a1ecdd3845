// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: memory of the device as an inspection reads and writes it, value
// by value: windows of it are kept on the host.
// On the data's way: Inspection -> here -> DeviceMemory.
// Invariants: the device has what was stored when store() returns. What a
// window has is what the device has, until something runs there: forget().
// Ownership: owns the windows. Threads: one.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_DEVICEVIEW_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_DEVICEVIEW_H

#include "TaskPort.h"

#include <array>
#include <memory>

namespace blockmaestro::openmp {

class DeviceView {
public:
  explicit DeviceView(TaskPort &Port) : Port(Port) {}

  /// The bytes, where they are in the window that was asked for last; null
  /// elsewhere.
  const std::byte *find(DeviceAddress From, size_t Bytes) const {
    const uint64_t Offset = From - Last->Begin;
    return Offset < Last->Bytes && Bytes <= Last->Bytes - Offset
               ? Last->Content.get() + Offset
               : nullptr;
  }
  Status load(void *To, DeviceAddress From, size_t Bytes);
  Status store(DeviceAddress To, const void *From, size_t Bytes);
  void forget();

private:
  static constexpr size_t WindowBytes = 64 << 10;
  struct Window {
    DeviceAddress Begin = 0;
    uint64_t Bytes = 0;
    std::unique_ptr<std::byte[]> Content;

    bool has(DeviceAddress From, size_t Size) const {
      return From - Begin < Bytes && Size <= Bytes - (From - Begin);
    }
  };

  Window *windowWith(DeviceAddress From, size_t Bytes);
  DeviceRange rangeToFetch(DeviceAddress From);

  TaskPort &Port;
  std::array<Window, 16> Windows;
  Window *Last = Windows.data();
  size_t Next = 0;   ///< The window that goes next.
  bool Empty = true; ///< No window has bytes.
};

} // namespace blockmaestro::openmp

#endif
