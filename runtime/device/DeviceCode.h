// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the device code of the block variants as LLVM bitcode, compiled
// when the tree is built and carried in the plugin.
// On the data's way: linked by passes/device into the user's device modules.
// Ownership and threads: constant data.

#ifndef BLOCKMAESTRO_RUNTIME_DEVICE_DEVICECODE_H
#define BLOCKMAESTRO_RUNTIME_DEVICE_DEVICECODE_H

#include <cstddef>

namespace blockmaestro {

struct DeviceCode {
  const char *Name;
  const unsigned char *Data;
  size_t Size;
};

/// __bm_prelaunch_enter and __bm_prelaunch_leave.
DeviceCode prelaunchCode();
/// __bm_persistent, which calls a __bm_dispatch that the plugin makes.
DeviceCode persistentCode();
/// __bm_timed_enter and __bm_timed_leave.
DeviceCode timedCode();

} // namespace blockmaestro

#endif
