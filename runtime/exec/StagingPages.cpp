// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StagingPages.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro {

/// Memory that the device may still read is left to the end of the process, or
/// to the reset of the device.
StagingPages::~StagingPages() {
  if (Coming.valid())
    if (const Result<void *> Made = Coming.get(); Made.ok())
      Memory = static_cast<std::byte *>(*Made);
  const bool IsUnused = std::all_of(All.begin(), All.end(), [this](Page &Each) {
    return !Each.IsHeld && (!Each.IsRead || Port.hasPassed(Each.Behind));
  });
  for (const Page &Each : All)
    if (Each.Behind)
      Port.releaseEvent(Each.Behind);
  if (Memory && IsUnused)
    Port.releaseStaging(Memory);
}

/// Whether there is memory; else it is asked for.
bool StagingPages::isThere() {
  if (Memory)
    return true;
  if (isReady(Coming)) {
    const Result<void *> Made = Coming.get();
    Memory = Made.ok() ? static_cast<std::byte *>(*Made) : nullptr;
  } else if (!Coming.valid() && ++Came == Often) {
    Coming = Maker.find<Result<void *>>(
        [&To = Port] { return To.allocateStaging(Pages * PageBytes); });
    return isReady(Coming) && isThere();
  }
  return Memory;
}

/// Whether so many bytes fit; a page that nothing uses any more is empty.
bool StagingPages::hasRoom(Page &In, size_t Bytes, void *Stream) {
  if (In.IsRead && !In.IsHeld && Port.hasPassed(In.Behind))
    In.IsRead = false;
  if (!In.IsHeld && !In.IsRead) {
    In.Used = 0;
    In.Stream = Stream;
    In.IsOrphan = false;
  }
  return In.Stream == Stream && !In.IsOrphan && Bytes <= PageBytes - In.Used;
}

const void *StagingPages::keep(const void *From, size_t Bytes, void *Stream) {
  constexpr size_t Alignment = 256;
  if (!isThere())
    return nullptr;
  const size_t Taken = (Bytes + Alignment - 1) / Alignment * Alignment;
  const auto Found = std::find_if(All.begin(), All.end(), [&](Page &Each) {
    return hasRoom(Each, Taken, Stream);
  });
  if (Found == All.end())
    return nullptr;
  std::byte *Place =
      Memory + size_t(Found - All.begin()) * PageBytes + Found->Used;
  std::memcpy(Place, From, Bytes);
  Found->Used += Taken;
  Found->IsHeld = true;
  return Place;
}

Status StagingPages::given(void *Stream) {
  for (Page &Each : All) {
    if (!Each.IsHeld || Each.Stream != Stream)
      continue;
    if (!Each.Behind) {
      const Result<void *> Made = Port.makeEvent();
      if (!Made.ok())
        return Made.status();
      Each.Behind = *Made;
    }
    if (Status Done = Port.record(Each.Behind, Stream); !Done.ok())
      return Done;
    Each.IsHeld = false;
    Each.IsRead = true;
  }
  return {};
}

void StagingPages::forgetStream(void *Stream) {
  for (Page &Each : All)
    Each.IsOrphan |= Each.Stream == Stream;
}

} // namespace blockmaestro
