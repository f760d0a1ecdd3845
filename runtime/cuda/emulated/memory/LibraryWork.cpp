// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"

#include <new>
#include <sstream>
#include <string>

namespace blockmaestro::emulated {
namespace {

bool isEmpty(const TouchedBox &Box) {
  return Box.Width == 0 || Box.Rows == 0 || Box.Slices == 0;
}

bool libraryMayTouch(uint64_t Address, size_t Bytes) {
  return isDeviceRange(reinterpret_cast<const void *>(Address), Bytes);
}

Status outside(const LibraryCommand &What, const TouchedBox &Box) {
  std::ostringstream Text;
  Text << What.Call << (Box.Writes ? " writes " : " reads ") << Box.span()
       << " bytes at 0x" << std::hex << Box.Address
       << ", which are not all memory of the device";
  return Status(StatusCode::IllegalAddress, Text.str());
}

} // namespace

std::function<Status()> workOf(const LibraryCommand &From) {
  return [From]() -> Status {
    for (const TouchedBox &Each : From.Touches)
      if (!isEmpty(Each) && !libraryMayTouch(Each.Address, Each.span()))
        return outside(From, Each);
    try {
      return (*From.Run)(libraryMayTouch);
    } catch (const std::bad_alloc &) {
      return Status(StatusCode::OutOfMemory,
                    std::string(From.Call) + ": there is no memory for it");
    }
  };
}

} // namespace blockmaestro::emulated
