// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what inline assembly asks of the hardware, aside from memory, as
// flags of its effects.
// On the data's way: used by PtxAssembly. Threads: constant data.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_ASSEMBLYFLAGS_H
#define BLOCKMAESTRO_PASSES_DEVICE_ASSEMBLYFLAGS_H

#include "PtxAssembly.h"
#include "PtxOpcodes.h"

#include "llvm/ADT/StringRef.h"

namespace blockmaestro {

/// Of special registers, wherever in the text their names stand.
void noteSpecialRegisters(llvm::StringRef Text, AssemblyEffects &Effects);

void noteService(PtxService Service, AssemblyEffects &Effects);

} // namespace blockmaestro

#endif
