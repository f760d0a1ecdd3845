// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: records inside a host object: one constant in the section
// `.blockmaestro` and the code that tells the runtime about it.
// On the data's way: from the handover to runtime/launch and bm-dump.
// Invariants: the runtime hears of the records right before it hears of the
// object's own fat binary. Relocatable device code (-fgpu-rdc) has one fat
// binary for all objects, made by the linker and registered by a constructor of
// priority 101; there one of priority 100 tells of the records, and the
// linker's registers them once more as a variable of the fat binary that has
// the object's code: files that are linked in parts (-r) have several. Threads:
// one per module.

#ifndef BLOCKMAESTRO_PASSES_HOST_EMBED_H
#define BLOCKMAESTRO_PASSES_HOST_EMBED_H

#include "Handover.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Object/OffloadBinary.h"

#include <cstdint>

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Adds the constant and a call, if the program is linked with the runtime, of
///   extern "C" void __blockmaestro_register_module(const void *, size_t Bytes)
/// in front of the one that registers the fat binary, or of
///   extern "C" void __blockmaestro_register(const void *Data, size_t Bytes)
/// in a constructor of its own.
/// The linker, where it registers the fat binary, knows it as one of \p Kind.
void embedRecords(
    llvm::Module &M, llvm::ArrayRef<uint8_t> Records,
    llvm::object::OffloadKind Kind = llvm::object::OffloadKind::OFK_Cuda);

/// Adds to relocatable DeviceCode the variable that its object's records are
/// registered with.
void addPartVariable(llvm::Module &DeviceCode);

/// Has archive members pulled into the program for their device code, which the
/// linker of device code takes although no host code asks for it: each name
/// offered is a constant of this object, each wanted one a common symbol, in
/// whose place linkers put the constant of an archive's member where there is
/// one.
void embedLinkNames(llvm::Module &M, const LinkNames &Names);

/// Whether M registers a fat binary of its own, as it does unless its device
/// code is relocatable.
bool registersOwnCode(llvm::Module &M);

} // namespace blockmaestro

#endif
