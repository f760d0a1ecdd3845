// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the device's printf: CUDA's formats from the packed arguments a
// kernel passes.
// On the data's way: called by compiled code; writes to the program's stdout.
// Invariants: what one call prints comes out in one piece.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_PRINTF_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_PRINTF_H

#include "BlockContext.h"

#include <cstdint>
#include <string>

namespace blockmaestro {

/// Formats as CUDA's printf does. \p Packed holds the arguments after
/// promotion, each aligned to its size. \p Arguments becomes their number.
std::string formatDeviceText(const char *Format, const void *Packed,
                             int &Arguments);

} // namespace blockmaestro

extern "C" {
/// The number of arguments; -1 without a format, -2 without memory.
int32_t bm_vprintf(blockmaestro::BlockContext *Context, const char *Format,
                   const void *Packed);
/// Prints what failed and where, and gives the block up.
[[noreturn]] void bm_assertfail(blockmaestro::BlockContext *Context,
                                uint32_t Thread, uint32_t Site,
                                const char *Message, const char *File,
                                uint32_t Line, const char *Function);
}

#endif
