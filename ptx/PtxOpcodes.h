// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the opcodes of PTX that are known: how their operands stand, what
// they ask of the hardware, and what a CUDA programmer calls them.
// On the data's way: used by passes/device for effects, by runtime/emulator for
// the words of a refusal; its handlers are of opcodes that are here.
// Invariants: an opcode that is in no row is not known. Threads: constant data.

#ifndef BLOCKMAESTRO_PTX_PTXOPCODES_H
#define BLOCKMAESTRO_PTX_PTXOPCODES_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace blockmaestro {

enum class PtxRole {
  Registers,  ///< No memory, and no operand in brackets.
  Harmless,   ///< No memory but the block's own.
  Load,       ///< ld d, [a]
  Store,      ///< st [a], v
  Update,     ///< atom d, [a], v
  Reduce,     ///< red [a], v
  CopyIn,     ///< cp.async [shared], [a], size, fewer
  BulkIn,     ///< cp.async.bulk [shared], [a], size, [barrier]
  BulkOut,    ///< cp.async.bulk [a], [shared], size
  BulkUpdate, ///< cp.reduce.async.bulk [a], [shared], size
  Branch,     ///< bra
  Exit,
  Opaque,   ///< Any memory, but nothing else.
  Anything, ///< Known by its name only.
};

/// What an instruction asks of the hardware, aside from memory.
enum class PtxService {
  None,
  ThreadEnd,     ///< exit
  ProgramEnd,    ///< trap
  BlockBarrier,  ///< bar
  Cluster,       ///< Other blocks of the cluster.
  EarlyLaunch,   ///< griddepcontrol
  SharedBarrier, ///< mbarrier
  Images,        ///< Textures and surfaces.
  Descriptor,    ///< A tensor map.
  Bulk,          ///< Asynchronous bulk copies.
};

struct PtxOpcode {
  const char *Prefix; ///< Whole words only.
  PtxRole Role;
  PtxService Service = PtxService::None;
  const char *Words = ""; ///< "a texture read"; empty where the opcode says it.
};

/// The row of the opcode of \p Words; null when it is not known.
const PtxOpcode *findPtxOpcode(llvm::ArrayRef<std::string> Words);

} // namespace blockmaestro

#endif
