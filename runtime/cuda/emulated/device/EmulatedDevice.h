// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the emulated device: memory of the host, kernels run block by
// block on its cores by the emulator library, which is opened here.
// On the data's way: one of the two devices behind Device.h.
// Ownership: one in a process. Threads: see Device.h.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_EMULATEDDEVICE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_EMULATEDDEVICE_H

#include "Device.h"

#include <memory>
#include <string>

namespace blockmaestro {

class Emulator;
class Notes;

/// Makes the emulated device the machine of this name or file, before anything
/// else asks it; none: the default one.
Status chooseMachine(const std::string &Name);

/// Opens the emulator library that lies beside this one. The notes outlive the
/// device.
Result<std::unique_ptr<Device>> openEmulatedDevice(const Options &Asked,
                                                   Notes &Reasons);

/// The calls of Api.def on the emulated device.
RuntimeCalls emulatedCalls();

/// The emulated device around an emulator, which it owns.
std::unique_ptr<Device> makeEmulatedDevice(std::unique_ptr<Emulator> Processor,
                                           const Options &Asked,
                                           Notes &Reasons);

} // namespace blockmaestro

#endif
