// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceView.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace blockmaestro::openmp {

/// A window with all of the bytes; null where there is none.
DeviceView::Window *DeviceView::windowWith(DeviceAddress From, size_t Bytes) {
  for (Window &Each : Windows)
    if (Each.has(From, Bytes))
      return &Each;
  return nullptr;
}

/// The part of the memory around From that a window shall have. Windows do not
/// overlap: they begin where the memory does, or at a multiple of their size.
DeviceRange DeviceView::rangeToFetch(DeviceAddress From) {
  const DeviceRange Known = Port.rangeAround(From);
  if (Known.Bytes == 0)
    return {};
  const DeviceAddress Aligned = From / WindowBytes * WindowBytes;
  const DeviceAddress Begin = std::max(Known.Begin, Aligned);
  const DeviceAddress End =
      std::min(Known.Begin + Known.Bytes, Aligned + WindowBytes);
  return {Begin, End - Begin};
}

Status DeviceView::load(void *To, DeviceAddress From, size_t Bytes) {
  if (Bytes == 0)
    return {};
  if (Window *Found = windowWith(From, Bytes)) {
    Last = Found;
    std::memcpy(To, Found->Content.get() + (From - Found->Begin), Bytes);
    return {};
  }
  const DeviceRange Part = rangeToFetch(From);
  if (Part.Bytes == 0 || Bytes > Part.Bytes - (From - Part.Begin))
    return Port.memory().fromDevice(To, From, Bytes);
  Window &New = Windows[Next];
  Next = (Next + 1) % Windows.size();
  if (!New.Content)
    New.Content = std::make_unique<std::byte[]>(WindowBytes);
  New.Bytes = 0;
  if (Status Done =
          Port.memory().fromDevice(New.Content.get(), Part.Begin, Part.Bytes);
      !Done.ok())
    return Done;
  Empty = false;
  New.Begin = Part.Begin;
  New.Bytes = Part.Bytes;
  Last = &New;
  std::memcpy(To, New.Content.get() + (From - New.Begin), Bytes);
  return {};
}

Status DeviceView::store(DeviceAddress To, const void *From, size_t Bytes) {
  for (Window &Each : Windows) {
    const DeviceAddress Begin = std::max(To, Each.Begin);
    const DeviceAddress End = std::min(To + Bytes, Each.Begin + Each.Bytes);
    if (Begin < End)
      std::memcpy(Each.Content.get() + (Begin - Each.Begin),
                  static_cast<const std::byte *>(From) + (Begin - To),
                  End - Begin);
  }
  return Port.memory().toDevice(To, From, Bytes);
}

void DeviceView::forget() {
  if (std::exchange(Empty, true))
    return;
  for (Window &Each : Windows)
    Each.Bytes = 0;
  Next = 0;
}

} // namespace blockmaestro::openmp
